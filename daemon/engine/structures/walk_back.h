// WalkBack: the way to a state of a best-first search that keeps no parents, by the costs known of its neighbours.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_WALK_BACK_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_WALK_BACK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

// Every operator can be undone, at its own cost, which is positive, and a state fits into 32 bytes: stores need keep no
// parents.
inline bool CanWalkBack(const StateSpace& space) {
  const SpaceInfo& info = space.info();
  return info.undirected && !info.zero_costs && space.calls().inverse_op != nullptr && info.state_size <= 32;
}

// Writes the operators from `root` to `state`, which was reached at cost g; both are in slots of kSlot bytes, padded
// with zeros. known(neighbour): the cheapest g known of a state in such a slot, negative for none. False: the inverse
// operators do not lead back to the root.
//
// Every state but the root was entered from a parent whose g, lowered since or not, is at most its own g less a
// positive cost: following any such neighbour comes down to the root.
template <size_t kSlot, typename Known>
bool WalkBack(const StateSpace& space, const std::byte* root, const std::byte* goal, Cost g, Known known,
              std::vector<Op>& path) {
  const SpaceInfo& info = space.info();
  const SpaceCalls& calls = space.calls();
  const size_t stride = StateStride(info, kSlot);
  const uint32_t room = info.max_ops + kSpareOps;
  MemoryAccount unlimited;
  Block states(unlimited, (room + 1) * stride);
  std::vector<Op> ops(room);
  std::vector<Cost> costs(room);
  std::byte* state = states.data() + room * stride;
  std::memcpy(state, goal, kSlot);
  while (std::memcmp(state, root, kSlot) != 0) {
    const uint32_t n = calls.expand(calls.problem, state, kNoOp, ops.data(), costs.data(), states.data(), stride);
    if (n > info.max_ops) return false;
    bool found = false;
    for (uint32_t k = 0; k < n && !found; ++k) {
      const std::byte* neighbour = states.data() + k * stride;
      const Cost before = known(neighbour);
      if (before < 0 || costs[k] < 1 || before > g - costs[k]) continue;
      path.push_back(calls.inverse_op(calls.problem, ops[k]));
      std::memcpy(state, neighbour, kSlot);
      g = before;
      found = true;
    }
    if (!found) return false;
  }
  std::reverse(path.begin(), path.end());
  return true;
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_WALK_BACK_H_
