// Which cells the blank may go to from which, in compressed rows, numbered as view.h says.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_ARCS_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_ARCS_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "astrolabe/abi/types.h"

namespace graph_tile {

// Cells and tiles are 16 bits wide in states; the table of distances is what sets the limit.
inline constexpr int kMinCells = 2;
inline constexpr int kMaxCells = 4096;

// From, to.
using Arc = std::pair<uint16_t, uint16_t>;

// Immutable once it is made.
struct Arcs {
  static constexpr uint32_t kNone = UINT32_MAX;

  // `arcs` in any order, without loops; those that come twice count once.
  static Arcs Make(int cells, std::vector<Arc> arcs);
  // Every arc the other way round.
  Arcs Transposed() const;
  // With every arc the one that goes back.
  Arcs Symmetrized() const;

  int cells() const { return static_cast<int>(first.size()) - 1; }
  uint32_t size() const { return static_cast<uint32_t>(target.size()); }
  std::span<const uint16_t> neighbours(int cell) const {
    return std::span(target).subspan(first[cell], first[cell + 1] - first[cell]);
  }
  // The number of an arc, or kNone.
  uint32_t Find(int from, int to) const;
  bool symmetric() const;

  // --- as moves of the blank, for plugins/tiles/spaces.h: an operator is the number of an arc ---
  uint32_t BlankOf(astro_op op) const { return source[op]; }
  uint32_t Target(astro_op op) const { return target[op]; }
  bool IsOp(astro_op op) const { return op < size(); }
  // The arcs of the blank's cell, but for the one that goes back over last_op. `costs` may be null.
  uint32_t List(uint32_t blank, astro_op last_op, astro_op* ops, int64_t* costs) const {
    const uint32_t leave_out = last_op == ASTRO_NO_OP ? kNone : back[last_op];
    uint32_t n = 0;
    for (uint32_t arc = first[blank]; arc < first[blank + 1]; ++arc) {
      if (arc == leave_out) continue;
      if (costs != nullptr) costs[n] = 1;
      ops[n++] = arc;
    }
    return n;
  }

  std::vector<uint32_t> first;
  std::vector<uint16_t> source;
  std::vector<uint16_t> target;
  std::vector<uint32_t> back;  // the arc that goes back, or kNone
};

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_ARCS_H_
