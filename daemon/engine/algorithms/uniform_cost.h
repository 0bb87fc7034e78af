// Uniform-cost search (Dijkstra, Numerische Mathematik 1, 1959): best first by g. No heuristic is asked.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_UNIFORM_COST_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_UNIFORM_COST_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeUniformCost(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_UNIFORM_COST_H_
