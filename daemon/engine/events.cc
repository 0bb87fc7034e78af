#include "daemon/engine/events.h"

#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

uint64_t NodeEvents::Id(const void* state) const {
  const uint64_t id = NodeId(state, state_size_) ^ tree_;
  return id != 0 ? id : 1;
}

void NodeEvents::Record(NodeKind kind, const void* state, const void* parent, Op op, Cost g, Cost h, int64_t depth,
                        const FactoredStep* step) {
  if (!Wants(kind)) return;
  NodeRecord record;
  record.kind = kind;
  record.node = Id(state);
  record.parent = parent != nullptr ? Id(parent) : 0;
  record.op = op;
  record.g = g;
  record.h = h;
  record.depth = depth;
  record.state = state;
  record.step = step;
  if (!sink_->Record(record)) runner_.StopSoon();
}

}  // namespace astrolabe::engine
