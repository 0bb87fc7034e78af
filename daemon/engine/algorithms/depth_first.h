// Depth-first iterative deepening (Korf, Artificial Intelligence 27, 1985): depth first under a bound on g that rises
// to the least cost that was cut, so with unit costs the depth grows by one. Optimal; needs memory for one path. No
// heuristic is asked.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_DEPTH_FIRST_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_DEPTH_FIRST_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeDepthFirst(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_DEPTH_FIRST_H_
