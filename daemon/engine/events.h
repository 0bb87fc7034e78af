// NodeEvents: records what happens to nodes, when somebody asked for it.
#ifndef ASTROLABE_DAEMON_ENGINE_EVENTS_H_
#define ASTROLABE_DAEMON_ENGINE_EVENTS_H_

#include <cstdint>

#include "daemon/engine/domain.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/search.h"

namespace astrolabe::engine {

class NodeEvents {
 public:
  // Added to the ids of a second tree of nodes, one that grows from the goal.
  static constexpr uint64_t kBackward = 0x5bd1e9955bd1e995u;

  // sink null: nothing is wanted.
  NodeEvents(const StateSpace& space, NodeSink* sink, Runner& runner, uint64_t tree = 0)
      : state_size_(space.info().state_size),
        tree_(tree),
        sink_(sink),
        runner_(runner),
        wanted_(sink != nullptr ? sink->wanted : 0) {}

  bool enabled() const { return wanted_ != 0; }
  bool Wants(NodeKind kind) const { return (wanted_ >> static_cast<int>(kind) & 1) != 0; }
  // Any kind that tells of a child when it is generated.
  bool WantsChildren() const { return (wanted_ & kChildren) != 0; }
  uint64_t Id(const void* state) const;
  // Does nothing when the kind is not wanted. parent null: none. h kInfinity: a dead end.
  void Record(NodeKind kind, const void* state, const void* parent, Op op, Cost g, Cost h, int64_t depth,
              const FactoredStep* step = nullptr);

 private:
  static constexpr uint32_t kChildren =
      1u << static_cast<int>(NodeKind::kGenerating) | 1u << static_cast<int>(NodeKind::kUpdating) |
      1u << static_cast<int>(NodeKind::kReopening) | 1u << static_cast<int>(NodeKind::kPruned) |
      1u << static_cast<int>(NodeKind::kDeadEnd);

  size_t state_size_;
  uint64_t tree_;
  NodeSink* sink_;
  Runner& runner_;
  uint32_t wanted_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_EVENTS_H_
