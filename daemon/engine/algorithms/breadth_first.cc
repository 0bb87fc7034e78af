#include "daemon/engine/algorithms/breadth_first.h"

#include "daemon/engine/algorithms/best_first_search.h"
#include "daemon/engine/algorithms/uniform_cost.h"

namespace astrolabe::engine {
namespace {

// For operators whose costs differ: with unit costs the cheapest path has the fewest.
struct ByDepth {
  static constexpr bool kUsesH = false;
  static constexpr bool kUnitSteps = true;
  static constexpr bool kMonotone = true;

  Cost Priority(Cost depth, Cost) const { return depth; }
  Cost H(Cost, Cost) const { return 0; }
  Cost LowerBound(Cost, Cost) const { return 0; }
  Guarantee guarantee() const { return {.kind = Guarantee::kNothing, .needs_admissible = false}; }
};

}  // namespace

std::unique_ptr<Algorithm> MakeBreadthFirst(const Task& task) {
  if (task.space.info().unit_cost) return MakeUniformCost(task);
  return std::make_unique<BestFirstSearch<ByDepth>>(task, ByDepth(), Ties::kLowG);
}

}  // namespace astrolabe::engine
