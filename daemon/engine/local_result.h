// The result of a local search: a state instead of a path.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_RESULT_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_RESULT_H_

#include <string>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/search.h"

namespace astrolabe::engine {

// Fills in the best state, its objective, which is computed anew from the state alone, the statistics and, as if the
// search had ended by itself, outcome and explanation. A solution is tested for a goal anew as well. Where the problem
// has no goal test and no target was given, every state is a solution, and its objective the cost. Returns what
// contract a plugin broke; empty: none. Throws std::bad_alloc.
std::string ReportLocal(const SearchRequest& request, const Evaluator& objective, LocalAnswer answer,
                        SearchResult& result);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_RESULT_H_
