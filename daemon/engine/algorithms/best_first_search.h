// Best-first search over a store that keeps every state once: A* and its kin differ in the order alone.
//
// Order: struct with
//   Cost Priority(Cost g, Cost h) const;              smallest first; g + h fits into a Cost
//   Cost H(Cost priority, Cost g) const;              h again, the same for a whole bucket; 0: h is not
//                                                     used; negative: the order has lost it
//   Cost LowerBound(Cost priority, Cost h) const;     no open node, or node still to come, can lead to a cheaper goal,
//                                                     if h is admissible; h is that of the initial state
//   Guarantee guarantee() const;                      of the first goal expanded
//   static constexpr bool kUsesH;      else h is never asked for
//   static constexpr bool kUnitSteps;  g counts operators, whatever they cost
//   static constexpr bool kMonotone;   with a consistent h no child comes before its parent: several of one bucket may
//                                      be expanded before their children are looked at
//   static constexpr Pathmax kPathmax; optional: what a node and its children learn from each other's h; then f is
//                                      g + h as corrected, and H gives a negative number
//
// Problem, Heuristic: what the hot calls go through; copies of the function pointers, or, where the domain is known
// when compiled, anything that is called in the same way.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BEST_FIRST_SEARCH_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BEST_FIRST_SEARCH_H_

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/best_first.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

// Parameter "ties", of the algorithms that have it.
inline Ties TiesOf(const Task& task) {
  return task.params.Get<std::string>("ties") == "low_g" ? Ties::kLowG : Ties::kHighG;
}

// Corrections for an h that is not consistent. kDown: a child's h is at least its parent's less the operator's cost
// (Mero, 1984). kBothWays: before that, a parent's is at least each child's less the cost of the way back, where every
// operator has an inverse of equal cost (Felner and others, 2005). Neither makes an admissible h inadmissible.
enum class Pathmax { kOff, kDown, kBothWays };

template <class Order>
constexpr Pathmax PathmaxOf() {
  if constexpr (requires { Order::kPathmax; }) {
    return Order::kPathmax;
  } else {
    return Pathmax::kOff;
  }
}

template <class Order, class Problem = SpaceCalls, class Heuristic = EvaluatorCalls>
class BestFirstSearch final : public Algorithm {
 public:
  BestFirstSearch(const Task& task, const Order& order, Ties ties, bool reopen = true, bool parent_pruning = true)
      : task_(task),
        order_(order),
        info_(task.space.info()),
        problem_(task.space.calls()),
        heuristic_(task.evaluator.calls()),
        aux_size_(task.evaluator.info().aux_size),
        least_cost_(info_.zero_costs ? 0 : 1),
        last_op_mask_(LastOpMask(parent_pruning)),
        nodes_(MakeBestFirstNodes(
            task.space,
            {.ties = ties, .depths = task.sink != nullptr, .reopen = reopen, .g_is_cost = !Order::kUnitSteps},
            task.memory)),
        parents_(MakeParentBatch(info_, task.memory)),
        children_(MakeChildBatch(info_, parents_, task.memory)),
        aux_(task.memory, (info_.max_ops + kSpareOps + 1) * RoundUp(aux_size_, 8)),
        scratch_(task.memory, parents_.stride) {
    if (!Order::kMonotone) parents_.capacity = 1;
  }

  SearchEnd Search(Runner& runner) override {
    NodeEvents events(task_.space, task_.sink, runner);
    task_.space.InitialState(scratch_.data());
    const Cost h = Order::kUsesH ? heuristic_.eval(heuristic_.context, scratch_.data()) : 0;
    if (h < 0) return runner.Break("the heuristic gave a negative h for the initial state");
    initial_h_ = h;
    runner.SetInitialH(h);
    events.Record(NodeKind::kSource, scratch_.data(), nullptr, kNoOp, 0, h, 0);
    if (h == kInfinity) return SearchEnd::kExhausted;
    if (TooDear(0, h)) {
      NoteTooDear(runner, h);
      return SearchEnd::kExhausted;
    }
    nodes_->AddRoot(scratch_.data(), order_.Priority(0, h));
    while (nodes_->Pop(parents_) > 0) {
      runner.RaiseLowerBound(order_.LowerBound(parents_.f, initial_h_));
      if (SearchEnd end = ExpandBatch(runner, events); end != SearchEnd::kExhausted) return end;
      max_open_ = std::max(max_open_, nodes_->open());
    }
    if (runner.cost_cut()) runner.RaiseLowerBound(least_cut_f_);
    return SearchEnd::kExhausted;
  }

