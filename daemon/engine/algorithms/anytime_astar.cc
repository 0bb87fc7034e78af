// Rounds of weighted A* with a falling weight, each building on what the last one left.
//
// 1. In a round a state is expanded at most once. One that is reached more cheaply after that is put aside
//    (inconsistent) until the next round; in the last round, with weight 1, it is reopened at once.
// 2. Every optimal path has a node that is open or put aside with its least g, as long as no optimal solution is known.
//    So with an admissible h the least g + h among those nodes is a lower bound on the cost of every solution.
// 3. The incumbent is the cheapest goal met. What cannot be better than it is dropped.
#include "daemon/engine/algorithms/anytime_astar.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "daemon/engine/algorithms/expander.h"
#include "daemon/engine/algorithms/weighted_order.h"
#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/bucket_open_list.h"
#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/node_table.h"

namespace astrolabe::engine {
namespace {

class AnytimeAStar final : public Algorithm {
 public:
  using Id = NodeTable::Id;

  explicit AnytimeAStar(const Task& task)
      : task_(task),
        problem_(task.space.calls()),
        thousandths_(Thousandths(task, "initial_weight")),
        step_(Thousandths(task, "weight_step")),
        order_{Weight::OfThousandths(thousandths_)},
        expander_(task.space, &task.evaluator, task.memory),
        nodes_(task.space.info(), task.memory),
        open_(task.memory),
        aside_(AccountedAllocator<Aside>(task.memory)),
        left_(AccountedAllocator<Aside>(task.memory)),
        expanded_(AccountedAllocator<bool>(task.memory)) {}

  SearchEnd Search(Runner& runner) override {
    NodeEvents events(task_.space, task_.sink, runner);
    if (SearchEnd end = Start(runner, events); end != SearchEnd::kExhausted || open_.empty()) return end;
    for (;;) {
      if (SearchEnd end = Round(runner, events); end != SearchEnd::kExhausted) return end;
      if (open_.empty() && aside_.empty()) break;
      Cost bound;
      if (!CollectOpen(runner, bound)) return SearchEnd::kStopped;
      runner.RaiseLowerBound(bound);
      if (incumbent_) runner.NewBound();
      if (bound >= Better()) break;
      LowerWeight(bound);
      if (!OpenAll(runner)) return SearchEnd::kStopped;
    }
    if (incumbent_) return SearchEnd::kSolved;
    if (runner.cost_cut()) runner.RaiseLowerBound(least_cut_f_);
    return SearchEnd::kExhausted;
  }

  bool Extract(Runner&, Solution& solution) override {
    solution.path = nodes_.Path(goal_);
    solution.cost = *incumbent_;
    // A cheaper way to a node of the path may be known but not carried on to the goal.
    solution.may_be_cheaper = true;
    return true;
  }

  Gauges Observe() const override {
    return {.open = static_cast<int64_t>(open_.size() + aside_.size()),
            .max_open = static_cast<int64_t>(max_open_),
            .stored = static_cast<int64_t>(nodes_.size()),
            .best_h = best_h_};
  }
  Guarantee guarantee() const override { return {.kind = Guarantee::kLeast}; }

 private:
  static constexpr uint64_t kNodesBetweenLooks = 1 << 14;

  struct Aside {
    Id id;
    Cost g;
    Cost h;
  };
  using Nodes = std::vector<Aside, AccountedAllocator<Aside>>;

  static int64_t Thousandths(const Task& task, const char* param) {
    return std::max<int64_t>(1, std::llround(task.params.Get<double>(param) * Weight::kDenominator));
  }

  bool last_round() const { return thousandths_ == Weight::kDenominator; }
  // Solutions that cost this much or more are of no use.
  Cost Better() const { return incumbent_.value_or(kInfinity); }

  // kExhausted: go on; nothing is open when there is nothing to search.
  SearchEnd Start(Runner& runner, NodeEvents& events) {
    std::byte* root = expander_.scratch();
    task_.space.InitialState(root);
    const Cost h = expander_.Evaluate(runner, root);
    if (h < 0) return SearchEnd::kBroken;
    runner.SetInitialH(h);
    best_h_ = h;
    events.Record(NodeKind::kSource, root, nullptr, kNoOp, 0, h, 0);
    if (h == kInfinity) return SearchEnd::kExhausted;
    if (TooDear(0, h)) {
      NoteTooDear(runner, h);
      runner.RaiseLowerBound(h);
      return SearchEnd::kExhausted;
    }
    if (task_.admissible) runner.RaiseLowerBound(h);
    bool added;
    const Id id = nodes_.FindOrAdd(root, nodes_.Hash(root), NodeTable::kNone, kNoOp, 0, added);
    open_.Push(order_.Priority(0, h), 0, id);
    return TakeGoal(runner, events, root, id, 0);
  }

