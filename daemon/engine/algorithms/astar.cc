#include "daemon/engine/algorithms/astar.h"

#include "daemon/engine/algorithms/best_first_search.h"

namespace astrolabe::engine {
namespace {

struct ByF {
  static constexpr bool kUsesH = true;
  static constexpr bool kUnitSteps = false;
  static constexpr bool kMonotone = true;

  Cost Priority(Cost g, Cost h) const { return g + h; }
  Cost H(Cost f, Cost g) const { return f - g; }
  Cost LowerBound(Cost f, Cost) const { return f; }
  Guarantee guarantee() const { return {}; }
};

}  // namespace

std::unique_ptr<Algorithm> MakeAStar(const Task& task) {
  return std::make_unique<BestFirstSearch<ByF>>(task, ByF(), TiesOf(task));
}

}  // namespace astrolabe::engine
