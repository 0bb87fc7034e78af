// Which files of the plugin cache a job used, for its Result.
#ifndef ASTROLABE_DAEMON_WORKER_CACHE_USES_H_
#define ASTROLABE_DAEMON_WORKER_CACHE_USES_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace astrolabe::worker {

struct CacheUse {
  std::string id;
  std::string description;
  uint64_t data_size = 0;
  uint64_t file_size = 0;  // 0: it lives in memory alone
  bool made = false;       // by this job
  std::chrono::nanoseconds make_time{};
};

// Thread-safe.
class CacheUses {
 public:
  // The first use of a file counts: what was made now is found later.
  void Add(CacheUse use) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const CacheUse& known : uses_) {
      if (known.id == use.id) return;
    }
    uses_.push_back(std::move(use));
  }
  std::vector<CacheUse> list() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return uses_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<CacheUse> uses_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_CACHE_USES_H_
