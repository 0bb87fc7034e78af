// Runs a problem's depth-first kernel as the host does, and a plain reference beside it.
#ifndef ASTROLABE_SDK_TESTING_IDA_H_
#define ASTROLABE_SDK_TESTING_IDA_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "astrolabe/sdk/ida_kernel.h"
#include "astrolabe/sdk/testing/under_test.h"

namespace astro::testing {

struct IdaIteration {
  int32_t end = 0;
  uint64_t expanded = 0;
  uint64_t generated = 0;
  int64_t next_bound = kDeadEnd;  // with ASTRO_IDA_EXHAUSTED
  int64_t path_cost = 0;          // with ASTRO_IDA_FOUND, as path
  std::vector<Op> path;
  uint32_t found_root = 0;  // with several roots
  bool used_additive = false;

  bool operator==(const IdaIteration& other) const {
    return end == other.end && expanded == other.expanded && generated == other.generated &&
           next_bound == other.next_bound && path_cost == other.path_cost && path == other.path;
  }
};

// What limits an iteration. Each poll goes on with limits grown by the steps, until the limits here.
struct IdaLimits {
  uint64_t max_expanded = UINT64_MAX;
  uint64_t max_generated = UINT64_MAX;
  uint64_t expand_step = UINT64_MAX;
  uint64_t generate_step = UINT64_MAX;
  uint32_t path_cap = 1000;
  bool any_order = false;  // ASTRO_IDA_ANY_ORDER
};

// A node below the initial state, where a kernel may begin.
struct IdaStart {
  StateBytes state;
  int64_t h = 0;
  int64_t g = 0;
  Op last_op = kNoOp;
};

// One iteration by the kernel, or the part of it below `starts`. use_table: with the additive table, if the heuristic
// has one.
inline IdaIteration RunKernel(const ProblemUnderTest& problem, const HeuristicUnderTest& heuristic, int64_t bound,
                              bool use_table, const IdaLimits& limits = {}, const std::vector<IdaStart>& starts = {}) {
  struct Control : astro_control_v1 {
    IdaLimits limits;
  } control = {};
  const auto grown = [](uint64_t value, uint64_t step, uint64_t max) {
    return std::min(max, step > UINT64_MAX - value ? UINT64_MAX : value + step);
  };
  control.limits = limits;
  control.struct_size = sizeof(astro_control_v1);
  control.expand_limit = grown(0, limits.expand_step, limits.max_expanded);
  control.generate_limit = grown(0, limits.generate_step, limits.max_generated);
  control.poll = [](astro_control_v1* self, uint64_t expanded, uint64_t generated) -> int32_t {
    auto& control = *static_cast<Control*>(self);
    const IdaLimits& limits = control.limits;
    if (expanded >= limits.max_expanded || generated >= limits.max_generated) return 0;
    const auto grow = [](uint64_t value, uint64_t step, uint64_t max) {
      return std::min(max, step > UINT64_MAX - value ? UINT64_MAX : value + step);
    };
    control.expand_limit = grow(expanded, limits.expand_step, limits.max_expanded);
    control.generate_limit = grow(generated, limits.generate_step, limits.max_generated);
    return 1;
  };

  const StateBytes root = problem.Initial();
  const std::vector<std::byte> aux = heuristic.RootAux(root);
  std::vector<Op> path(limits.path_cap);
  astro_additive_table_v1 table;
  astro_ida_v1 call = {};
  call.struct_size = sizeof(call);
  if (use_table && heuristic.Table(table))
    call.additive = ASTRO_IDA_TABLE | (limits.any_order ? ASTRO_IDA_ANY_ORDER : 0);
  call.heuristic = &heuristic.functions();
  call.context = heuristic.context();
  call.aux_size = heuristic.info().aux_size;
  call.path_cap = limits.path_cap;
  call.table = call.additive != 0 ? &table : nullptr;
  const size_t stride = internal::AlignUp(problem.info().state_size, internal::kMaxAlign);
  const internal::AlignedBytes states = internal::AllocateAligned(std::max<size_t>(1, starts.size() * stride));
  std::vector<int64_t> hs, gs;
  std::vector<Op> last_ops;
  std::vector<std::byte> auxs;
  for (const IdaStart& start : starts) {
    std::memcpy(states.get() + hs.size() * stride, start.state.get(), problem.info().state_size);
    hs.push_back(start.h);
    gs.push_back(start.g);
    last_ops.push_back(start.last_op);
    const std::vector<std::byte> start_aux = heuristic.RootAux(start.state);
    auxs.insert(auxs.end(), start_aux.begin(), start_aux.end());
  }
  if (starts.empty()) {
    call.root = root.get();
    call.root_h = heuristic.Eval(root);
    call.root_aux = aux.empty() ? nullptr : aux.data();
  } else {
    call.n_roots = static_cast<uint32_t>(starts.size());
    call.roots = states.get();
    call.root_stride = stride;
    call.root_hs = hs.data();
    call.root_gs = gs.data();
    call.root_last_ops = last_ops.data();
    call.root_auxs = auxs.empty() ? nullptr : auxs.data();
  }
  call.bound = bound;
  call.control = &control;
  call.path = path.data();
  IdaIteration result;
  result.end = problem.Kernel()->run(problem.get(), &call);
  result.expanded = call.expanded;
  result.generated = call.generated;
  result.used_additive = call.used_additive != 0;
  if (result.end == ASTRO_IDA_EXHAUSTED) result.next_bound = call.next_bound;
  if (result.end == ASTRO_IDA_FOUND) {
    result.path_cost = call.path_cost;
    result.found_root = call.found_root;
    path.resize(call.path_len);
    result.path = std::move(path);
  }
  return result;
}

// Where an iteration is cut at a depth, in depth-first order, and what is counted above.
struct IdaCut {
  struct Counts {
    uint64_t expanded = 0;
    uint64_t generated = 0;
  };
  std::vector<IdaStart> starts;
  std::vector<std::vector<Op>> ways;
  std::vector<Counts> before;  // counted above, before the start was reached
  Counts all;
  int64_t next_bound = kDeadEnd;