  bool Extract(Runner& runner, Solution& solution) override {
    solution.cost = parents_.g;
    // A cheaper way to a node of the path may be known but not carried on to the goal.
    solution.may_be_cheaper = !task_.admissible || !Order::kMonotone;
    if (!nodes_->Path(parents_, goal_, solution.path)) {
      runner.Break("the inverse operators of an undirected problem do not lead back to its initial state");
      return false;
    }
    if (Order::kUnitSteps) return CostOf(runner, solution);
    return true;
  }

  Guarantee guarantee() const override { return order_.guarantee(); }

  Gauges Observe() const override {
    return {.open = static_cast<int64_t>(nodes_->open()),
            .max_open = static_cast<int64_t>(max_open_),
            .stored = static_cast<int64_t>(nodes_->stored()),
            .best_h = best_h_};
  }

 private:
  SearchEnd ExpandBatch(Runner& runner, NodeEvents& events) {
    children_.count = 0;
    Cost h = order_.H(parents_.f, parents_.g);
    if (h < 0) h = heuristic_.eval(heuristic_.context, parents_.State(0));
    h_ = h;
    if (h < best_h_ || best_h_ < 0) best_h_ = h;
    for (uint32_t i = 0; i < parents_.count; ++i) {
      if (problem_.is_goal(problem_.problem, parents_.State(i)) != 0) {
        goal_ = i;
        RecordParent(events, NodeKind::kGoal, i);
        return SearchEnd::kSolved;
      }
      if (!runner.MayExpand()) return SearchEnd::kStopped;
      runner.CountExpanded();
      const uint32_t first = children_.count;
      if (events.enabled()) RecordParent(events, NodeKind::kExpanding, i);
      if (SearchEnd end = Expand(runner, i, h); end != SearchEnd::kExhausted) return end;
      nodes_->Prefetch(children_, first);
      if (!events.enabled()) continue;
      if (events.WantsChildren()) {
        // At once instead of after the batch: the same order, but events of a node stay together.
        Commit(runner, first);
        RecordChildren(events, i, first);
        children_.count = 0;
      }
      RecordParent(events, NodeKind::kClosing, i);
    }
    Commit(runner, 0);
    return SearchEnd::kExhausted;
  }

  // Appends the children of popped node i.
  SearchEnd Expand(Runner& runner, uint32_t i, Cost h) {
    ChildBatch& c = children_;
    const uint32_t first = c.count;
    const std::byte* state = parents_.State(i);
    const uint32_t n = problem_.expand(problem_.problem, state, parents_.op[i] | last_op_mask_, c.op + first,
                                       c.cost + first, c.State(first), c.stride);
    if (n > info_.max_ops) return runner.Break("a state has more operators than the problem's max_ops");
    if (n == 0) return SearchEnd::kExhausted;
    if (n > runner.GenerationsLeft()) {
      runner.CountGenerated(runner.GenerationsLeft());
      runner.MayGenerate();
      return SearchEnd::kStopped;
    }
    runner.CountGenerated(n);
    EvaluateChildren(state, h, first, n);
    if constexpr (PathmaxOf<Order>() != Pathmax::kOff) CorrectH(first, n);
    const ChildArrays a = c;
    for (uint32_t k = first; k < first + n; ++k) {
      const Cost child_h = a.h[k];
      if (child_h < 0) [[unlikely]]
        return runner.Break("the heuristic gave a negative h: " + std::to_string(child_h));
      if (a.cost[k] < least_cost_) [[unlikely]] {
        return runner.Break("an operator costs " + std::to_string(a.cost[k]) + ", the problem promised at least " +
                            std::to_string(least_cost_));
      }
      a.parent[k] = static_cast<uint8_t>(i);
      a.verdict[k] = Verdict::kNew;
      if (child_h == kInfinity) {
        a.verdict[k] = Verdict::kDeadEnd;
        continue;
      }
      const Cost step = Order::kUnitSteps ? 1 : a.cost[k];
      Cost child_g, total;
      const bool overflow =
          __builtin_add_overflow(parents_.g, step, &child_g) | __builtin_add_overflow(child_g, child_h, &total);
      if (overflow || total == kInfinity) [[unlikely]]
        return runner.Break(kTooLarge);
      a.g[k] = child_g;
      a.f[k] = order_.Priority(child_g, child_h);
      if (TooDear(child_g, total)) {
        a.verdict[k] = Verdict::kTooDear;
        NoteTooDear(runner, total);
      }
    }
    c.count = first + n;
    return SearchEnd::kExhausted;
  }

