// Weighted A* (Pohl, Artificial Intelligence 1, 1970): best first by g + w * h, w >= 1, with reopening. With an
// admissible h the solution costs at most w times the least: some open node lies on an optimal path with its optimal g,
// so the least priority is at most w times the least cost.
//
// w is exact: a fraction with a denominator up to 1000, and priorities are integers, denominator * g + numerator * h.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WEIGHTED_ASTAR_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WEIGHTED_ASTAR_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeWeightedAStar(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WEIGHTED_ASTAR_H_
