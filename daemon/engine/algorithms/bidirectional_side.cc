#include "daemon/engine/algorithms/bidirectional_side.h"

#include <cstring>

#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

BidirectionalSide::BidirectionalSide(const StateSpace& space, const Evaluator* evaluator, MemoryAccount& memory)
    : space_(space),
      state_size_(space.info().state_size),
      expander_(space, evaluator, memory),
      nodes_(space.info(), memory) {}

BidirectionalSide::Id BidirectionalSide::AddRoot(Runner& runner, Cost& h) {
  std::byte* root = expander_.scratch();
  space_.InitialState(root);
  h = expander_.Evaluate(runner, root);
  bool added;
  return nodes_.FindOrAdd(root, nodes_.Hash(root), NodeTable::kNone, kNoOp, 0, added);
}

// Plugins want states aligned, as those of nodes are not.
const std::byte* BidirectionalSide::Load(Id id) {
  std::memcpy(expander_.scratch(), nodes_.State(id), state_size_);
  return expander_.scratch();
}

SearchEnd BidirectionalSide::Expand(Runner& runner, Id id, Cost h) {
  nodes_.Close(id);
  return expander_.Expand(runner, Load(id), nodes_.LastOp(id), nodes_.G(id), h);
}

void BidirectionalSide::Record(NodeEvents& events, NodeKind kind, Id id, Cost h) {
  if (!events.Wants(kind)) return;
  const Id parent = nodes_.Parent(id);
  events.Record(kind, Load(id), parent != NodeTable::kNone ? nodes_.State(parent) : nullptr, nodes_.LastOp(id),
                nodes_.G(id), h, nodes_.Depth(id));
}

void BidirectionalSide::RecordChild(NodeEvents& events, NodeKind kind, Id parent, const Child& child) {
  if (!events.Wants(kind)) return;
  events.Record(kind, child.state, nodes_.State(parent), child.op, child.g, child.h, nodes_.Depth(parent) + 1);
}

void AppendBackwardPath(const BidirectionalSide& backward, BidirectionalSide::Id id, MemoryAccount& memory,
                        std::vector<Op>& path) {
  const NodeTable& nodes = backward.nodes();
  const SpaceCalls& calls = backward.space().calls();
  const Block state(memory, StateStride(backward.space().info()));
  for (; nodes.Parent(id) != NodeTable::kNone; id = nodes.Parent(id)) {
    std::memcpy(state.data(), nodes.State(nodes.Parent(id)), backward.space().info().state_size);
    path.push_back(calls.forward_op(calls.problem, state.data(), nodes.LastOp(id)));
  }
}

}  // namespace astrolabe::engine
