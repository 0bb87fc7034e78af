// The algorithms of this engine: one row each. To add one: a file beside this one and a row in the .cc.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_REGISTRY_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_REGISTRY_H_

#include <memory>
#include <string_view>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

// Index into Algorithms(), or -1.
int FindAlgorithm(std::string_view id);
// The task outlives the algorithm.
std::unique_ptr<Algorithm> MakeAlgorithm(int index, const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_REGISTRY_H_