  IdaCut(const ProblemUnderTest& problem, const HeuristicUnderTest& heuristic, int64_t bound, size_t depth) {
    const StateBytes root = problem.Initial();
    std::vector<Op> way;
    Enter(problem, heuristic, bound, depth, IdaStart{root, heuristic.Eval(root), 0, kNoOp}, way);
  }

 private:
  void Enter(const ProblemUnderTest& problem, const HeuristicUnderTest& heuristic, int64_t bound, size_t depth,
             const IdaStart& node, std::vector<Op>& way) {
    if (way.size() == depth || problem.IsGoal(node.state)) {
      starts.push_back(node);
      ways.push_back(way);
      before.push_back(all);
      return;
    }
    ++all.expanded;
    std::vector<Op> ops(problem.info().max_ops);
    std::vector<int64_t> costs(problem.info().max_ops);
    const uint32_t count =
        problem.functions().ops(problem.get(), node.state.get(), node.last_op, ops.data(), costs.data());
    for (uint32_t i = 0; i < count; ++i) {
      ++all.generated;
      const StateBytes child = problem.Apply(node.state, ops[i]);
      const int64_t h = heuristic.Eval(child);
      if (h == kDeadEnd) continue;
      if (node.g + costs[i] + h > bound) {
        next_bound = std::min(next_bound, node.g + costs[i] + h);
        continue;
      }
      way.push_back(ops[i]);
      Enter(problem, heuristic, bound, depth, IdaStart{child, h, node.g + costs[i], ops[i]}, way);
      way.pop_back();
    }
  }
};

// The same by the definition in ida.h, written to be read: eval of each child, recursion, no shortcuts.
class ReferenceIda {
 public:
  ReferenceIda(const ProblemUnderTest& problem, const HeuristicUnderTest& heuristic, int64_t bound,
               const IdaLimits& limits = {})
      : problem_(problem), heuristic_(heuristic), bound_(bound), limits_(limits) {}

  IdaIteration Run() {
    const StateBytes root = problem_.Initial();
    const int64_t h = heuristic_.Eval(root);
    result_.end = ASTRO_IDA_EXHAUSTED;
    if (h > bound_) {
      next_bound_ = h;
    } else {
      result_.end = Enter(root, kNoOp, 0);
    }
    if (result_.end == ASTRO_IDA_EXHAUSTED) result_.next_bound = next_bound_;
    if (result_.end == ASTRO_IDA_FOUND) result_.path = path_;
    return result_;
  }

 private:
  int32_t Enter(const StateBytes& state, Op last_op, int64_t g) {
    if (problem_.IsGoal(state)) {
      result_.path_cost = g;
      return ASTRO_IDA_FOUND;
    }
    if (result_.expanded >= limits_.max_expanded) return ASTRO_IDA_STOPPED;
    ++result_.expanded;
    const astro_problem_v1& f = problem_.functions();
    std::vector<Op> ops(problem_.info().max_ops);
    std::vector<int64_t> costs(problem_.info().max_ops);
    const uint32_t count = f.ops(problem_.get(), state.get(), last_op, ops.data(), costs.data());
    for (uint32_t i = 0; i < count; ++i) {
      if (result_.generated >= limits_.max_generated) return ASTRO_IDA_STOPPED;
      ++result_.generated;
      const StateBytes child = problem_.Apply(state, ops[i]);
      const int64_t h = heuristic_.Eval(child);
      if (h == kDeadEnd) continue;
      const int64_t child_g = g + costs[i];
      if (child_g + h > bound_) {
        next_bound_ = std::min(next_bound_, child_g + h);
        continue;
      }
      if (path_.size() == limits_.path_cap) return ASTRO_IDA_TOO_DEEP;
      path_.push_back(ops[i]);
      const int32_t end = Enter(child, ops[i], child_g);
      if (end != ASTRO_IDA_EXHAUSTED) return end;
      path_.pop_back();
    }
    return ASTRO_IDA_EXHAUSTED;
  }

  const ProblemUnderTest& problem_;
  const HeuristicUnderTest& heuristic_;
  int64_t bound_;
  IdaLimits limits_;
  int64_t next_bound_ = kDeadEnd;
  std::vector<Op> path_;
  IdaIteration result_;
};

// All iterations until the goal; the sums of their counts. `runner` makes one iteration for a bound.
template <class Runner>
IdaIteration Deepen(int64_t first_bound, const Runner& runner) {
  IdaIteration total;
  int64_t bound = first_bound;
  while (true) {
    IdaIteration one = runner(bound);
    one.expanded += total.expanded;
    one.generated += total.generated;
    total = std::move(one);
    if (total.end != ASTRO_IDA_EXHAUSTED || total.next_bound == kDeadEnd) return total;
    bound = total.next_bound;
  }
}

}  // namespace astro::testing

#endif  // ASTROLABE_SDK_TESTING_IDA_H_
