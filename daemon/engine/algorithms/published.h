// A number that one thread writes and others read now and then.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_PUBLISHED_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_PUBLISHED_H_

#include <atomic>
#include <cstdint>

namespace astrolabe::engine {

// No order: a reader sees some value that was set, and nothing else follows from it.
class Published {
 public:
  // --- the one thread ---
  void Set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  void Add(uint64_t value) { Set(get() + value); }
  // --- any thread ---
  uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_PUBLISHED_H_
