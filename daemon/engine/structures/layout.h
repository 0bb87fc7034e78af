// Small sums about where things lie in memory.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_LAYOUT_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_LAYOUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "daemon/engine/domain.h"

namespace astrolabe::engine {

// A plugin that returns more operators than it promised has written behind the buffer: that much room
// lets the engine notice and say so.
inline constexpr uint32_t kSpareOps = 4;

inline constexpr size_t RoundUp(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// Distance between states in a buffer, at least `slot`.
inline size_t StateStride(const SpaceInfo& info, size_t slot = 1) {
  return RoundUp(std::max(info.state_size, slot), std::max<size_t>(info.state_align, 8));
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_LAYOUT_H_
