// The engine's own depth-first loop: all nodes below a root under a bound on f, over the problem's batched calls.
//
// Meter: who counts and stops: Runner, or one with the same MayExpand, MayGenerate, CountExpanded, CountGenerated and
// Break for a thread that may not touch it.
// The loop has instances: with and without events (carrying what events need costs a fifth even unused), with and
// without a check for states met before, in the order of the operators or by f.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_GENERIC_SEARCH_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_GENERIC_SEARCH_H_

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "daemon/engine/algorithms/child_value.h"
#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/events.h"
#include "daemon/engine/structures/frame_stack.h"
#include "daemon/engine/structures/path_set.h"
#include "daemon/engine/structures/state_hash.h"
#include "daemon/engine/structures/transposition_table.h"

namespace astrolabe::engine {

// Of the table that a search has which might not end without; see TranspositionTable.
inline constexpr size_t kFirstTableBytes = size_t{16} << 10;
inline constexpr size_t kMostTableBytes = size_t{256} << 20;

template <class Meter, bool kEvents, bool kDuplicates, bool kByF>
class GenericSearch {
 public:
  // `evaluator` is one of the task's. options.table_bytes: kDuplicates only; 0: a table that grows.
  GenericSearch(const Task& task, const Evaluator& evaluator, const IterationOptions& options)
      : task_(task),
        problem_(task.space.calls()),
        heuristic_(evaluator.calls()),
        info_(task.space.info()),
        aux_size_(evaluator.info().aux_size),
        build_first_(heuristic_.eval_ops == nullptr),
        least_cost_(info_.zero_costs ? 0 : 1),
        keep_cuts_(kDuplicates && ChecksDuplicates(task)),
        last_op_mask_(LastOpMask(options.parent_pruning)),
        stack_(info_, aux_size_, {.child_states = build_first_, .order = kByF}, task.memory),
        on_path_(task.memory) {
    if constexpr (kDuplicates) {
      // Half of what there is: the path needs room as well.
      const size_t most = std::min<uint64_t>(kMostTableBytes, task.memory.cap_bytes() / 2);
      const size_t asked = options.table_bytes;
      table_.emplace(info_.state_size, asked > 0 ? asked : kFirstTableBytes, asked > 0 ? asked : most, task.memory);
    }
  }

  // events: with kEvents only.
  IterationResult Run(Meter& meter, NodeEvents* events, const Root& root, Cost bound) {
    IterationResult result;
    if constexpr (kDuplicates) table_->BeginIteration();
    result.end = Search(meter, events, root, bound, result.next_bound);
    if constexpr (kDuplicates) {
      if (result.end == SearchEnd::kExhausted) result.next_bound = std::min(result.next_bound, table_->LeastCut());
    }
    return result;
  }

  // After kSolved: appends the operators from the root of Run; the cost is that from the initial state.
  void TakeSolution(Solution& solution) {
    for (size_t depth = 1; depth <= depth_; ++depth) solution.path.push_back(stack_.At(depth).op);
    solution.cost = stack_.At(depth_).g;
  }
  Cost best_h() const { return best_h_; }

 private:
  SearchEnd Search(Meter& meter, NodeEvents* events, const Root& root, Cost bound, Cost& next_bound) {
    depth_ = 0;
    Frame* node = &stack_.At(0);
    node->state = root.state;
    node->aux = root.aux;
    node->g = root.g;
    node->h = root.h;
    node->op = root.op;
    if constexpr (kDuplicates) {
      on_path_.Clear();
      node->hash = HashBytes(root.state, info_.state_size);
      on_path_.Push(node->hash, 0);
      table_->Enter(root.state, node->hash, root.g);
    }
    if (SearchEnd end = Enter(meter, events, *node); end != SearchEnd::kExhausted) return end;
    for (;;) {
      if (node->next == node->count) {
        if (!Leave(events, *node)) return SearchEnd::kExhausted;
        node = &stack_.At(depth_);
        continue;
      }
      if (!meter.MayGenerate()) return SearchEnd::kStopped;
      meter.CountGenerated();
      const uint32_t next = node->next++;
      const uint32_t i = kByF ? node->order[next] : next;
      const Cost h = node->hs[i];
      const Cost cost = OpCost(*node, i);
      const ChildValue value = JudgeChild(node->g, cost, h, least_cost_, bound);
      if (value.fate != ChildFate::kEnter) {
        if (value.fate == ChildFate::kBroken) return meter.Break(WhyBroken(cost, h, least_cost_));
        if (value.fate == ChildFate::kCut) NoteCut(*node, i, value.f, next_bound);
        if constexpr (kEvents) {
          RecordCut(*events, value.fate == ChildFate::kCut ? NodeKind::kPruned : NodeKind::kDeadEnd, *node, i, value.g,
                    h);
        }
        continue;
      }
      Frame& child = stack_.At(depth_ + 1);
      child.state = Build(*node, i, child.own_state);
      if constexpr (kDuplicates) {
        if (!CheckChild(meter, child, value.g)) {
          if constexpr (kEvents) {
            Record(*events, NodeKind::kPruned, child.state, node, node->ops[i], value.g, h, 1);
          }
          continue;
        }
      }
      child.aux = node->child_aux + i * aux_size_;
      child.g = value.g;
      child.h = h;
      child.op = node->ops[i];
      ++depth_;
      if constexpr (kEvents) Record(*events, NodeKind::kGenerating, child.state, node, child.op, value.g, h, 0);
      if (SearchEnd end = Enter(meter, events, child); end != SearchEnd::kExhausted) return end;
      node = &child;
    }
  }

