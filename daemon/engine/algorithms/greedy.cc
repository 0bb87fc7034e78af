#include "daemon/engine/algorithms/greedy.h"

#include "daemon/engine/algorithms/best_first_search.h"

namespace astrolabe::engine {
namespace {

struct ByH {
  static constexpr bool kUsesH = true;
  static constexpr bool kUnitSteps = false;
  static constexpr bool kMonotone = false;

  Cost Priority(Cost, Cost h) const { return h; }
  Cost H(Cost priority, Cost) const { return priority; }
  // The order tells nothing of what is left.
  Cost LowerBound(Cost, Cost initial_h) const { return initial_h; }
  Guarantee guarantee() const { return {.kind = Guarantee::kNothing}; }
};

}  // namespace

std::unique_ptr<Algorithm> MakeGreedy(const Task& task) {
  // With max_cost a dear way to a state must not hide a cheaper one, which may lead to a goal within it.
  return std::make_unique<BestFirstSearch<ByH>>(task, ByH(), Ties::kLowG, task.max_cost.has_value());
}

}  // namespace astrolabe::engine
