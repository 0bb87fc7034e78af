// How a search that found no path of its own is told: the outcome and its words.
#ifndef ASTROLABE_DAEMON_ENGINE_RESULT_TEXT_H_
#define ASTROLABE_DAEMON_ENGINE_RESULT_TEXT_H_

#include <string>

#include "daemon/engine/domain.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/search.h"

namespace astrolabe::engine {

// In the problem's own units.
std::string CostText(Cost cost, const StateSpace& space);

// A plugin broke its contract.
void SetBroken(SearchResult& result, const std::string& what);
// The runner stopped it. What was found before, a path or a state, keeps its words.
void SetStopped(SearchResult& result, StopReason reason, const SearchLimits& limits);
void SetOutOfMemory(SearchResult& result);
// A limit ended a search before it had found anything, and the problem can construct a solution: says so.
void AdviseConstruction(SearchResult& result, const SpaceInfo& info);
// The algorithm cannot solve this instance.
void SetRefused(SearchResult& result, const std::string& algorithm, const std::string& why);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_RESULT_TEXT_H_