  // Tests for the goal, then expands. kExhausted: go on.
  SearchEnd Enter(Meter& meter, NodeEvents* events, Frame& node) {
    if (node.h < best_h_ || best_h_ < 0) best_h_ = node.h;
    if (problem_.is_goal(problem_.problem, node.state) != 0) {
      if constexpr (kEvents) Record(*events, NodeKind::kGoal, node.state, Parent(), node.op, node.g, node.h, 0);
      return SearchEnd::kSolved;
    }
    if (!meter.MayExpand()) return SearchEnd::kStopped;
    meter.CountExpanded();
    if constexpr (kEvents) Record(*events, NodeKind::kExpanding, node.state, Parent(), node.op, node.g, node.h, 0);
    Cost* costs = info_.unit_cost ? nullptr : node.costs;
    const Op last_op = node.op | last_op_mask_;
    if (build_first_) {
      node.count = problem_.expand(problem_.problem, node.state, last_op, node.ops, node.costs, node.child_states,
                                   stack_.state_stride());
    } else {
      node.count = problem_.ops(problem_.problem, node.state, last_op, node.ops, costs);
    }
    node.next = 0;
    if (node.count > info_.max_ops) return meter.Break("a state has more operators than the problem's max_ops");
    if (node.count == 0) return SearchEnd::kExhausted;
    if (build_first_) {
      heuristic_.eval_batch(heuristic_.context, node.count, node.child_states, stack_.state_stride(), node.hs);
    } else {
      heuristic_.eval_ops(heuristic_.context, node.state, node.h, node.aux, node.ops, node.count, node.hs,
                          node.child_aux);
    }
    if constexpr (kByF) Sort(node);
    return SearchEnd::kExhausted;
  }

  // Children by f, among equals by h: nearest to a goal first, if the heuristic is right.
  void Sort(Frame& node) const {
    for (uint32_t i = 0; i < node.count; ++i) node.order[i] = i;
    std::stable_sort(node.order, node.order + node.count, [&](uint32_t a, uint32_t b) {
      const __int128 fa = static_cast<__int128>(node.hs[a]) + OpCost(node, a);
      const __int128 fb = static_cast<__int128>(node.hs[b]) + OpCost(node, b);
      return fa != fb ? fa < fb : node.hs[a] < node.hs[b];
    });
  }

  // Back to the parent; false at the root.
  bool Leave(NodeEvents* events, Frame& node) {
    if constexpr (kEvents) Record(*events, NodeKind::kClosing, node.state, Parent(), node.op, node.g, node.h, 0);
    if constexpr (kDuplicates) on_path_.Pop(node.hash, depth_);
    if (depth_ == 0) return false;
    --depth_;
    return true;
  }

  Cost OpCost(const Frame& node, uint32_t i) const { return info_.unit_cost ? info_.cost_scale : node.costs[i]; }
  const void* Build(const Frame& node, uint32_t i, std::byte* room) const {
    if (build_first_) return node.child_states + i * stack_.state_stride();
    problem_.apply(problem_.problem, node.state, node.ops[i], room);
    return room;
  }

  void NoteCut(const Frame& node, uint32_t i, Cost f, Cost& next_bound) {
    if constexpr (kDuplicates) {
      if (keep_cuts_) {
        const void* state = Build(node, i, stack_.At(depth_ + 1).own_state);
        table_->Cut(state, HashBytes(state, info_.state_size), f);
        return;
      }
    }
    if (f < next_bound) next_bound = f;
  }

  // False: too dear, or on the path already, or met before. Else it is put on the path.
  bool CheckChild(Meter& meter, Frame& child, Cost g) {
    if (task_.max_cost && g > *task_.max_cost) {
      meter.NoteCostCut();
      return false;
    }
    child.hash = HashBytes(child.state, info_.state_size);
    const bool cycle = on_path_.Contains(child.hash, [&](uint64_t depth) {
      return std::memcmp(stack_.At(depth).state, child.state, info_.state_size) == 0;
    });
    if (cycle || !table_->Enter(child.state, child.hash, g)) return false;
    on_path_.Push(child.hash, depth_ + 1);
    return true;
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
  const bool keep_cuts_;
  const Op last_op_mask_;
  FrameStack stack_;
  PathSet on_path_;
  std::optional<TranspositionTable> table_;
  size_t depth_ = 0;
  Cost best_h_ = -1;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_GENERIC_SEARCH_H_
