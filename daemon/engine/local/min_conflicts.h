// Min-conflicts: see descriptions.cc for what it does, algorithm.h for the contract.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_MIN_CONFLICTS_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_MIN_CONFLICTS_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

// Precondition: task.space.Factored().
std::unique_ptr<Algorithm> MakeMinConflicts(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_MIN_CONFLICTS_H_
