// Simulated annealing: see descriptions.cc for what it does, algorithm.h for the contract.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_ANNEALING_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_ANNEALING_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeAnnealing(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_ANNEALING_H_
