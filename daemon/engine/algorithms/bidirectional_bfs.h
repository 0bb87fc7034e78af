// Breadth-first search from both ends (Pohl, 1971).
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_BFS_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_BFS_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

// Precondition: task.reversed.
std::unique_ptr<Algorithm> MakeBidirectionalBfs(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_BFS_H_
