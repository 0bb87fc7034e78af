#include "daemon/engine/local/neighbourhood.h"

#include "daemon/engine/local/factored.h"

namespace astrolabe::engine {

std::unique_ptr<Neighbourhood> MakeNeighbourhood(const Task& task, Runner& runner) {
  if (task.space.Factored()) return MakeFactoredNeighbourhood(task, runner);
  return MakeOperatorNeighbourhood(task, runner);
}

}  // namespace astrolabe::engine
