// DataLimit: RLIMIT_DATA around one job, the backstop behind the accounted budgets: it turns a plugin's
// own allocations into failures of malloc before the machine starts to swap. Shared read-only mappings
// do not count, other than under RLIMIT_AS.
#ifndef ASTROLABE_DAEMON_WORKER_DATA_LIMIT_H_
#define ASTROLABE_DAEMON_WORKER_DATA_LIMIT_H_

#include <sys/resource.h>

#include <cstdint>

namespace astrolabe::worker {

class DataLimit {
 public:
  // Soft limit: what the process maps now, plus max_memory_bytes and 5 %, plus room for stacks, malloc's
  // arenas and frames. 0 sets none. Nothing under sanitizers: they map terabytes.
  DataLimit(int64_t max_memory_bytes, int threads);
  ~DataLimit() { Lift(); }
  DataLimit(const DataLimit&) = delete;
  DataLimit& operator=(const DataLimit&) = delete;

  // Puts the old limit back. Idempotent, any thread.
  void Lift();

 private:
  rlimit old_{};
  bool set_ = false;
};

// Private writable memory the process has mapped, in bytes; anonymous memory that is resident. 0 when
// /proc cannot be read.
uint64_t MappedDataBytes();
uint64_t ResidentAnonymousBytes();

// A worker that grew above this is not kept: its memory is fragmented.
inline constexpr uint64_t kLargeMemory = 256 << 20;

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_DATA_LIMIT_H_
