// The state spaces of boards with one blank: packed words up to 16 cells, arrays of cells above. Layouts as in
// astrolabe/tiles/board.h.
//
// Moves says where the blank may go:
//   uint32_t List(uint32_t blank, astro_op last_op, astro_op* ops, int64_t* costs) const;  // without the way back
//   uint32_t BlankOf(astro_op) const;   // where the blank is before the move
//   uint32_t Target(astro_op) const;    // and after it
//   bool IsOp(astro_op) const;          // of any number
// It must outlive the space. All are immutable, for any thread.
#ifndef ASTROLABE_PLUGINS_TILES_SPACES_H_
#define ASTROLABE_PLUGINS_TILES_SPACES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "astrolabe/abi/types.h"
#include "plugins/tiles/arrangement.h"

namespace tiles {

inline constexpr int kMaxPackedCells = 16;
inline constexpr int kMaxByteCells = 256;

inline uint64_t PackWord(const Tiles& tiles) {
  uint64_t word = 0;
  for (size_t place = 0; place < tiles.size(); ++place) word |= uint64_t{tiles[place]} << (4 * place);
  return word;
}
// Places that the board has not are zero too, but lie above the blank.
inline uint32_t FindBlank(uint64_t word) {
  uint32_t place = 0;
  while ((word >> (4 * place) & 15) != 0) ++place;
  return place;
}

template <class Moves>
class PackedSpace {
 public:
  using State = uint64_t;

  PackedSpace(const Moves& moves, const Tiles& goal) : moves_(moves), goal_(PackWord(goal)) {}

  uint32_t Ops(State state, astro_op last_op, astro_op* ops, int64_t* costs) const {
    return moves_.List(last_op == ASTRO_NO_OP ? FindBlank(state) : moves_.Target(last_op), last_op, ops, costs);
  }
  void Apply(State state, astro_op op, State& out) const {
    const uint32_t from = 4 * moves_.Target(op);
    const uint32_t to = 4 * moves_.BlankOf(op);
    const uint64_t tile = state >> from & 15;
    out = state ^ (tile << from | tile << to);
  }
  bool IsGoal(State state) const { return state == goal_; }

  // False: no operator of this state, which is unchanged then.
  bool ApplyChecked(State& state, astro_op op) const {
    if (!moves_.IsOp(op) || (state >> (4 * moves_.BlankOf(op)) & 15) != 0) return false;
    Apply(state, op, state);
    return true;
  }
  void Store(const Tiles& tiles, State& out) const { out = PackWord(tiles); }
  uint32_t Tile(State state, int place) const { return state >> (4 * place) & 15; }

 private:
  const Moves& moves_;
  State goal_;
};

// Cell is unsigned, or tiles above its half would be read as negative.
template <class Moves, class Cell>
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

  void Move(void* state, astro_op op) const { Slide(state, moves_.BlankOf(op), moves_.Target(op)); }
  void Undo(void* state, astro_op op) const { Slide(state, moves_.Target(op), moves_.BlankOf(op)); }

  // False: no operator of this state, which is unchanged then.
  bool ApplyChecked(void* state, astro_op op) const {
    if (!moves_.IsOp(op) || static_cast<const Cell*>(state)[cells_] != moves_.BlankOf(op)) return false;
    Move(state, op);
    return true;
  }
  void Store(const Tiles& tiles, void* out) const {
    Cell* cells = static_cast<Cell*>(out);
    for (size_t place = 0; place < cells_; ++place) {
      cells[place] = static_cast<Cell>(tiles[place]);
      if (tiles[place] == 0) cells[cells_] = static_cast<Cell>(place);
    }
  }
  uint32_t Tile(const void* state, int place) const { return static_cast<const Cell*>(state)[place]; }

 private:
  // The blank goes from one place to another; the tile there the other way.
  void Slide(void* state, uint32_t blank, uint32_t target) const {
    Cell* cells = static_cast<Cell*>(state);
    cells[blank] = cells[target];
    cells[target] = 0;
    cells[cells_] = static_cast<Cell>(target);
  }

  const Moves& moves_;
  size_t cells_;
  std::vector<Cell> goal_;  // with the blank's place behind
};

}  // namespace tiles

#endif  // ASTROLABE_PLUGINS_TILES_SPACES_H_
