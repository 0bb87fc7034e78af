// A solution that is not known yet passes through a forward and a backward node that are both open with their least g.
// So it costs at least
//   lb(u, v) = max(f(u), f(v), g(u) + g(v) + least cost of an operator)
// for some open pair (u, v), if h is admissible both ways. The pair of least lb is looked for, and both its nodes are
// expanded: one of them has to be, whatever the algorithm. The search ends when the least lb reaches the incumbent.
//
// The pair is found with two queues a side: nodes of f up to the bound are ready, by g; the others wait, by f.
#include "daemon/engine/algorithms/bidirectional.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "daemon/engine/algorithms/bidirectional_side.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/bucket_open_list.h"

namespace astrolabe::engine {
namespace {

struct OpenNode {
  NodeTable::Id id = NodeTable::kNone;
  Cost g = 0;
  Cost h = 0;
};

// A side and its open nodes.
class Frontier : public BidirectionalSide {
 public:
  Frontier(const StateSpace& space, const Evaluator* evaluator, MemoryAccount& memory)
      : BidirectionalSide(space, evaluator, memory), waiting_(memory), ready_(memory) {}

  void Open(Id id, Cost g, Cost h, Cost bound) {
    if (g + h < bound) {
      ready_.Push(g, g + h, id);
    } else {
      waiting_.Push(g + h, g, id);
    }
    most_ = std::max(most_, open());
  }

  // Least f of a waiting node, and least g of a ready one; kInfinity: there is none.
  Cost LeastWaitingF() {
    DropStale(waiting_, [this] { return waiting_.best_tie(); });
    return waiting_.empty() ? kInfinity : waiting_.best_f();
  }
  Cost LeastReadyG() {
    DropStale(ready_, [this] { return ready_.best_f(); });
    return ready_.empty() ? kInfinity : ready_.best_f();
  }
  // Precondition: LeastWaitingF was asked and there is one.
  void MakeReady() {
    const Cost f = waiting_.best_f();
    const Cost g = waiting_.best_tie();
    Id id;
    waiting_.Pop(&id, 1);
    ready_.Push(g, f, id);
  }
  // Precondition: LeastReadyG was asked and there is one.
  OpenNode TakeReady() {
    const Cost g = ready_.best_f();
    const Cost f = ready_.best_tie();
    Id id;
    ready_.Pop(&id, 1);
    return {id, g, f - g};
  }

  size_t open() const { return waiting_.size() + ready_.size(); }
  size_t most_open() const { return most_; }

 private:
  // A node that was closed, or reached more cheaply, since it was put there.
  template <typename G>
  void DropStale(BucketOpenList<Id>& queue, G g) {
    while (!queue.empty()) {
      Id id = queue.Top();
      if (!nodes().Closed(id) && nodes().G(id) == g()) return;
      queue.Pop(&id, 1);
    }
  }

  BucketOpenList<Id> waiting_;  // by f, then g
  BucketOpenList<Id> ready_;    // by g, then f
  size_t most_ = 0;
};

class Bidirectional final : public Algorithm {
 public:
  using Id = NodeTable::Id;

  explicit Bidirectional(const Task& task)
      : task_(task),
        least_cost_(task.space.info().zero_costs  ? 0
                    : task.space.info().unit_cost ? task.space.info().cost_scale
                                                  : 1),
        forward_(task.space, &task.evaluator, task.memory),
        backward_(*task.reversed, task.reversed_evaluator, task.memory) {}

  SearchEnd Search(Runner& runner) override {
    NodeEvents events(task_.space, task_.sink, runner);
    NodeEvents backward_events(task_.space, task_.sink, runner, NodeEvents::kBackward);
    if (SearchEnd end = Start(runner, events, backward_events); end != SearchEnd::kExhausted) return end;
    for (;;) {
      const Pair pair = PreparePair(runner);
      if (pair == Pair::kStopped) return SearchEnd::kStopped;
      // Nodes that max_cost cut wait nowhere.
      runner.RaiseLowerBound(std::min({bound_, Better(), least_cut_f_}));
      if (pair == Pair::kNone || bound_ >= Better()) break;
      const OpenNode u = forward_.TakeReady();
      const OpenNode v = backward_.TakeReady();
      if (SearchEnd end = Expand(runner, events, forward_, backward_, u); end != SearchEnd::kExhausted) return end;
      if (bound_ >= Better()) break;
      if (SearchEnd end = Expand(runner, backward_events, backward_, forward_, v); end != SearchEnd::kExhausted) {
        return end;
      }
    }
    if (incumbent_) return SearchEnd::kSolved;
    if (runner.cost_cut()) runner.RaiseLowerBound(least_cut_f_);
    return SearchEnd::kExhausted;
  }

