// Memory that plugins take from the host, within the job's limit. Thread-safe. What a plugin has not
// given back when the budget ends is freed.
#ifndef ASTROLABE_DAEMON_WORKER_MEMORY_BUDGET_H_
#define ASTROLABE_DAEMON_WORKER_MEMORY_BUDGET_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace astrolabe::worker {

class MemoryBudget {
 public:
  // max_bytes 0: no limit.
  explicit MemoryBudget(uint64_t max_bytes) : max_bytes_(max_bytes) {}
  ~MemoryBudget();
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // Null when the budget or the machine has no room, or align is no power of two up to 4096.
  void* Allocate(uint64_t size, uint64_t align);
  // False when `memory` did not come from Allocate, or was released before.
  bool Release(void* memory);
  // The same, but the caller frees it.
  bool Detach(void* memory);

  // Counts memory that is not from Allocate (a cache file kept in memory). False: no room.
  bool Charge(uint64_t bytes);
  void Refund(uint64_t bytes);

  uint64_t used() const;
  uint64_t peak() const;
  // True once something did not fit.
  bool exhausted() const;

 private:
  const uint64_t max_bytes_;
  mutable std::mutex mutex_;
  std::unordered_map<void*, uint64_t> blocks_;
  uint64_t used_ = 0;
  uint64_t peak_ = 0;
  bool exhausted_ = false;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_MEMORY_BUDGET_H_
