// Local beam search: see descriptions.cc for what it does, algorithm.h for the contract.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_LOCAL_BEAM_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_LOCAL_BEAM_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeLocalBeam(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_LOCAL_BEAM_H_
