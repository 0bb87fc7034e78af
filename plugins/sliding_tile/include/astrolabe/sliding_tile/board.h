// Sliding tiles for heuristics written in C++: an instance, a board, a move. Layouts and numbering as
// in view.h. Everything is inline: a heuristic links nothing of the problem.
#ifndef ASTROLABE_SLIDING_TILE_BOARD_H_
#define ASTROLABE_SLIDING_TILE_BOARD_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "astrolabe/abi/types.h"
#include "astrolabe/sliding_tile/view.h"
#include "astrolabe/tiles/board.h"

namespace sliding_tile {

// The puzzle: its shape, its start and its goal. Cheap to copy; lives as long as the problem.
class Instance {
 public:
  explicit Instance(const sliding_tile_view_v1* view) : view_(view) {}

  int rows() const { return static_cast<int>(view_->rows); }
  int cols() const { return static_cast<int>(view_->cols); }
  int cells() const { return static_cast<int>(view_->cells); }
  int row(int square) const { return view_->row[square]; }
  int col(int square) const { return view_->col[square]; }

  // Where a tile belongs; tile 0 is the blank.
  int goal_square(int tile) const { return view_->goal_square[tile]; }
  int goal_row(int tile) const { return row(goal_square(tile)); }
  int goal_col(int tile) const { return col(goal_square(tile)); }
  int goal_tile(int square) const { return view_->goal[square]; }
  int start_tile(int square) const { return view_->start[square]; }

  const sliding_tile_view_v1& view() const { return *view_; }

 private:
  const sliding_tile_view_v1* view_;
};

enum class Direction {
  kUp = SLIDING_TILE_UP,
  kLeft = SLIDING_TILE_LEFT,
  kRight = SLIDING_TILE_RIGHT,
  kDown = SLIDING_TILE_DOWN
};

// A move, told from the tile's side: the tile on square `from` goes to square `to`, where the blank was.
struct Move {
  int from;
  int to;
  Direction blank_direction;
};

// A state, read-only: cells(), tile(square), blank(). A view: valid during the call it was passed to.
using tiles::Board;
static_assert(SLIDING_TILE_PACKED == tiles::kPacked && SLIDING_TILE_BYTES == tiles::kBytes &&
              SLIDING_TILE_WORDS == tiles::kWords);

// The tag to name in ASTRO_PLUGIN: astro::Heuristic<MyHeuristic, sliding_tile::Problem>.
struct Problem {
  static constexpr std::string_view kProblemId = "sliding_tile";
  static constexpr std::string_view kStateLayout = SLIDING_TILE_LAYOUT;
  using Instance = sliding_tile::Instance;
  using State = Board;
  using Move = sliding_tile::Move;

  static Instance MakeInstance(const void* view) { return Instance(static_cast<const sliding_tile_view_v1*>(view)); }
  static size_t StateSize(const Instance& instance) { return instance.view().state_size; }

  static Move MakeMove(const Instance& instance, astro_op op) {
    const int blank = static_cast<int>(op >> 2);
    const int direction = static_cast<int>(op & 3);
    // up -cols, left -1, right +1, down +cols.
    const int step = (direction & 1) == (direction >> 1) ? instance.cols() : 1;
    return {direction < 2 ? blank - step : blank + step, blank, static_cast<Direction>(direction)};
  }

  static void Child(const Instance& instance, const void* state, astro_op op, void* out) {
    const Move move = MakeMove(instance, op);
    tiles::Child(instance.view(), state, move.from, move.to, out);
  }

  template <class F>
  [[gnu::always_inline]] static int64_t Visit(const Instance& instance, const void* state, F&& f) {
    return tiles::Visit(instance.view(), state, f);
  }
  // For functions that look at every square: with 16 cells a loop to board.cells() can be unrolled.
  template <class F>
  [[gnu::always_inline]] static int64_t VisitWhole(const Instance& instance, const void* state, F&& f) {
    const sliding_tile_view_v1& view = instance.view();
    if (view.layout == SLIDING_TILE_PACKED && view.cells == 16) return f(Board(SLIDING_TILE_PACKED, 16, state));
    return Visit(instance, state, f);
  }
};

}  // namespace sliding_tile

#endif  // ASTROLABE_SLIDING_TILE_BOARD_H_
