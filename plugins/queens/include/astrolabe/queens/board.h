// Queens for heuristics written in C++: an instance, a board, a move. Layouts and numbering as in view.h. Everything is
// inline: a heuristic links nothing of the problem. Nothing here throws or allocates; any thread may call it.
#ifndef ASTROLABE_QUEENS_BOARD_H_
#define ASTROLABE_QUEENS_BOARD_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "astrolabe/abi/types.h"
#include "astrolabe/queens/view.h"

namespace queens {

inline constexpr uint32_t kNoQueen = UINT32_MAX;  // as row: the column is empty

// The number of queens and the formulation. Cheap to copy; lives as long as the problem.
class Instance {
 public:
  explicit Instance(const queens_view_v1* view) : view_(view) {}

  uint32_t queens() const { return view_->queens; }
  bool incremental() const { return view_->formulation == QUEENS_INCREMENTAL; }
  uint32_t cell_bytes() const { return view_->cell_bytes; }
  size_t state_size() const { return size_t{view_->queens} * view_->cell_bytes; }

  const queens_view_v1& view() const { return *view_; }

 private:
  const queens_view_v1* view_;
};

// Calls f(cells) with a pointer to the cells of a state in their type. Void: const void* or void*.
template <class Void, class F>
[[gnu::always_inline]] inline decltype(auto) VisitCells(uint32_t cell_bytes, Void* state, F&& f) {
  const auto as = [state]<class Cell>(Cell) {
    if constexpr (std::is_const_v<Void>) {
      return static_cast<const Cell*>(state);
    } else {
      return static_cast<Cell*>(state);
    }
  };
  switch (cell_bytes) {
    case 1:
      return std::forward<F>(f)(as(uint8_t{}));
    case 2:
      return std::forward<F>(f)(as(uint16_t{}));
    default:
      return std::forward<F>(f)(as(uint32_t{}));
  }
}

// The row that a cell holds, or kNoQueen.
template <class Cell>
[[gnu::always_inline]] inline uint32_t RowOf(Cell cell) {
  return cell == std::numeric_limits<Cell>::max() ? kNoQueen : cell;
}

// A state, read-only. A view: valid during the call it was passed to.
class Board {
 public:
  Board(uint32_t cell_bytes, uint32_t queens, const void* state)
      : cell_bytes_(cell_bytes), queens_(queens), state_(state) {}

  // And columns, and rows.
  uint32_t queens() const { return queens_; }
  // kNoQueen: the column is empty.
  uint32_t row(uint32_t column) const {
    return VisitCells(cell_bytes_, state_, [column](const auto* cells) { return RowOf(cells[column]); });
  }
  // How many columns have a queen, of a board that is filled from the left.
  uint32_t placed() const {
    uint32_t least = 0;
    uint32_t most = queens_;
    while (least < most) {
      const uint32_t middle = least + (most - least) / 2;
      if (row(middle) == kNoQueen) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    return least;
  }

 private:
  uint32_t cell_bytes_;
  uint32_t queens_;
  const void* state_;
};

// A queen goes to `row` of `column`. kNoQueen as column: of the first column without a queen.
struct Move {
  uint32_t column;
  uint32_t row;
};

// The tag to name in ASTRO_PLUGIN: astro::Heuristic<MyHeuristic, queens::Problem>.
struct Problem {
  static constexpr std::string_view kProblemId = "queens";
  static constexpr std::string_view kStateLayout = QUEENS_LAYOUT;
  using Instance = queens::Instance;
  using State = Board;
  using Move = queens::Move;

  static Instance MakeInstance(const void* view) { return Instance(static_cast<const queens_view_v1*>(view)); }
  static size_t StateSize(const Instance& instance) { return instance.state_size(); }

  static Move MakeMove(const Instance& instance, astro_op op) {
    if (instance.incremental()) return {kNoQueen, op};
    return {op / instance.queens(), op % instance.queens()};
  }

  static void Child(const Instance& instance, const void* state, astro_op op, void* out) {
    Move move = MakeMove(instance, op);
    if (move.column == kNoQueen) move.column = Board(instance.cell_bytes(), instance.queens(), state).placed();
    std::memcpy(out, state, instance.state_size());
    VisitCells(instance.cell_bytes(), out,
               [&]<class Cell>(Cell* cells) { cells[move.column] = static_cast<Cell>(move.row); });
  }

  // In a branch for each width of cells: the compiler drops the choice from f.
  template <class F>
  [[gnu::always_inline]] static int64_t Visit(const Instance& instance, const void* state, F&& f) {
    switch (instance.cell_bytes()) {
      case 1:
        return f(Board(1, instance.queens(), state));
      case 2:
        return f(Board(2, instance.queens(), state));
      default:
        return f(Board(4, instance.queens(), state));
    }
  }
};

}  // namespace queens

#endif  // ASTROLABE_QUEENS_BOARD_H_
