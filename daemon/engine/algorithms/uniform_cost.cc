#include "daemon/engine/algorithms/uniform_cost.h"

#include "daemon/engine/algorithms/best_first_search.h"

namespace astrolabe::engine {
namespace {

struct ByG {
  static constexpr bool kUsesH = false;
  static constexpr bool kUnitSteps = false;
  static constexpr bool kMonotone = true;

  Cost Priority(Cost g, Cost) const { return g; }
  Cost H(Cost, Cost) const { return 0; }
  Cost LowerBound(Cost priority, Cost) const { return priority; }
  Guarantee guarantee() const { return {.needs_admissible = false}; }
};

}  // namespace

std::unique_ptr<Algorithm> MakeUniformCost(const Task& task) {
  return std::make_unique<BestFirstSearch<ByG>>(task, ByG(), Ties::kLowG);
}

}  // namespace astrolabe::engine
