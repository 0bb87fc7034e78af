// Recursive best-first search (Korf, 1993).
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_RBFS_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_RBFS_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeRbfs(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_RBFS_H_
