// Breadth-first search (Moore, Proceedings of an International Symposium on the Theory of Switching, 1959): fewest
// operators, whatever they cost. No heuristic is asked.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BREADTH_FIRST_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BREADTH_FIRST_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeBreadthFirst(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BREADTH_FIRST_H_