  void EvaluateChildren(const std::byte* state, Cost h, uint32_t first, uint32_t n) {
    ChildBatch& c = children_;
    if (!Order::kUsesH) {
      std::fill_n(c.h + first, n, Cost{0});
      return;
    }
    if (heuristic_.eval_ops == nullptr) {
      heuristic_.eval_batch(heuristic_.context, n, c.State(first), c.stride, c.h + first);
      return;
    }
    std::byte* parent_aux = nullptr;
    std::byte* child_aux = nullptr;
    if (aux_size_ > 0) {
      parent_aux = aux_.data();
      child_aux = aux_.data() + RoundUp(aux_size_, 8);
      heuristic_.root_aux(heuristic_.context, state, parent_aux);
    }
    heuristic_.eval_ops(heuristic_.context, state, h, parent_aux, c.op + first, n, c.h + first, child_aux);
  }

  // Pathmax, for the children of the one popped node.
  void CorrectH(uint32_t first, uint32_t n) {
    Cost* const h = children_.h + first;
    const Cost* const cost = children_.cost + first;
    Cost parent = parents_.f - parents_.g;
    const auto usable = [&](uint32_t k) { return h[k] >= 0 && h[k] != kInfinity && cost[k] >= 0; };
    if (PathmaxOf<Order>() == Pathmax::kBothWays && info_.undirected) {
      for (uint32_t k = 0; k < n; ++k) {
        if (usable(k)) parent = std::max(parent, h[k] - cost[k]);
      }
    }
    for (uint32_t k = 0; k < n; ++k) {
      if (usable(k)) h[k] = std::max(h[k], parent - cost[k]);
    }
  }

  void Commit(Runner& runner, uint32_t first) {
    nodes_->Commit(parents_, children_, first);
    const Verdict* const verdicts = children_.verdict;
    int64_t duplicates = 0;
    int64_t reopened = 0;
    for (uint32_t k = first; k < children_.count; ++k) {
      duplicates += verdicts[k] == Verdict::kDuplicate;
      reopened += verdicts[k] == Verdict::kReopened;
    }
    runner.CountDuplicate(duplicates);
    runner.CountReopened(reopened);
  }

  // The operators that were counted, by what they cost.
  bool CostOf(Runner& runner, Solution& solution) {
    solution.cost = 0;
    task_.space.InitialState(scratch_.data());
    for (const Op op : solution.path) {
      const std::optional<Cost> cost = task_.space.ApplyInPlace(scratch_.data(), op);
      if (!cost || __builtin_add_overflow(solution.cost, *cost, &solution.cost)) {
        runner.Break(cost ? kTooLarge : "an operator that was listed cannot be applied");
        return false;
      }
    }
    return true;
  }

  // Beyond max_cost: by f when h can be trusted, else by g.
  bool TooDear(Cost g, Cost f) const { return task_.max_cost && (task_.admissible ? f : g) > *task_.max_cost; }
  void NoteTooDear(Runner& runner, Cost f) {
    runner.NoteCostCut();
    least_cut_f_ = std::min(least_cut_f_, f);
  }

  void RecordParent(NodeEvents& events, NodeKind kind, uint32_t i) {
    if (!events.Wants(kind)) return;
    const void* parent = nodes_->Parent(parents_, i, scratch_.data()) ? scratch_.data() : nullptr;
    events.Record(kind, parents_.State(i), parent, parents_.op[i], parents_.g, h_, nodes_->Depth(parents_, i));
  }

  void RecordChildren(NodeEvents& events, uint32_t parent, uint32_t first) {
    static constexpr NodeKind kKinds[] = {NodeKind::kGenerating, NodeKind::kUpdating, NodeKind::kReopening,
                                          NodeKind::kPruned,     NodeKind::kDeadEnd,  NodeKind::kPruned};
    const ChildBatch& c = children_;
    const int64_t depth = nodes_->Depth(parents_, parent) + 1;
    for (uint32_t k = first; k < c.count; ++k) {
      events.Record(kKinds[static_cast<size_t>(c.verdict[k])], c.State(k), parents_.State(parent), c.op[k], c.g[k],
                    c.h[k], depth);
    }
  }

  static constexpr char kTooLarge[] = "the costs of a path add up to more than 2^63 - 2";

  const Task& task_;
  const Order order_;
  const SpaceInfo info_;
  const Problem problem_;
  const Heuristic heuristic_;
  const size_t aux_size_;
  const Cost least_cost_;
  const Op last_op_mask_;
  std::unique_ptr<BestFirstNodes> nodes_;
  ParentBatch parents_;
  ChildBatch children_;
  Block aux_;
  Block scratch_;
  Cost initial_h_ = 0;
  Cost h_ = 0;  // of the parents
  Cost best_h_ = -1;
  Cost least_cut_f_ = kInfinity;
  size_t max_open_ = 0;
  uint32_t goal_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BEST_FIRST_SEARCH_H_
