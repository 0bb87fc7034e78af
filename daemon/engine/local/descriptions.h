// The rows of local search in the catalogue.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_DESCRIPTIONS_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_DESCRIPTIONS_H_

#include "daemon/engine/search.h"

namespace astrolabe::engine {

AlgorithmDescription HillClimbingDescription();
AlgorithmDescription AnnealingDescription();
AlgorithmDescription MinConflictsDescription();
AlgorithmDescription TabuDescription();
AlgorithmDescription LocalBeamDescription();

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_DESCRIPTIONS_H_
