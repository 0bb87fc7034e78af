#include "daemon/registry/isa.h"

#include <array>

namespace astrolabe::registry {
namespace {

constexpr std::array<std::string_view, 4> kLevels = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

int Level(std::string_view isa) {
  for (size_t i = 0; i < kLevels.size(); ++i) {
    if (kLevels[i] == isa) return static_cast<int>(i);
  }
  return -1;
}

#if defined(__x86_64__)
// The features of the psABI's levels that the compilers can ask for; the rest come with them.
size_t HostLevel() {
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") &&
                  __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                  __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return v4 ? 3 : v3 ? 2 : v2 ? 1 : 0;
}
#endif

}  // namespace

bool IsKnownIsa(std::string_view isa) { return Level(isa) >= 0 || isa == "aarch64"; }

std::string_view HostIsa() {
#if defined(__x86_64__)
  static const std::string_view host = kLevels[HostLevel()];
  return host;
#else
  return "aarch64";
#endif
}

bool IsaRuns(std::string_view isa, std::string_view host) {
  if (isa == "aarch64" || host == "aarch64") return isa == host;
  return Level(isa) <= Level(host);
}

}  // namespace astrolabe::registry
