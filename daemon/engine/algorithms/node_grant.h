// Parts of a limit on a number of nodes, for threads that count alone: together they never pass it.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_NODE_GRANT_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_NODE_GRANT_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace astrolabe::engine {

class NodeBudget {
 public:
  // left: what may be granted in all.
  NodeBudget(uint64_t left, int threads) : left_(left), threads_(static_cast<uint64_t>(threads)) {}

  // At least `wanted` more, or what is left.
  uint64_t Grant(uint64_t wanted) {
    uint64_t left = left_.load(std::memory_order_relaxed);
    uint64_t part;
    do {
      // All of it for one thread; small enough for several that none starves near the end.
      part = threads_ == 1 ? left : std::min(left, std::max(wanted, left / (16 * threads_)));
    } while (!left_.compare_exchange_weak(left, left - part, std::memory_order_relaxed));
    return part;
  }

 private:
  std::atomic<uint64_t> left_;
  const uint64_t threads_;
};

// One thread's.
class NodeGrant {
 public:
  explicit NodeGrant(NodeBudget& budget) : budget_(&budget) {}
  // False: fewer are left.
  bool Has(uint64_t count) {
    if (count > left_) [[unlikely]]
      left_ += budget_->Grant(count - left_);
    return count <= left_;
  }
  void Use(uint64_t count) { left_ -= count; }
  uint64_t left() const { return left_; }

 private:
  NodeBudget* budget_;
  uint64_t left_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_NODE_GRANT_H_
