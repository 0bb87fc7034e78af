// The problem's own solution, without search.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CONSTRUCT_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CONSTRUCT_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeConstruct(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CONSTRUCT_H_