  // Weighted A* until nothing open can lead to a better solution within the weight.
  SearchEnd Round(Runner& runner, NodeEvents& events) {
    while (!open_.empty()) {
      const Cost priority = open_.best_f();
      const Cost g = -open_.best_tie();
      if (incumbent_ && priority >= order_.Priority(*incumbent_, 0)) break;
      Id id;
      open_.Pop(&id, 1);
      if (nodes_.Closed(id) || nodes_.G(id) != g) continue;
      Cost bound = order_.LowerBound(priority, 0);
      bound = std::min({bound, least_aside_f_, least_cut_f_, Better()});
      runner.RaiseLowerBound(bound);
      Cost h = order_.H(priority, g);
      if (h < 0 && (h = Evaluate(runner, id)) < 0) return SearchEnd::kBroken;
      if (SearchEnd end = Expand(runner, events, id, g, h); end != SearchEnd::kExhausted) return end;
      max_open_ = std::max(max_open_, open_.size());
    }
    return SearchEnd::kExhausted;
  }

  SearchEnd Expand(Runner& runner, NodeEvents& events, Id id, Cost g, Cost h) {
    if (!runner.MayExpand()) {
      // Not expanded: it stays open, for the bounds.
      open_.Push(order_.Priority(g, h), -g, id);
      return SearchEnd::kStopped;
    }
    runner.CountExpanded();
    best_h_ = std::min(best_h_, h);
    nodes_.Close(id);
    if (expanded_.size() <= id) expanded_.resize(std::max<size_t>(nodes_.size(), expanded_.size() * 2));
    expanded_[id] = true;
    RecordNode(events, NodeKind::kExpanding, id, g, h);
    Load(id);
    if (SearchEnd end = expander_.Expand(runner, expander_.scratch(), nodes_.LastOp(id), g, h);
        end != SearchEnd::kExhausted) {
      return end;
    }
    for (const Child& child : expander_.children()) {
      if (SearchEnd end = Consider(runner, events, id, child); end != SearchEnd::kExhausted) return end;
    }
    RecordNode(events, NodeKind::kClosing, id, g, h);
    return SearchEnd::kExhausted;
  }

  SearchEnd Consider(Runner& runner, NodeEvents& events, Id parent, const Child& child) {
    const auto record = [&](NodeKind kind) {
      if (!events.Wants(kind)) return;
      events.Record(kind, child.state, nodes_.State(parent), child.op, child.g, child.h, nodes_.Depth(parent) + 1);
    };
    if (child.h == kInfinity) {
      record(NodeKind::kDeadEnd);
      return SearchEnd::kExhausted;
    }
    const bool too_dear = TooDear(child.g, child.f);
    if (too_dear) NoteTooDear(runner, child.f);
    if (too_dear || (task_.admissible ? child.f : child.g) >= Better()) {
      record(NodeKind::kPruned);
      return SearchEnd::kExhausted;
    }
    bool added;
    const Id id = nodes_.FindOrAdd(child.state, nodes_.Hash(child.state), parent, child.op, child.g, added);
    if (!added) {
      if (nodes_.G(id) <= child.g) {
        runner.CountDuplicate();
        record(NodeKind::kPruned);
        return SearchEnd::kExhausted;
      }
      const bool closed = nodes_.Closed(id);
      if (closed) runner.CountReopened();
      nodes_.Set(id, parent, child.op, child.g);
      record(closed ? NodeKind::kReopening : NodeKind::kUpdating);
    } else {
      record(NodeKind::kGenerating);
    }
    if (!last_round() && id < expanded_.size() && expanded_[id]) {
      aside_.push_back({id, child.g, child.h});
      least_aside_f_ = std::min(least_aside_f_, child.f);
    } else {
      open_.Push(order_.Priority(child.g, child.h), -child.g, id);
    }
    return TakeGoal(runner, events, child.state, id, child.h);
  }

  SearchEnd TakeGoal(Runner& runner, NodeEvents& events, const std::byte* state, Id id, Cost h) {
    if (problem_.is_goal(problem_.problem, state) == 0 || nodes_.G(id) >= Better()) return SearchEnd::kExhausted;
    goal_ = id;
    incumbent_ = nodes_.G(id);
    RecordNode(events, NodeKind::kGoal, id, nodes_.G(id), h);
    return runner.NewSolution() ? SearchEnd::kExhausted : SearchEnd::kBroken;
  }

