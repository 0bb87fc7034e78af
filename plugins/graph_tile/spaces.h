// The state spaces: packed words up to 16 cells, arrays of cells above. Layouts as in view.h.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_SPACES_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_SPACES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "astrolabe/abi/types.h"
#include "plugins/graph_tile/arcs.h"
#include "plugins/graph_tile/puzzle.h"

namespace graph_tile {

inline constexpr int kMaxPackedCells = 16;
inline constexpr int kMaxByteCells = 256;

// The arcs of the blank's cell, but for the one that goes back over last_op.
inline uint32_t ListOps(const Arcs& arcs, uint32_t blank, astro_op last_op, astro_op* ops, int64_t* costs) {
  const uint32_t back = last_op == ASTRO_NO_OP ? Arcs::kNone : arcs.back[last_op];
  uint32_t n = 0;
  for (uint32_t arc = arcs.first[blank]; arc < arcs.first[blank + 1]; ++arc) {
    if (arc == back) continue;
    if (costs != nullptr) costs[n] = 1;
    ops[n++] = arc;
  }
  return n;
}

class PackedSpace {
 public:
  using State = uint64_t;

  PackedSpace(const Arcs& arcs, const Tiles& goal) : arcs_(arcs) { Store(goal, goal_); }

  uint32_t Ops(State state, astro_op last_op, astro_op* ops, int64_t* costs) const {
    return ListOps(arcs_, last_op == ASTRO_NO_OP ? FindBlank(state) : arcs_.target[last_op], last_op, ops, costs);
  }
  void Apply(State state, astro_op op, State& out) const {
    const uint32_t from = 4u * arcs_.target[op];
    const uint32_t to = 4u * arcs_.source[op];
    const uint64_t tile = state >> from & 15;
    out = state ^ (tile << from | tile << to);
  }
  bool IsGoal(State state) const { return state == goal_; }

  bool ApplyChecked(State& state, astro_op op) const {
    if (op >= arcs_.size() || (state >> (4u * arcs_.source[op]) & 15) != 0) return false;
    Apply(state, op, state);
    return true;
  }
  static void Store(const Tiles& tiles, State& out) {
    out = 0;
    for (size_t cell = 0; cell < tiles.size(); ++cell) out |= uint64_t{tiles[cell]} << (4 * cell);
  }
  uint32_t Tile(State state, int cell) const { return state >> (4 * cell) & 15; }

 private:
  // Cells that the board has not are zero too, but lie above the blank.
  static uint32_t FindBlank(State state) {
    uint32_t cell = 0;
    while ((state >> (4 * cell) & 15) != 0) ++cell;
    return cell;
  }

  const Arcs& arcs_;
  State goal_ = 0;
};

// Cell is unsigned, or tiles above its half would be read as negative.
template <class Cell>
class CellSpace {
 public:
  static_assert(std::is_unsigned_v<Cell>);

  CellSpace(const Arcs& arcs, const Tiles& goal) : arcs_(arcs), cells_(goal.size()), goal_(cells_ + 1) {
    Store(goal, goal_.data());
  }

  uint32_t Ops(const void* state, astro_op last_op, astro_op* ops, int64_t* costs) const {
    return ListOps(arcs_, static_cast<const Cell*>(state)[cells_], last_op, ops, costs);
  }
  void Apply(const void* state, astro_op op, void* out) const {
    std::memcpy(out, state, goal_.size() * sizeof(Cell));
    Move(out, op);
  }
  bool IsGoal(const void* state) const { return std::memcmp(state, goal_.data(), goal_.size() * sizeof(Cell)) == 0; }

  void Move(void* state, astro_op op) const { Slide(state, arcs_.source[op], arcs_.target[op]); }
  void Undo(void* state, astro_op op) const { Slide(state, arcs_.target[op], arcs_.source[op]); }

  bool ApplyChecked(void* state, astro_op op) const {
    if (op >= arcs_.size() || static_cast<const Cell*>(state)[cells_] != arcs_.source[op]) return false;
    Move(state, op);
    return true;
  }
  void Store(const Tiles& tiles, void* out) const {
    Cell* cells = static_cast<Cell*>(out);
    for (size_t cell = 0; cell < cells_; ++cell) {
      cells[cell] = static_cast<Cell>(tiles[cell]);
      if (tiles[cell] == 0) cells[cells_] = static_cast<Cell>(cell);
    }
  }
  uint32_t Tile(const void* state, int cell) const { return static_cast<const Cell*>(state)[cell]; }

 private:
  // The blank goes from one cell to another; the tile there the other way.
  void Slide(void* state, uint32_t blank, uint32_t target) const {
    Cell* cells = static_cast<Cell*>(state);
    cells[blank] = cells[target];
    cells[target] = 0;
    cells[cells_] = static_cast<Cell>(target);
  }

  const Arcs& arcs_;
  size_t cells_;
  std::vector<Cell> goal_;  // with the blank's cell behind
};

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_SPACES_H_
