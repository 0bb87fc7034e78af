// The store for every space: nodes with their parents in a NodeArray, found by a NodeIndex; the open list
// holds node numbers. For directed spaces, free operators, states above 32 bytes.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_BEST_FIRST_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_BEST_FIRST_H_

#include <memory>

#include "daemon/engine/structures/best_first.h"

namespace astrolabe::engine {

std::unique_ptr<BestFirstNodes> MakeNodeBestFirst(const StateSpace& space, const BestFirstNeeds& needs,
                                                  MemoryAccount& memory);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_BEST_FIRST_H_