  // Moves all nodes that are open or put aside to left_, and gives the lower bound that they show. False: stop.
  bool CollectOpen(Runner& runner, Cost& bound) {
    std::swap(left_, aside_);
    aside_.clear();
    least_aside_f_ = kInfinity;
    while (!open_.empty()) {
      if (!GoOn(runner)) return false;
      const Cost priority = open_.best_f();
      const Cost g = -open_.best_tie();
      Id id;
      open_.Pop(&id, 1);
      if (nodes_.Closed(id) || nodes_.G(id) != g) continue;
      Cost h = order_.H(priority, g);
      if (h < 0) h = std::max<Cost>(0, Evaluate(runner, id));
      left_.push_back({id, g, h});
    }
    std::erase_if(left_, [&](const Aside& node) {
      return nodes_.Closed(node.id) || nodes_.G(node.id) != node.g ||
             (task_.admissible ? node.g + node.h : node.g) >= Better();
    });
    bound = std::min(Better(), least_cut_f_);
    for (const Aside& node : left_) bound = std::min(bound, node.g + node.h);
    return true;
  }

  void LowerWeight(Cost bound) {
    thousandths_ = std::max(Weight::kDenominator, thousandths_ - step_);
    if (task_.admissible && incumbent_ && bound > 0) {
      // What is proven already needs no round of its own.
      const double proven = static_cast<double>(*incumbent_) / static_cast<double>(bound) * Weight::kDenominator;
      thousandths_ = std::clamp(static_cast<int64_t>(std::min(proven, 1e9)), Weight::kDenominator, thousandths_);
    }
    order_ = {Weight::OfThousandths(thousandths_)};
  }

  // Opens left_ in the new order. False: stop.
  bool OpenAll(Runner& runner) {
    std::fill(expanded_.begin(), expanded_.end(), false);
    for (const Aside& node : left_) {
      if (!GoOn(runner)) return false;
      open_.Push(order_.Priority(node.g, node.h), -node.g, node.id);
    }
    left_.clear();
    return true;
  }

  // For loops without expansions: now and then looks whether a stop was asked for.
  bool GoOn(Runner& runner) { return ++looked_at_ % kNodesBetweenLooks != 0 || !runner.StopRequested(); }

  // States of nodes are not aligned; plugins are given this copy.
  const std::byte* Load(Id id) {
    std::memcpy(expander_.scratch(), nodes_.State(id), task_.space.info().state_size);
    return expander_.scratch();
  }
  Cost Evaluate(Runner& runner, Id id) { return expander_.Evaluate(runner, Load(id)); }

  // Beyond max_cost: by f when h can be trusted, else by g.
  bool TooDear(Cost g, Cost f) const { return task_.max_cost && (task_.admissible ? f : g) > *task_.max_cost; }
  void NoteTooDear(Runner& runner, Cost f) {
    runner.NoteCostCut();
    least_cut_f_ = std::min(least_cut_f_, f);
  }

  void RecordNode(NodeEvents& events, NodeKind kind, Id id, Cost g, Cost h) {
    if (!events.Wants(kind)) return;
    const Id parent = nodes_.Parent(id);
    events.Record(kind, Load(id), parent != NodeTable::kNone ? nodes_.State(parent) : nullptr, nodes_.LastOp(id), g, h,
                  nodes_.Depth(id));
  }

  const Task& task_;
  const SpaceCalls problem_;
  int64_t thousandths_;  // of the weight
  const int64_t step_;
  ByWeightedF order_;
  Expander expander_;
  NodeTable nodes_;
  BucketOpenList<Id> open_;
  Nodes aside_;
  Nodes left_;                                            // between two rounds
  std::vector<bool, AccountedAllocator<bool>> expanded_;  // in this round, by node
  Cost least_aside_f_ = kInfinity;
  Cost least_cut_f_ = kInfinity;
  std::optional<Cost> incumbent_;
  Id goal_ = NodeTable::kNone;
  Cost best_h_ = -1;
  size_t max_open_ = 0;
  uint64_t looked_at_ = 0;
};

}  // namespace

std::unique_ptr<Algorithm> MakeAnytimeAStar(const Task& task) { return std::make_unique<AnytimeAStar>(task); }

}  // namespace astrolabe::engine
