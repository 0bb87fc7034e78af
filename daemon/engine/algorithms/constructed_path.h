// The path that a problem constructs, taken within the limits of a search.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CONSTRUCTED_PATH_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CONSTRUCTED_PATH_H_

#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/structures/memory_account.h"

namespace astrolabe::engine {

using AccountedPath = std::vector<Op, AccountedAllocator<Op>>;

// Appends the path to `path` and gives its cost; each operator is counted as expanded and generated. Precondition:
// task.space.HasConstruct(). kSolved: it is whole; whether it can be followed and ends in a goal is not looked at.
// Throws std::bad_alloc.
SearchEnd ConstructPath(const Task& task, Runner& runner, AccountedPath& path, Cost& cost);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CONSTRUCTED_PATH_H_
