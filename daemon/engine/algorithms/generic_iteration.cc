#include <cstring>
#include <string>

#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/frame_stack.h"
#include "daemon/engine/structures/path_set.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {
namespace {

// The loop has instances with and without events: carrying what events need costs a fifth even unused.
template <bool kEvents, bool kCycles>
class GenericIteration final : public IterationEngine {
 public:
  explicit GenericIteration(const Task& task)
      : task_(task),
        problem_(task.space.calls()),
        heuristic_(task.evaluator.calls()),
        info_(task.space.info()),
        aux_size_(task.evaluator.info().aux_size),
        build_first_(heuristic_.eval_ops == nullptr),
        least_cost_(info_.zero_costs ? 0 : 1),
        stack_(info_, aux_size_, build_first_, task.memory),
        on_path_(task.memory) {}

  IterationResult Run(Runner& runner, const Root& root, Cost bound) override {
    NodeEvents events(task_.space, task_.sink, runner);
    IterationResult result;
    result.end = Search(runner, events, root, bound, result.next_bound);
    return result;
  }

  void TakeSolution(Solution& solution) override {
    for (size_t depth = 1; depth <= depth_; ++depth) solution.path.push_back(stack_.At(depth).op);
    solution.cost = stack_.At(depth_).g;
  }
  Cost best_h() const override { return best_h_; }
  Tier tier() const override { return Tier::kGeneric; }

 private:
  SearchEnd Search(Runner& runner, NodeEvents& events, const Root& root, Cost bound, Cost& next_bound) {
    depth_ = 0;
    Frame* node = &stack_.At(0);
    node->state = root.state;
    node->aux = root.aux;
    node->g = 0;
    node->h = root.h;
    node->op = kNoOp;
    if constexpr (kCycles) {
      on_path_.Clear();
      node->hash = HashBytes(root.state, info_.state_size);
      on_path_.Push(node->hash, 0);
    }
    if (SearchEnd end = Enter(runner, events, *node); end != SearchEnd::kExhausted) return end;
    for (;;) {
      if (node->next == node->count) {
        if (!Leave(events, *node)) return SearchEnd::kExhausted;
        node = &stack_.At(depth_);
        continue;
      }
      if (!runner.MayGenerate()) return SearchEnd::kStopped;
      runner.CountGenerated();
      const uint32_t i = node->next++;
      const Cost h = node->hs[i];
      const Cost cost = info_.unit_cost ? info_.cost_scale : node->costs[i];
      Cost g;
      Cost f;
      if (h < 0 || cost < least_cost_) return BreakValue(runner, h, cost);
      const bool overflow = __builtin_add_overflow(node->g, cost, &g) | __builtin_add_overflow(g, h, &f);
      if (h == kInfinity) {
        if constexpr (kEvents) RecordCut(events, NodeKind::kDeadEnd, *node, i, g, h);
        continue;
      }
      if (overflow || f == kInfinity) return runner.Break("the costs of a path add up to more than 2^63 - 2");
      if (f > bound) {
        if (f < next_bound) next_bound = f;
        if constexpr (kEvents) RecordCut(events, NodeKind::kPruned, *node, i, g, h);
        continue;
      }
      Frame& child = stack_.At(depth_ + 1);
      child.state = Build(*node, i, child.own_state);
      if constexpr (kCycles) {
        if (!CheckChild(runner, child, g)) {
          if constexpr (kEvents) Record(events, NodeKind::kPruned, child.state, node, node->ops[i], g, h, 1);
          continue;
        }
      }
      child.aux = node->child_aux + i * aux_size_;
      child.g = g;
      child.h = h;
      child.op = node->ops[i];
      ++depth_;
      if constexpr (kEvents) Record(events, NodeKind::kGenerating, child.state, node, child.op, g, h, 0);
      if (SearchEnd end = Enter(runner, events, child); end != SearchEnd::kExhausted) return end;
      node = &child;
    }
  }

