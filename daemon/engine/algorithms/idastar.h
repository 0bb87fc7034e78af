// IDA*: iterative-deepening A* (Korf, Artificial Intelligence 27, 1985).
//
// Order and counts are Korf's, in every tier: children in the order of ops(); a child counts as
// generated when it is considered, cut or not; a node is tested for the goal when it is entered; the
// last iteration counts what was considered before the goal. The sum over all iterations, + 1 for the
// root, is `generated`.
//
// On several threads each iteration is cut into subtrees (SplitIteration); order and counts stay the same.
//
// Options: mode=fast gives up the order, so that the last iteration meets a goal sooner. transposition_table prunes
// states met before (TranspositionTable). Where the search might not end otherwise there is always one: of its own
// size, up to 256 MiB and half of the memory limit.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_IDASTAR_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_IDASTAR_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

std::unique_ptr<Algorithm> MakeIdaStar(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_IDASTAR_H_
