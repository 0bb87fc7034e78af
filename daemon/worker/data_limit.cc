#include "daemon/worker/data_limit.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "daemon/worker/parallel.h"

namespace astrolabe::worker {
namespace {

#ifndef ASTROLABE_SANITIZED
constexpr uint64_t kSlack = 64 << 20;
#endif

// Fields of /proc/self/statm, in bytes: size resident shared text lib data dt.
struct Statm {
  uint64_t resident = 0;
  uint64_t shared = 0;
  uint64_t data = 0;
};

Statm ReadStatm() {
  Statm statm;
  unsigned long size, resident, shared, text, lib, data;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return statm;
  if (std::fscanf(file, "%lu %lu %lu %lu %lu %lu", &size, &resident, &shared, &text, &lib, &data) == 6) {
    const uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    statm = {resident * page, shared * page, data * page};
  }
  std::fclose(file);
  return statm;
}

}  // namespace

uint64_t MappedDataBytes() { return ReadStatm().data; }

uint64_t ResidentAnonymousBytes() {
  const Statm statm = ReadStatm();
  return statm.resident - std::min(statm.shared, statm.resident);
}

#ifdef ASTROLABE_SANITIZED
DataLimit::DataLimit(int64_t, int) {}
#else
DataLimit::DataLimit(int64_t max_memory_bytes, int threads) {
  if (max_memory_bytes <= 0 || ::getrlimit(RLIMIT_DATA, &old_) != 0) return;
  const uint64_t room = std::min<uint64_t>(static_cast<uint64_t>(max_memory_bytes), uint64_t{1} << 50);
  rlimit limit = old_;
  const uint64_t wanted =
      MappedDataBytes() + room + room / 20 + kSlack + static_cast<uint64_t>(std::max(threads, 1)) * kHelperStackSize;
  limit.rlim_cur = std::min<rlim_t>(wanted, old_.rlim_max);
  set_ = ::setrlimit(RLIMIT_DATA, &limit) == 0;
}
#endif

void DataLimit::Lift() {
  if (set_) ::setrlimit(RLIMIT_DATA, &old_);
}

}  // namespace astrolabe::worker
