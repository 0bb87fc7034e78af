// What a stopped job gives back only when its Result is on its way: to return a gigabyte to the system takes some 70
// ms, and whoever cancelled is waiting.
#ifndef ASTROLABE_DAEMON_WORKER_LEFTOVERS_H_
#define ASTROLABE_DAEMON_WORKER_LEFTOVERS_H_

#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace astrolabe::worker {

// Thread-safe. Destroying it gives everything back.
class Leftovers {
 public:
  // Given back at once when there is no memory to note it.
  void Keep(std::shared_ptr<const void> thing) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    try {
      things_.push_back(std::move(thing));
    } catch (const std::bad_alloc&) {
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const void>> things_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_LEFTOVERS_H_
