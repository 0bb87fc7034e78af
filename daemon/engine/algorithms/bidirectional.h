// Bidirectional heuristic search, front to end: near-optimal bidirectional search (Chen, Holte, Zilles and Sturtevant,
// 2017).
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

// Precondition: task.reversed.
std::unique_ptr<Algorithm> MakeBidirectional(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BIDIRECTIONAL_H_