  // Tests for the goal, then expands. kExhausted: go on.
  SearchEnd Enter(Runner& runner, NodeEvents& events, Frame& node) {
    if (node.h < best_h_ || best_h_ < 0) best_h_ = node.h;
    if (problem_.is_goal(problem_.problem, node.state) != 0) {
      if constexpr (kEvents) Record(events, NodeKind::kGoal, node.state, Parent(), node.op, node.g, node.h, 0);
      return SearchEnd::kSolved;
    }
    if (!runner.MayExpand()) return SearchEnd::kStopped;
    runner.CountExpanded();
    if constexpr (kEvents) Record(events, NodeKind::kExpanding, node.state, Parent(), node.op, node.g, node.h, 0);
    Cost* costs = info_.unit_cost ? nullptr : node.costs;
    if (build_first_) {
      node.count = problem_.expand(problem_.problem, node.state, node.op, node.ops, node.costs, node.child_states,
                                   stack_.state_stride());
    } else {
      node.count = problem_.ops(problem_.problem, node.state, node.op, node.ops, costs);
    }
    node.next = 0;
    if (node.count > info_.max_ops) return runner.Break("a state has more operators than the problem's max_ops");
    if (node.count == 0) return SearchEnd::kExhausted;
    if (build_first_) {
      heuristic_.eval_batch(heuristic_.context, node.count, node.child_states, stack_.state_stride(), node.hs);
    } else {
      heuristic_.eval_ops(heuristic_.context, node.state, node.h, node.aux, node.ops, node.count, node.hs,
                          node.child_aux);
    }
    return SearchEnd::kExhausted;
  }

  // Back to the parent; false at the root.
  bool Leave(NodeEvents& events, Frame& node) {
    if constexpr (kEvents) Record(events, NodeKind::kClosing, node.state, Parent(), node.op, node.g, node.h, 0);
    if constexpr (kCycles) on_path_.Pop(node.hash, depth_);
    if (depth_ == 0) return false;
    --depth_;
    return true;
  }

  const void* Build(const Frame& node, uint32_t i, std::byte* room) const {
    if (build_first_) return node.child_states + i * stack_.state_stride();
    problem_.apply(problem_.problem, node.state, node.ops[i], room);
    return room;
  }

  // False: too dear, or on the path already. Else it is put on the path.
  bool CheckChild(Runner& runner, Frame& child, Cost g) {
    if (task_.max_cost && g > *task_.max_cost) {
      runner.NoteCostCut();
      return false;
    }
    child.hash = HashBytes(child.state, info_.state_size);
    const bool cycle = on_path_.Contains(child.hash, [&](uint64_t depth) {
      return std::memcmp(stack_.At(depth).state, child.state, info_.state_size) == 0;
    });
    if (!cycle) on_path_.Push(child.hash, depth_ + 1);
    return !cycle;
  }

  SearchEnd BreakValue(Runner& runner, Cost h, Cost cost) const {
    if (h < 0) return runner.Break("the heuristic gave a negative h: " + std::to_string(h));
    return runner.Break("an operator costs " + std::to_string(cost) + ", the problem promised at least " +
                        std::to_string(least_cost_));
  }

  const Frame* Parent() { return depth_ > 0 ? &stack_.At(depth_ - 1) : nullptr; }
  void Record(NodeEvents& events, NodeKind kind, const void* state, const Frame* parent, Op op, Cost g, Cost h,
              int64_t below) {
    events.Record(kind, state, parent != nullptr ? parent->state : nullptr, op, g, h,
                  static_cast<int64_t>(depth_) + below);
  }
  // A child that is not entered is built all the same: the event has its state.
  void RecordCut(NodeEvents& events, NodeKind kind, Frame& node, uint32_t i, Cost g, Cost h) {
    if (!events.Wants(kind)) return;
    Record(events, kind, Build(node, i, stack_.At(depth_ + 1).own_state), &node, node.ops[i], g, h, 1);
  }

  const Task& task_;
  const SpaceCalls problem_;
  const EvaluatorCalls heuristic_;
  const SpaceInfo info_;
  const size_t aux_size_;
  const bool build_first_;
  const Cost least_cost_;
  FrameStack stack_;
  PathSet on_path_;
  size_t depth_ = 0;
  Cost best_h_ = -1;
};

}  // namespace

std::unique_ptr<IterationEngine> MakeGenericIteration(const Task& task) {
  const bool events = task.sink != nullptr;
  // Without a promise of solvability, or with free operators, a path could go round for ever.
  const bool cycles =
      task.solvable != Solvable::kYes || task.space.info().zero_costs || (task.max_cost && !task.admissible);
  if (events && cycles) return std::make_unique<GenericIteration<true, true>>(task);
  if (events) return std::make_unique<GenericIteration<true, false>>(task);
  if (cycles) return std::make_unique<GenericIteration<false, true>>(task);
  return std::make_unique<GenericIteration<false, false>>(task);
}

}  // namespace astrolabe::engine