  bool Extract(Runner&, Solution& solution) override {
    solution.path = forward_.nodes().Path(meeting_[0]);
    AppendBackwardPath(backward_, meeting_[1], task_.memory, solution.path);
    solution.cost = *incumbent_;
    // A cheaper way to a node of the path may be known but not carried on.
    solution.may_be_cheaper = true;
    return true;
  }

  Gauges Observe() const override {
    return {.open = static_cast<int64_t>(forward_.open() + backward_.open()),
            .max_open = static_cast<int64_t>(forward_.most_open() + backward_.most_open()),
            .stored = static_cast<int64_t>(forward_.nodes().size()) + static_cast<int64_t>(backward_.nodes().size()),
            .best_h = best_h_};
  }

 private:
  Cost Better() const { return incumbent_.value_or(kInfinity); }

  SearchEnd Start(Runner& runner, NodeEvents& events, NodeEvents& backward_events) {
    Cost h;
    Cost backward_h;
    const Id start = forward_.AddRoot(runner, h);
    const Id goal = backward_.AddRoot(runner, backward_h);
    if (h < 0 || backward_h < 0) return SearchEnd::kBroken;
    runner.SetInitialH(h);
    best_h_ = h;
    forward_.Record(events, NodeKind::kSource, start, h);
    backward_.Record(backward_events, NodeKind::kSource, goal, backward_h);
    // Nothing is open on one side: PreparePair says so.
    if (h == kInfinity || backward_h == kInfinity) return SearchEnd::kExhausted;
    const Cost least = std::max(h, backward_h);
    if (TooDear(0, least)) {
      NoteTooDear(runner, least);
      return SearchEnd::kExhausted;
    }
    forward_.Open(start, 0, h, bound_);
    backward_.Open(goal, 0, backward_h, bound_);
    return Meet(runner, events, forward_, backward_, start, 0);
  }

  enum class Pair { kReady, kNone, kStopped };

  // Raises the bound until the pair of least lb is ready, or the bound has reached the incumbent. kNone: one side has
  // nothing open.
  Pair PreparePair(Runner& runner) {
    for (;;) {
      // A higher bound can make millions ready at once.
      if (++moved_ % kMovesBetweenLooks == 0 && runner.StopRequested()) return Pair::kStopped;
      const Cost f = forward_.LeastWaitingF();
      const Cost b = backward_.LeastWaitingF();
      if (f < bound_) {
        forward_.MakeReady();
        continue;
      }
      if (b < bound_) {
        backward_.MakeReady();
        continue;
      }
      const Cost forward_g = forward_.LeastReadyG();
      const Cost backward_g = backward_.LeastReadyG();
      if ((f == kInfinity && forward_g == kInfinity) || (b == kInfinity && backward_g == kInfinity)) return Pair::kNone;
      Cost both = kInfinity;
      if (forward_g != kInfinity && backward_g != kInfinity) both = Sum(forward_g, backward_g);
      if (both <= bound_) return Pair::kReady;
      if (f <= bound_) {
        forward_.MakeReady();
      } else if (b <= bound_) {
        backward_.MakeReady();
      } else {
        bound_ = std::min({f, b, both});
        if (bound_ >= Better()) return Pair::kReady;
      }
    }
  }

  Cost Sum(Cost forward_g, Cost backward_g) const {
    Cost sum;
    if (__builtin_add_overflow(forward_g, backward_g, &sum) || __builtin_add_overflow(sum, least_cost_, &sum)) {
      return kInfinity - 1;
    }
    return sum;
  }

