// Layer by layer, always on the side whose layer is smaller. Nodes are numbered in the order they are met, so a layer
// is a range of numbers and no queue is needed. With f layers done forward and b backward every path of up to f + b
// operators would have been met: the first meeting while the next layer is made has f + b + 1.
#include "daemon/engine/algorithms/bidirectional_bfs.h"

#include <algorithm>
#include <utility>

#include "daemon/engine/algorithms/bidirectional_side.h"
#include "daemon/engine/runner.h"

namespace astrolabe::engine {
namespace {

struct Half : BidirectionalSide {
  Half(const StateSpace& space, MemoryAccount& memory) : BidirectionalSide(space, nullptr, memory) {}

  size_t layer_size() const { return nodes().size() - layer; }

  Id layer = 0;  // first node of the newest layer, which is not expanded yet
  Cost layers = 0;
};

class BidirectionalBfs final : public Algorithm {
 public:
  using Id = NodeTable::Id;

  explicit BidirectionalBfs(const Task& task)
      : task_(task), forward_(task.space, task.memory), backward_(*task.reversed, task.memory) {}

  SearchEnd Search(Runner& runner) override {
    NodeEvents events(task_.space, task_.sink, runner);
    NodeEvents backward_events(task_.space, task_.sink, runner, NodeEvents::kBackward);
    Cost h;
    const Id start = forward_.AddRoot(runner, h);
    const Id goal = backward_.AddRoot(runner, h);
    forward_.Record(events, NodeKind::kSource, start, 0);
    backward_.Record(backward_events, NodeKind::kSource, goal, 0);
    if (Meets(forward_, backward_, start)) return SearchEnd::kSolved;
    const SpaceInfo& info = task_.space.info();
    while (forward_.layer_size() > 0 && backward_.layer_size() > 0) {
      const Cost steps = forward_.layers + backward_.layers + 1;
      if (info.unit_cost) {
        const Cost cost = steps * info.cost_scale;
        if (task_.max_cost && cost > *task_.max_cost) {
          runner.NoteCostCut();
          break;
        }
        runner.RaiseLowerBound(cost);
      }
      max_open_ = std::max(max_open_, forward_.layer_size() + backward_.layer_size());
      const bool forward = Rank(forward_) <= Rank(backward_);
      const SearchEnd end = forward ? ExpandLayer(runner, events, forward_, backward_)
                                    : ExpandLayer(runner, backward_events, backward_, forward_);
      if (end != SearchEnd::kExhausted) return end;
    }
    return SearchEnd::kExhausted;
  }

  bool Extract(Runner& runner, Solution& solution) override {
    solution.path = forward_.nodes().Path(meeting_[0]);
    AppendBackwardPath(backward_, meeting_[1], task_.memory, solution.path);
    if (__builtin_add_overflow(forward_.nodes().G(meeting_[0]), backward_.nodes().G(meeting_[1]), &solution.cost)) {
      runner.Break(kCostsTooLarge);
      return false;
    }
    return true;
  }

  Gauges Observe() const override {
    return {.open = static_cast<int64_t>(forward_.layer_size() + backward_.layer_size()),
            .max_open = static_cast<int64_t>(max_open_),
            .stored = static_cast<int64_t>(forward_.nodes().size()) + static_cast<int64_t>(backward_.nodes().size())};
  }

  Guarantee guarantee() const override {
    const bool counts_costs = task_.space.info().unit_cost;
    return {.kind = counts_costs ? Guarantee::kLeast : Guarantee::kNothing, .needs_admissible = false};
  }

 private:
  // The smaller layer goes first, of equal ones that of the side which knows less.
  static std::pair<size_t, size_t> Rank(const Half& half) { return {half.layer_size(), half.nodes().size()}; }

  SearchEnd ExpandLayer(Runner& runner, NodeEvents& events, Half& side, Half& other) {
    const Id end_of_layer = side.nodes().size();
    for (Id id = side.layer; id < end_of_layer; ++id) {
      if (!runner.MayExpand()) return SearchEnd::kStopped;
      runner.CountExpanded();
      side.Record(events, NodeKind::kExpanding, id, 0);
      if (SearchEnd end = side.Expand(runner, id, 0); end != SearchEnd::kExhausted) return end;
      for (const Child& child : side.expander().children()) {
        bool added;
        NodeTable& nodes = side.nodes();
        const Id made = nodes.FindOrAdd(child.state, nodes.Hash(child.state), id, child.op, child.g, added);
        side.RecordChild(events, added ? NodeKind::kGenerating : NodeKind::kPruned, id, child);
        if (!added) {
          runner.CountDuplicate();
          continue;
        }
        if (!Meets(side, other, made)) continue;
        side.Record(events, NodeKind::kGoal, made, 0);
        return SearchEnd::kSolved;
      }
      side.Record(events, NodeKind::kClosing, id, 0);
    }
    side.layer = end_of_layer;
    ++side.layers;
    return SearchEnd::kExhausted;
  }

  bool Meets(Half& side, Half& other, Id id) {
    const std::byte* state = side.nodes().State(id);
    const Id there = other.nodes().Find(state, other.nodes().Hash(state));
    if (there == NodeTable::kNone) return false;
    const bool forward = &side == &forward_;
    meeting_[0] = forward ? id : there;
    meeting_[1] = forward ? there : id;
    return true;
  }

  const Task& task_;
  Half forward_;
  Half backward_;
  Id meeting_[2] = {NodeTable::kNone, NodeTable::kNone};  // forward, backward
  size_t max_open_ = 0;
};

}  // namespace

std::unique_ptr<Algorithm> MakeBidirectionalBfs(const Task& task) { return std::make_unique<BidirectionalBfs>(task); }

}  // namespace astrolabe::engine
