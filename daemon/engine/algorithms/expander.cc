#include "daemon/engine/algorithms/expander.h"

#include <algorithm>
#include <string>

#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

Expander::Expander(const StateSpace& space, const Evaluator* evaluator, MemoryAccount& memory)
    : info_(space.info()),
      problem_(space.calls()),
      heuristic_(evaluator != nullptr ? evaluator->calls() : EvaluatorCalls{},
                 evaluator != nullptr ? evaluator->info().aux_size : 0, size_t{info_.max_ops} + kSpareOps, memory),
      uses_h_(evaluator != nullptr),
      stride_(StateStride(info_)),
      least_cost_(info_.zero_costs ? 0 : 1),
      states_(memory, (size_t{info_.max_ops} + kSpareOps) * stride_),
      scratch_(memory, stride_),
      ops_(info_.max_ops + kSpareOps),
      costs_(info_.max_ops + kSpareOps),
      hs_(info_.max_ops + kSpareOps) {}

Cost Expander::Evaluate(Runner& runner, const std::byte* state) const {
  if (!uses_h_) return 0;
  const Cost h = heuristic_.Of(state);
  if (h < 0) runner.Break("the heuristic gave a negative h: " + std::to_string(h));
  return h;
}

SearchEnd Expander::Expand(Runner& runner, const std::byte* state, Op last_op, Cost g, Cost h) {
  children_.clear();
  const uint32_t n =
      problem_.expand(problem_.problem, state, last_op, ops_.data(), costs_.data(), states_.data(), stride_);
  if (n > info_.max_ops) return runner.Break("a state has more operators than the problem's max_ops");
  if (n == 0) return SearchEnd::kExhausted;
  if (n > runner.GenerationsLeft()) {
    runner.CountGenerated(runner.GenerationsLeft());
    runner.MayGenerate();
    return SearchEnd::kStopped;
  }
  runner.CountGenerated(n);
  if (uses_h_) {
    heuristic_.Evaluate(state, h, ops_.data(), n, states_.data(), stride_, hs_.data());
  } else {
    std::fill_n(hs_.begin(), n, Cost{0});
  }
  for (uint32_t i = 0; i < n; ++i) {
    Child child{ops_[i], costs_[i], 0, hs_[i], kInfinity, states_.data() + i * stride_};
    if (child.h < 0) return runner.Break("the heuristic gave a negative h: " + std::to_string(child.h));
    if (child.cost < least_cost_) {
      return runner.Break("an operator costs " + std::to_string(child.cost) + ", the problem promised at least " +
                          std::to_string(least_cost_));
    }
    bool overflow = __builtin_add_overflow(g, child.cost, &child.g);
    if (child.h != kInfinity) {
      overflow = overflow || __builtin_add_overflow(child.g, child.h, &child.f) || child.f == kInfinity;
      if (overflow) return runner.Break(kCostsTooLarge);
    }
    children_.push_back(child);
  }
  return SearchEnd::kExhausted;
}

}  // namespace astrolabe::engine
