#include "daemon/registry/load_error.h"

#include <array>
#include <utility>

namespace astrolabe::registry {
namespace {

// In the order of LoadCode.
constexpr std::array<std::string_view, 20> kNames = {"NONE",
                                                     "NOT_ELF",
                                                     "WRONG_ARCH",
                                                     "TRUNCATED",
                                                     "CORRUPT",
                                                     "PERMISSION",
                                                     "NOEXEC",
                                                     "NO_MANIFEST",
                                                     "ABI_TOO_NEW",
                                                     "ABI_TOO_OLD",
                                                     "ISA_UNSUPPORTED",
                                                     "MISSING_SYMBOL",
                                                     "MISSING_LIBRARY",
                                                     "DUPLICATE_ID",
                                                     "INIT_FAILED",
                                                     "EXITED",
                                                     "THREW",
                                                     "PROBE_CRASHED",
                                                     "PROBE_TIMEOUT",
                                                     "CONTRACT_VIOLATION"};
static_assert(kNames.size() == static_cast<size_t>(LoadCode::kContractViolation) + 1);

}  // namespace

std::string_view LoadCodeName(LoadCode code) { return kNames[static_cast<size_t>(code)]; }

LoadError MakeLoadError(LoadCode code, std::string stage, std::string message, std::string expected, std::string found,
                        std::string hint) {
  return {code, std::move(stage), std::move(message), std::move(expected), std::move(found), std::move(hint)};
}

std::optional<LoadCode> ParseLoadCode(std::string_view name) {
  for (size_t i = 1; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<LoadCode>(i);
  }
  return std::nullopt;
}

std::string DescribeLoadError(const LoadError& error) {
  std::string text = std::string(LoadCodeName(error.code)) + " (" + error.stage + "): " + error.message;
  if (!error.expected.empty()) text += "; expected: " + error.expected;
  if (!error.found.empty()) text += "; found: " + error.found;
  if (!error.hint.empty()) text += "; hint: " + error.hint;
  return text;
}

bool SameLoadError(const LoadError& a, const LoadError& b) {
  return a.code == b.code && a.stage == b.stage && a.message == b.message && a.found == b.found;
}

}  // namespace astrolabe::registry
