// What is done with a found path before anybody hears of it: it is replayed through the problem, and
// every heuristic that claims to be admissible is held against it.
#ifndef ASTROLABE_DAEMON_ENGINE_REPLAY_H_
#define ASTROLABE_DAEMON_ENGINE_REPLAY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/search.h"

namespace astrolabe::engine {

enum class ReplayEnd { kVerified, kStopped, kBroken };

// Applies the path from the initial state, recomputes its cost, tests the end. On kVerified
// solution.cost is exact and `end` holds the bytes of the last state; on kBroken `why` says what is wrong. kStopped:
// the runner was told to stop.
ReplayEnd Replay(const StateSpace& space, Solution& solution, Runner& runner, std::vector<std::byte>& end,
                 std::string& why);

// Evaluates every heuristic that claims admissibility at each state of the verified path; the first
// refutation of each is returned. `complete` is false when the runner was told to stop on the way.
std::vector<ClaimRefuted> CheckClaims(const SearchRequest& request, const Solution& solution, Runner& runner,
                                      bool& complete, std::string& why);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_REPLAY_H_
