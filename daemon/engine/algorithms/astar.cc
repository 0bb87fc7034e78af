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

// f never falls along a path, but h is not what the heuristic said.
template <Pathmax kCorrection>
struct ByCorrectedF : ByF {
  static constexpr bool kMonotone = false;
  static constexpr Pathmax kPathmax = kCorrection;

  Cost H(Cost, Cost) const { return -1; }
};

template <class Order>
std::unique_ptr<Algorithm> Make(const Task& task) {
  const bool parent_pruning = task.params.Get<std::string>("parent_pruning") == "on";
  return std::make_unique<BestFirstSearch<Order>>(task, Order(), TiesOf(task), true, parent_pruning);
}

}  // namespace

std::unique_ptr<Algorithm> MakeAStar(const Task& task) {
  const auto& pathmax = task.params.Get<std::string>("pathmax");
  if (pathmax == "pathmax") return Make<ByCorrectedF<Pathmax::kDown>>(task);
  if (pathmax == "bpmx") return Make<ByCorrectedF<Pathmax::kBothWays>>(task);
  return Make<ByF>(task);
}

std::unique_ptr<Algorithm> MakePlainAStar(const Task& task) {
  return std::make_unique<BestFirstSearch<ByF>>(task, ByF(), TiesOf(task));
}

}  // namespace astrolabe::engine
