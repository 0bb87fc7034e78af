// The parts of a Result in words that are local search's: a state and an objective instead of a path and its cost.
#ifndef ASTROLABE_CLIENT_CLI_LOCAL_TEXT_H_
#define ASTROLABE_CLIENT_CLI_LOCAL_TEXT_H_

#include <string>

#include "astrolabe/client/result.h"

namespace astrolabe::cli {

// It is the Result of a local search that came as far as a state.
bool IsLocal(const client::Result& result);

// "conflicts 0". Precondition IsLocal.
std::string ObjectiveText(const client::Result& result);

// "conflicts 0" and the state, drawn as the problem draws it when it is small. Precondition IsLocal.
std::string LocalState(const client::Result& result);

// "3 climbs (1 solved, 2 stuck), 12 steps (2 sideways)". Precondition statistics.local.
std::string ClimbsWords(const client::LocalStatistics& climbs);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_LOCAL_TEXT_H_
