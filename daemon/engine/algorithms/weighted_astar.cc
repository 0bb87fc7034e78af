#include "daemon/engine/algorithms/weighted_astar.h"

#include "daemon/engine/algorithms/best_first_search.h"
#include "daemon/engine/algorithms/weighted_order.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeWeightedAStar(const Task& task) {
  const ByWeightedF order{Weight::Of(task.params.Get<double>("weight"))};
  return std::make_unique<BestFirstSearch<ByWeightedF>>(task, order, TiesOf(task));
}

}  // namespace astrolabe::engine
