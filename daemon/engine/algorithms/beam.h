// Beam search (Lowerre, 1976), made complete by doubling its width.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BEAM_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BEAM_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeBeam(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_BEAM_H_
