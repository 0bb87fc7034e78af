// The engine's own depth-first loop when nothing is wanted of it but the solution and the counts: no events, no check
// for states met before, no limits on counts, the order of the operators, a heuristic that evaluates operators. Visits
// and counts what GenericSearch does, in the same order, in three quarters of the time.
//
// Children are counted when their parent is expanded, and those that were not reached are taken off in the end. Frames
// know their neighbours. Children below the bound are told apart by branches: picking them without was slower, since
// then nothing of the next node can be begun before all of this one is known.
//
// Meter: who counts and stops: Credit() gives how many nodes may be expanded before it is asked again, 0 to stop;
// Count(expanded, generated) adds, modulo 2^64; Break as Runner's.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_LEAN_SEARCH_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_LEAN_SEARCH_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "daemon/engine/algorithms/child_value.h"
#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/structures/frame_stack.h"

namespace astrolabe::engine {

template <class Meter>
class LeanSearch {
 public:
  // Whether it visits all that GenericSearch would, with this heuristic.
  static bool Fits(const Evaluator& evaluator) { return evaluator.calls().eval_ops != nullptr; }

  // `evaluator` is one of the task's. Precondition: Fits(evaluator), !ChecksDuplicates(task).
  LeanSearch(const Task& task, const Evaluator& evaluator)
      : problem_(task.space.calls()),
        heuristic_(evaluator.calls()),
        info_(task.space.info()),
        aux_size_(evaluator.info().aux_size),
        least_cost_(info_.zero_costs ? 0 : 1),
        stack_(info_, aux_size_, {}, task.memory) {}

  // Throws std::bad_alloc; what was visited is counted then, too.
  IterationResult Run(Meter& meter, const Root& root, Cost bound) {
    IterationResult result;
    first_ = last_ = &stack_.At(0);
    first_->state = root.state;
    first_->aux = root.aux;
    first_->g = root.g;
    first_->h = root.h;
    first_->op = root.op;
    next_bound_ = kInfinity;
    Tally tally(meter);
    try {
      result.end = info_.unit_cost ? Search<true>(meter, tally, bound) : Search<false>(meter, tally, bound);
    } catch (...) {
      tally.generated -= NotReached();
      throw;
    }
    tally.generated -= NotReached();
    result.next_bound = next_bound_;
    return result;
  }

  // After kSolved: appends the operators from the root of Run; the cost is that from the initial state.
  void TakeSolution(Solution& solution) {
    for (const Frame* node = first_; node != last_;) {
      node = node->below;
      solution.path.push_back(node->op);
    }
    solution.cost = last_->g;
  }
  Cost best_h() const { return best_h_ == kInfinity ? -1 : best_h_; }

 private:
  // Counts in registers; told when the meter is asked, and in the end, however it comes.
  struct Tally {
    explicit Tally(Meter& m) : meter(m) {}
    Tally(const Tally&) = delete;
    Tally& operator=(const Tally&) = delete;
    ~Tally() { Tell(); }
    void Tell() {
      meter.Count(expanded, generated);
      expanded = generated = 0;
    }

    Meter& meter;
    uint64_t expanded = 0;
    uint64_t generated = 0;
  };

  template <bool kUnitCost>
  SearchEnd Search(Meter& meter, Tally& tally, Cost bound) {
    const SpaceCalls problem = problem_;
    const EvaluatorCalls heuristic = heuristic_;
    const uint32_t max_ops = info_.max_ops;
    const Cost least_cost = least_cost_;
    const Cost unit = info_.cost_scale;
    const auto cost_of = [unit](const Frame& node, uint32_t i) { return kUnitCost ? unit : node.costs[i]; };
    Frame* node = first_;
    uint64_t credit = 0;
    for (;;) {
      node->next = node->count = 0;
      last_ = node;
      if (node->h < best_h_) best_h_ = node->h;
      if (problem.is_goal(problem.problem, node->state) != 0) return SearchEnd::kSolved;
      if (credit == 0) [[unlikely]] {
        tally.Tell();
        credit = meter.Credit();
        if (credit == 0) return SearchEnd::kStopped;
      }
      --credit;
      ++tally.expanded;
      Cost* const costs = kUnitCost ? nullptr : node->costs;
      const uint32_t n = problem.ops(problem.problem, node->state, node->op, node->ops, costs);
      if (n > max_ops) [[unlikely]]
        return meter.Break("a state has more operators than the problem's max_ops");
      if (n > 0) [[likely]] {
        heuristic.eval_ops(heuristic.context, node->state, node->h, node->aux, node->ops, n, node->hs, node->child_aux);
        tally.generated += n;
        node->count = n;
      }
      ChildValue value;
      for (;;) {
        uint32_t i = node->next;
        for (const uint32_t count = node->count; i < count; ++i) {
          value = JudgeChild(node->g, cost_of(*node, i), node->hs[i], least_cost, bound);
          if (value.fate == ChildFate::kEnter) break;
          if (value.fate == ChildFate::kBroken) [[unlikely]] {
            node->next = i + 1;
            return meter.Break(WhyBroken(cost_of(*node, i), node->hs[i], least_cost));
          }
          if (value.fate == ChildFate::kCut && value.f < next_bound_) next_bound_ = value.f;
        }
        if (i < node->count) {
          node->next = i + 1;
          break;
        }
        node->next = i;
        if (node == first_) return SearchEnd::kExhausted;
        node = node->above;
      }
      const uint32_t i = node->next - 1;
      if (node->below == nullptr) [[unlikely]]
        stack_.Grow();
      Frame* const child = node->below;
      problem.apply(problem.problem, node->state, node->ops[i], child->own_state);
      child->state = child->own_state;
      child->aux = node->child_aux + i * aux_size_;
      child->g = value.g;
      child->h = node->hs[i];
      child->op = node->ops[i];
      node = child;
    }
  }

  // Children that were counted but come after the end: of the frames down to the deepest node entered last, those not
  // looked at. Frames that were left behind have looked at all of theirs.
  uint64_t NotReached() const {
    uint64_t count = last_->count - last_->next;
    for (const Frame* node = first_; node != last_; node = node->below) count += node->count - node->next;
    return count;
  }

  const SpaceCalls problem_;
  const EvaluatorCalls heuristic_;
  const SpaceInfo info_;
  const size_t aux_size_;
  const Cost least_cost_;
  FrameStack stack_;
  Frame* first_ = nullptr;
  Frame* last_ = nullptr;  // the node entered last
  Cost next_bound_ = kInfinity;
  Cost best_h_ = kInfinity;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_LEAN_SEARCH_H_
