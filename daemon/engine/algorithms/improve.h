// A constructed solution, shortened: windows that move along the path are replaced by cheapest ways between their ends
// (Ratner and Pohl, "Joint and LPA*: combination of approximation and search", AAAI 1986).
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_IMPROVE_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_IMPROVE_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeImprove(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_IMPROVE_H_
