// A* (Hart, Nilsson and Raphael, IEEE Transactions on Systems Science and Cybernetics 4, 1968) with
// reopening.
//
// A node is tested for the goal when it is popped for expansion; the goal itself is not expanded. Nodes
// are popped in batches of one bucket (equal f and g): their children cannot improve one another's
// parents, so but for the order among ties it is A* node by node. Batches never depend on clocks or
// limits: counts are the same in every run.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ASTAR_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ASTAR_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeAStar(const Task& task);
// For algorithms that are A* in some cases: reads the parameter `ties` alone.
std::unique_ptr<Algorithm> MakePlainAStar(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ASTAR_H_
