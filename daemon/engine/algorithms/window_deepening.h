// WindowDeepening: a cheapest way between two states by iterative deepening on the problem's own distance between
// states (IDA*, Korf 1985). One state is kept, and changed in place: a node costs the same however large a state is.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_DEEPENING_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_DEEPENING_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/algorithms/window_finder.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/memory_account.h"

namespace astrolabe::engine {

class WindowDeepening final : public WindowFinder {
 public:
  // Operators can be taken back in place, and every path ends.
  static bool Fits(const SpaceInfo& info) { return info.undirected && !info.zero_costs; }

  // Throws std::bad_alloc. The task outlives it.
  WindowDeepening(const Task& task, std::unique_ptr<Distance> distance);

  Result Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound) override;
  // Nodes are visited, none is kept.
  void Allow(uint64_t nodes) override { allowed_ = nodes; }
  bool Confirm(Runner& runner, const std::byte* from, std::span<const Op> path, const std::byte* to) override;

 private:
  // A node on the way from `from`; its children are the last ones of children_.
  struct Node {
    Cost g;
    Cost h;
    Op op;                // that led here
    size_t children = 0;  // where they begin; those that were taken are gone
  };
  struct Child {
    Op op;
    Cost g;
    Cost h;
  };
  template <typename T>
  using Stack = std::vector<T, AccountedAllocator<T>>;

  // kNothing: no way costs at most `bound`, and next_bound_ is the least that it would have to be.
  End Iterate(Runner& runner, Cost h, Cost bound);
  // Puts the children of the last node that are within the bound on the stack. kNothing: go on.
  End Expand(Runner& runner, Cost bound);
  bool AtTarget() const;
  bool Step(Runner& runner, Op op);

  const Task& task_;
  const std::unique_ptr<Distance> distance_;
  const DistanceCalls calls_;
  uint64_t allowed_ = 0;
  uint64_t left_ = 0;  // of the window
  Cost next_bound_ = 0;
  Block state_;
  const std::byte* target_ = nullptr;  // while Find runs
  Stack<Node> nodes_;
  Stack<Child> children_;
  std::vector<Op> ops_;  // of one node
  std::vector<Cost> costs_;
  std::vector<Cost> hs_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_DEEPENING_H_