  SearchEnd Expand(Runner& runner, NodeEvents& events, Frontier& side, Frontier& other, const OpenNode& node) {
    if (!runner.MayExpand()) return SearchEnd::kStopped;
    runner.CountExpanded();
    if (&side == &forward_) best_h_ = std::min(best_h_, node.h);
    side.Record(events, NodeKind::kExpanding, node.id, node.h);
    if (SearchEnd end = side.Expand(runner, node.id, node.h); end != SearchEnd::kExhausted) return end;
    for (const Child& child : side.expander().children()) {
      if (SearchEnd end = Consider(runner, events, side, other, node.id, child); end != SearchEnd::kExhausted) {
        return end;
      }
    }
    side.Record(events, NodeKind::kClosing, node.id, node.h);
    return SearchEnd::kExhausted;
  }

  SearchEnd Consider(Runner& runner, NodeEvents& events, Frontier& side, Frontier& other, Id parent,
                     const Child& child) {
    const auto cut = [&](NodeKind kind) {
      side.RecordChild(events, kind, parent, child);
      return SearchEnd::kExhausted;
    };
    if (child.h == kInfinity) return cut(NodeKind::kDeadEnd);
    if (TooDear(child.g, child.f)) {
      NoteTooDear(runner, child.f);
      return cut(NodeKind::kPruned);
    }
    if ((task_.admissible ? child.f : child.g) >= Better()) return cut(NodeKind::kPruned);
    NodeTable& nodes = side.nodes();
    bool added;
    const Id id = nodes.FindOrAdd(child.state, nodes.Hash(child.state), parent, child.op, child.g, added);
    NodeKind kind = NodeKind::kGenerating;
    if (!added) {
      if (nodes.G(id) <= child.g) {
        runner.CountDuplicate();
        return cut(NodeKind::kPruned);
      }
      kind = nodes.Closed(id) ? NodeKind::kReopening : NodeKind::kUpdating;
      if (kind == NodeKind::kReopening) runner.CountReopened();
      nodes.Set(id, parent, child.op, child.g);
    }
    side.Open(id, child.g, child.h, bound_);
    side.RecordChild(events, kind, parent, child);
    return Meet(runner, events, side, other, id, child.h);
  }

  // A way through a node that the other side knows as well.
  SearchEnd Meet(Runner& runner, NodeEvents& events, Frontier& side, Frontier& other, Id id, Cost h) {
    // Both tables keep states without padding.
    const std::byte* state = side.nodes().State(id);
    const Id there = other.nodes().Find(state, other.nodes().Hash(state));
    if (there == NodeTable::kNone) return SearchEnd::kExhausted;
    Cost cost;
    if (__builtin_add_overflow(side.nodes().G(id), other.nodes().G(there), &cost) || cost == kInfinity) {
      return runner.Break(kCostsTooLarge);
    }
    if (cost >= Better()) return SearchEnd::kExhausted;
    if (task_.max_cost && cost > *task_.max_cost) {
      NoteTooDear(runner, cost);
      return SearchEnd::kExhausted;
    }
    incumbent_ = cost;
    const bool forward = &side == &forward_;
    meeting_[0] = forward ? id : there;
    meeting_[1] = forward ? there : id;
    side.Record(events, NodeKind::kGoal, id, h);
    return runner.NewSolution() ? SearchEnd::kExhausted : SearchEnd::kBroken;
  }

  bool TooDear(Cost g, Cost f) const { return task_.max_cost && (task_.admissible ? f : g) > *task_.max_cost; }
  void NoteTooDear(Runner& runner, Cost f) {
    runner.NoteCostCut();
    least_cut_f_ = std::min(least_cut_f_, f);
  }

  const Task& task_;
  const Cost least_cost_;
  Frontier forward_;
  Frontier backward_;
  Cost bound_ = 0;  // no pair has a smaller lb
  std::optional<Cost> incumbent_;
  Id meeting_[2] = {NodeTable::kNone, NodeTable::kNone};  // forward, backward
  static constexpr uint64_t kMovesBetweenLooks = 1 << 14;

  Cost best_h_ = -1;
  uint64_t moved_ = 0;
  Cost least_cut_f_ = kInfinity;
};

}  // namespace

std::unique_ptr<Algorithm> MakeBidirectional(const Task& task) { return std::make_unique<Bidirectional>(task); }

}  // namespace astrolabe::engine
