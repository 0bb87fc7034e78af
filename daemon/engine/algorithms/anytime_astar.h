// Anytime repairing A* (Likhachev, Gordon and Thrun, 2003).
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ANYTIME_ASTAR_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ANYTIME_ASTAR_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeAnytimeAStar(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ANYTIME_ASTAR_H_
