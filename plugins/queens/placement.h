// What an instance says: how many queens, and where some of them stand.
#ifndef ASTROLABE_PLUGINS_QUEENS_PLACEMENT_H_
#define ASTROLABE_PLUGINS_QUEENS_PLACEMENT_H_

#include <cstdint>
#include <vector>

namespace queens {

inline constexpr uint32_t kMaxQueens = 1'000'000;
// Every state of a path is a copy of the board there, and each has up to `queens` children.
inline constexpr uint32_t kMaxIncrementalQueens = 1'000;

enum class Formulation { kComplete, kIncremental };

struct Placement {
  uint32_t queens = 0;
  Formulation formulation = Formulation::kComplete;
  // Of the columns from the left: none or `queens` of them in the complete formulation, any number in the other.
  std::vector<uint32_t> rows;
};

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_PLACEMENT_H_
