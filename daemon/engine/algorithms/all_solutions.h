// Counts solutions: see registry.cc for what it does, algorithm.h for the contract.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ALL_SOLUTIONS_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ALL_SOLUTIONS_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeAllSolutions(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ALL_SOLUTIONS_H_
