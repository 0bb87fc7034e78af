// Greedy best-first search (Doran and Michie, Proceedings of the Royal Society A 294, 1966): best first by h alone;
// among equals the one reached more cheaply. A state is expanded once. Finds a solution soon, of any cost.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_GREEDY_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_GREEDY_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeGreedy(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_GREEDY_H_
