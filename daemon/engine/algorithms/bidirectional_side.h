// One direction of a bidirectional search: its space, its nodes, and how a path is put together from both.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_SIDE_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_SIDE_H_

#include <cstddef>
#include <vector>

#include "daemon/engine/algorithms/expander.h"
#include "daemon/engine/events.h"
#include "daemon/engine/structures/node_table.h"

namespace astrolabe::engine {

class BidirectionalSide {
 public:
  using Id = NodeTable::Id;

  // evaluator null: h = 0. What is passed outlives it.
  BidirectionalSide(const StateSpace& space, const Evaluator* evaluator, MemoryAccount& memory);

  const StateSpace& space() const { return space_; }
  NodeTable& nodes() { return nodes_; }
  const NodeTable& nodes() const { return nodes_; }
  Expander& expander() { return expander_; }

  // Adds the initial state, with its h; negative h: broken.
  Id AddRoot(Runner& runner, Cost& h);
  // Closes the node and makes its children, expander().children(). The runner was asked before.
  SearchEnd Expand(Runner& runner, Id id, Cost h);

  // Events of a node of this side: g and h in its direction, ids that differ between the sides.
  void Record(NodeEvents& events, NodeKind kind, Id id, Cost h);
  void RecordChild(NodeEvents& events, NodeKind kind, Id parent, const Child& child);

 private:
  const std::byte* Load(Id id);

  const StateSpace& space_;
  const size_t state_size_;
  Expander expander_;
  NodeTable nodes_;
};

// Appends the operators from the meeting point to the goal, of the space itself: `backward` is the side of the reversed
// space, `id` its node of the state where both met.
void AppendBackwardPath(const BidirectionalSide& backward, BidirectionalSide::Id id, MemoryAccount& memory,
                        std::vector<Op>& path);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_SIDE_H_
