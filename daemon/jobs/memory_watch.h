// How much memory a worker really uses: what plugins malloc behind the engine's back shows up here alone.
#ifndef ASTROLABE_DAEMON_JOBS_MEMORY_WATCH_H_
#define ASTROLABE_DAEMON_JOBS_MEMORY_WATCH_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace astrolabe::jobs {

// Resident bytes that are the process's own: file-backed and shared pages (pattern databases mapped read-only) do not
// count. Empty when it cannot be read, for example because the process is gone.
std::optional<int64_t> PrivateBytes(int pid);

// The same from the text of /proc/<pid>/statm ("size resident shared ..." in pages).
std::optional<int64_t> ParseStatm(std::string_view text, int64_t page_bytes);

// A worker over this is ended: its job's limit and 25 %, and what an idle worker needs. 0: no limit.
constexpr int64_t kIdleWorkerBytes = 16 << 20;
constexpr int64_t WatchdogBytes(int64_t max_memory_bytes) {
  if (max_memory_bytes <= 0) return 0;
  if (max_memory_bytes > INT64_MAX / 2) return INT64_MAX;
  return max_memory_bytes + max_memory_bytes / 4 + kIdleWorkerBytes;
}

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_MEMORY_WATCH_H_
