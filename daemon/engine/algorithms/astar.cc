#include "daemon/engine/algorithms/astar.h"

#include <algorithm>
#include <string>

#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/best_first.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

BestFirstNeeds Needs(const Task& task) {
  return {.ties = task.params.Get<std::string>("ties") == "low_g" ? Ties::kLowG : Ties::kHighG,
          .depths = task.sink != nullptr};
}

class AStar final : public Algorithm {
 public:
  explicit AStar(const Task& task)
      : task_(task),
        info_(task.space.info()),
        problem_(task.space.calls()),
        heuristic_(task.evaluator.calls()),
        aux_size_(task.evaluator.info().aux_size),
        least_cost_(info_.zero_costs ? 0 : 1),
        nodes_(MakeBestFirstNodes(task.space, Needs(task), task.memory)),
        parents_(MakeParentBatch(info_, task.memory)),
        children_(MakeChildBatch(info_, parents_, task.memory)),
        aux_(task.memory, (info_.max_ops + kSpareOps + 1) * RoundUp(aux_size_, 8)),
        scratch_(task.memory, parents_.stride) {}

  SearchEnd Search(Runner& runner) override {
    NodeEvents events(task_.space, task_.sink, runner);
    task_.space.InitialState(scratch_.data());
    const Cost h = heuristic_.eval(heuristic_.context, scratch_.data());
    if (h < 0) return runner.Break("the heuristic gave a negative h for the initial state");
    runner.SetInitialH(h);
    events.Record(NodeKind::kSource, scratch_.data(), nullptr, kNoOp, 0, h, 0);
    if (h == kInfinity) return SearchEnd::kExhausted;
    if (TooDear(0, h)) {
      NoteTooDear(runner, h);
      return SearchEnd::kExhausted;
    }
    nodes_->AddRoot(scratch_.data(), h);
    while (nodes_->Pop(parents_) > 0) {
      runner.RaiseLowerBound(parents_.f);
      if (SearchEnd end = ExpandBatch(runner, events); end != SearchEnd::kExhausted) return end;
      max_open_ = std::max(max_open_, nodes_->open());
    }
    if (runner.cost_cut()) runner.RaiseLowerBound(least_cut_f_);
    return SearchEnd::kExhausted;
  }

  bool Extract(Runner& runner, Solution& solution) override {
    solution.cost = parents_.g;
    // A cheaper way to a node of the path may be known but not carried on to the goal.
    solution.may_be_cheaper = !task_.admissible;
    if (nodes_->Path(parents_, goal_, solution.path)) return true;
    runner.Break("the inverse operators of an undirected problem do not lead back to its initial state");
    return false;
  }

  Gauges Observe() const override {
    return {.open = static_cast<int64_t>(nodes_->open()),
            .max_open = static_cast<int64_t>(max_open_),
            .stored = static_cast<int64_t>(nodes_->stored()),
            .best_h = best_h_};
  }

 private:
  SearchEnd ExpandBatch(Runner& runner, NodeEvents& events) {
    children_.count = 0;
    const Cost h = parents_.f - parents_.g;
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
    const uint32_t n = problem_.expand(problem_.problem, state, parents_.op[i], c.op + first, c.cost + first,
                                       c.State(first), c.stride);
    if (n > info_.max_ops) return runner.Break("a state has more operators than the problem's max_ops");
    if (n == 0) return SearchEnd::kExhausted;
    if (n > runner.GenerationsLeft()) {
      runner.CountGenerated(runner.GenerationsLeft());
      runner.MayGenerate();
      return SearchEnd::kStopped;
    }
    runner.CountGenerated(n);
    EvaluateChildren(state, h, first, n);
    for (uint32_t k = first; k < first + n; ++k) {
      if (c.h[k] < 0) return runner.Break("the heuristic gave a negative h: " + std::to_string(c.h[k]));
      if (c.cost[k] < least_cost_) {
        return runner.Break("an operator costs " + std::to_string(c.cost[k]) + ", the problem promised at least " +
                            std::to_string(least_cost_));
      }
      c.parent[k] = static_cast<uint8_t>(i);
      c.verdict[k] = Verdict::kNew;
      const bool overflow =
          __builtin_add_overflow(parents_.g, c.cost[k], &c.g[k]) | __builtin_add_overflow(c.g[k], c.h[k], &c.f[k]);
      if (c.h[k] == kInfinity) {
        c.verdict[k] = Verdict::kDeadEnd;
      } else if (overflow || c.f[k] == kInfinity) {
        return runner.Break("the costs of a path add up to more than 2^63 - 2");
      } else if (TooDear(c.g[k], c.f[k])) {
        c.verdict[k] = Verdict::kTooDear;
        NoteTooDear(runner, c.f[k]);
      }
    }
    c.count = first + n;
    return SearchEnd::kExhausted;
  }

  void EvaluateChildren(const std::byte* state, Cost h, uint32_t first, uint32_t n) {
    ChildBatch& c = children_;
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

  void Commit(Runner& runner, uint32_t first) {
    nodes_->Commit(parents_, children_, first);
    for (uint32_t k = first; k < children_.count; ++k) {
      if (children_.verdict[k] == Verdict::kDuplicate) runner.CountDuplicate();
      if (children_.verdict[k] == Verdict::kReopened) runner.CountReopened();
    }
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
    events.Record(kind, parents_.State(i), parent, parents_.op[i], parents_.g, parents_.f - parents_.g,
                  nodes_->Depth(parents_, i));
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

  const Task& task_;
  const SpaceInfo info_;
  const SpaceCalls problem_;
  const EvaluatorCalls heuristic_;
  const size_t aux_size_;
  const Cost least_cost_;
  std::unique_ptr<BestFirstNodes> nodes_;
  ParentBatch parents_;
  ChildBatch children_;
  Block aux_;
  Block scratch_;
  Cost best_h_ = -1;
  Cost least_cut_f_ = kInfinity;
  size_t max_open_ = 0;
  uint32_t goal_ = 0;
};

}  // namespace

std::unique_ptr<Algorithm> MakeAStar(const Task& task) { return std::make_unique<AStar>(task); }

}  // namespace astrolabe::engine
