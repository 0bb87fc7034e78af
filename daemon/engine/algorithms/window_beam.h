// WindowBeam: a cheaper way between two states, though perhaps not the cheapest, by beam search on the problem's own
// distance between states. It finds its way through windows that are far too long to be searched whole.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_BEAM_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_BEAM_H_

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

class WindowBeam final : public WindowFinder {
 public:
  // The task outlives it.
  WindowBeam(const Task& task, std::unique_ptr<Distance> distance);

  // A layer has so many nodes. Throws std::bad_alloc.
  void Allow(uint64_t width) override;
  // What that takes for windows of so many operators.
  size_t Bytes(size_t width, size_t operators) const;
  // What it holds between two windows.
  size_t held_bytes() const;

  // Nodes that are as good as others are kept or dropped by chance: asked once more, it may find another way. The
  // chance depends on nothing but what was asked before. kNothing: so it is; kTooLarge: the beam was too narrow.
  Result Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound) override;

 private:
  // A node of the layer.
  struct Node {
    Cost g;
    Cost h;
    uint32_t link;  // how it was reached
    Op op;
  };
  struct Child {
    Cost f;
    uint32_t chance;
    uint32_t parent;  // in the layer
    Cost g;
    Cost h;
    Op op;
    bool operator<(const Child& other) const {
      if (f != other.f) return f < other.f;
      if (chance != other.chance) return chance < other.chance;
      return parent != other.parent ? parent < other.parent : op < other.op;
    }
  };
  // A node's parent, among the links, and the operator that led from it.
  struct Link {
    uint32_t parent;
    Op op;
  };
  template <typename T>
  using List = std::vector<T, AccountedAllocator<T>>;

  // kNothing: go on.
  End MakeChildren(Runner& runner, Cost bound);
  End ExpandNode(Runner& runner, uint32_t node, Cost bound);
  // The next layer. kCheaper: its last node is the target.
  End MakeLayer(Runner& runner);
  bool Seen(const std::byte* state);
  Result Way(const Node& last) const;

  std::byte* State(Block& states, size_t node) const { return states.data() + node * stride_; }

  const Task& task_;
  const std::unique_ptr<Distance> distance_;
  const DistanceCalls calls_;
  const size_t stride_;
  size_t width_ = 0;
  uint64_t window_ = 0;  // how many were searched
  bool dropped_ = false;
  const std::byte* target_ = nullptr;  // while Find runs
  Block states_;                       // of the layer
  Block next_states_;
  List<Node> layer_;
  List<Node> next_;
  List<Child> children_;
  List<Link> links_;
  // Hashes of states met lately, each in the place that it names; of other windows they are others.
  List<uint64_t> seen_;
  std::vector<Op> ops_;  // of one node
  std::vector<Cost> costs_;
  std::vector<Cost> hs_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_BEAM_H_
