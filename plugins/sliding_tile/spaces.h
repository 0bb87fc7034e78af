// The state spaces: packed words up to 16 cells, arrays of cells above. Layouts as in view.h.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_SPACES_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_SPACES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "plugins/sliding_tile/moves.h"
#include "plugins/sliding_tile/puzzle.h"

namespace sliding_tile {

inline constexpr int kMaxPackedCells = 16;
inline constexpr int kMaxByteCells = 256;

inline uint64_t PackWord(const Tiles& tiles) {
  uint64_t word = 0;
  for (size_t square = 0; square < tiles.size(); ++square) word |= uint64_t{tiles[square]} << (4 * square);
  return word;
}

class PackedSpace {
 public:
  using State = uint64_t;

  PackedSpace(const Moves& moves, const Tiles& goal) : moves_(moves), goal_(PackWord(goal)) {}

  uint32_t Ops(State state, astro_op last_op, astro_op* ops, int64_t* costs) const {
    return moves_.List(last_op == ASTRO_NO_OP ? FindBlank(state) : moves_.Target(last_op), last_op, ops, costs);
  }
  void Apply(State state, astro_op op, State& out) const {
    const uint32_t from = 4 * moves_.Target(op);
    const uint32_t to = 4 * Moves::BlankOf(op);
    const uint64_t tile = state >> from & 15;
    out = state ^ (tile << from | tile << to);
  }
  bool IsGoal(State state) const { return state == goal_; }

  bool ApplyChecked(State& state, astro_op op) const {
    if (!moves_.IsOp(op) || (state >> (4 * Moves::BlankOf(op)) & 15) != 0) return false;
    Apply(state, op, state);
    return true;
  }
  void Store(const Tiles& tiles, State& out) const { out = PackWord(tiles); }
  uint32_t Tile(State state, int square) const { return state >> (4 * square) & 15; }

  // Squares that the board has not are zero too, but lie above the blank.
  static uint32_t FindBlank(State state) {
    uint32_t square = 0;
    while ((state >> (4 * square) & 15) != 0) ++square;
    return square;
  }

 private:
  const Moves& moves_;
  State goal_;
};

// Cell is unsigned, or tiles above its half would be read as negative.
template <class Cell>
class CellSpace {
 public:
  static_assert(std::is_unsigned_v<Cell>);

  CellSpace(const Moves& moves, const Tiles& goal) : moves_(moves), cells_(goal.size()), goal_(cells_ + 1) {
    Store(goal, goal_.data());
  }

  uint32_t Ops(const void* state, astro_op last_op, astro_op* ops, int64_t* costs) const {
    return moves_.List(static_cast<const Cell*>(state)[cells_], last_op, ops, costs);
  }
  void Apply(const void* state, astro_op op, void* out) const {
    std::memcpy(out, state, goal_.size() * sizeof(Cell));
    Move(out, op);
  }
  bool IsGoal(const void* state) const {
    return static_cast<const Cell*>(state)[cells_] == goal_[cells_] &&
           std::memcmp(state, goal_.data(), cells_ * sizeof(Cell)) == 0;
  }

  void Move(void* state, astro_op op) const { Slide(state, Moves::BlankOf(op), moves_.Target(op)); }
  void Undo(void* state, astro_op op) const { Slide(state, moves_.Target(op), Moves::BlankOf(op)); }

  bool ApplyChecked(void* state, astro_op op) const {
    if (!moves_.IsOp(op) || static_cast<const Cell*>(state)[cells_] != Moves::BlankOf(op)) return false;
    Move(state, op);
    return true;
  }
  void Store(const Tiles& tiles, void* out) const {
    Cell* cells = static_cast<Cell*>(out);
    for (size_t square = 0; square < cells_; ++square) {
      cells[square] = static_cast<Cell>(tiles[square]);
      if (tiles[square] == 0) cells[cells_] = static_cast<Cell>(square);
    }
  }
  uint32_t Tile(const void* state, int square) const { return static_cast<const Cell*>(state)[square]; }

 private:
  // The blank goes from one square to another; the tile there the other way.
  void Slide(void* state, uint32_t blank, uint32_t target) const {
    Cell* cells = static_cast<Cell*>(state);
    cells[blank] = cells[target];
    cells[target] = 0;
    cells[cells_] = static_cast<Cell>(target);
  }

  const Moves& moves_;
  size_t cells_;
  std::vector<Cell> goal_;  // with the blank's square behind
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_SPACES_H_
