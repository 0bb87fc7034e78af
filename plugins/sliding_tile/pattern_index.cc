#include "plugins/sliding_tile/pattern_index.h"

#include <algorithm>
#include <limits>

namespace sliding_tile {
namespace {

constexpr int kMaxSparseCells = 16;
constexpr int kMaxSparseTiles = 6;

// n choose k, for sets whose number fits 32 bits; more is cut off and never looked up.
uint64_t Choose(int n, int k) {
  if (k > n) return 0;
  uint64_t result = 1;
  for (int i = 1; i <= k; ++i) result = result * static_cast<uint64_t>(n - k + i) / static_cast<uint64_t>(i);
  return result;
}

}  // namespace

bool IsSparse(int cells, int tiles) { return cells <= kMaxSparseCells && tiles <= kMaxSparseTiles; }

uint64_t CountPlacements(int cells, int tiles) {
  uint64_t count = 1;
  for (int i = 0; i < tiles; ++i) {
    const auto factor = static_cast<uint64_t>(cells - i);
    if (count > std::numeric_limits<uint64_t>::max() / factor) return std::numeric_limits<uint64_t>::max();
    count *= factor;
  }
  return count;
}

PatternIndex::PatternIndex(int cells, int tiles)
    : cells_(cells),
      tiles_(tiles),
      sparse_(IsSparse(cells, tiles)),
      sets_(Choose(cells, tiles)),
      chunks_(static_cast<size_t>(std::max(2, (cells + 7) / 8))) {
  // The i-th lowest square s of a set adds (s choose i + 1).
  for (size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    for (int below = 0; below <= tiles; ++below) {
      for (uint32_t part = 0; part < 256; ++part) {
        uint64_t rank = 0;
        int i = below;
        for (uint32_t rest = part; rest != 0; rest &= rest - 1) {
          rank += Choose(static_cast<int>(8 * chunk) + std::countr_zero(rest), ++i);
        }
        chunks_[chunk][below][part] = static_cast<uint32_t>(rank);
      }
    }
  }
}

}  // namespace sliding_tile
