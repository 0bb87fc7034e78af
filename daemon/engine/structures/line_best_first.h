// The store for undirected spaces with positive costs and states of at most 32 bytes: a LineTable, and an
// open list of (state, operator). No parents are kept: a path is found again by going back along inverse
// operators to states of fitting g.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_BEST_FIRST_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_BEST_FIRST_H_

#include <memory>

#include "daemon/engine/structures/best_first.h"

namespace astrolabe::engine {

// Precondition: the space is as said above and has inverse operators.
std::unique_ptr<BestFirstNodes> MakeLineBestFirst(const StateSpace& space, const BestFirstNeeds& needs,
                                                  MemoryAccount& memory);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_BEST_FIRST_H_
