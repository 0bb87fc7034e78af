#include "plugins/sliding_tile/row_by_row.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace sliding_tile {

// Of a board, perhaps turned: rows and columns here may be columns and rows there.
struct RowByRow::Part {
  int rows;
  int cols;
  int origin;
  int row_step;  // squares between two rows
  int col_step;

  int Square(int row, int col) const { return origin + row * row_step + col * col_step; }
};

void RowByRow::Run() {
  FillRows({shape_.rows, shape_.cols, 0, shape_.cols, 1});
  // The last two rows as columns of two.
  FillRows({shape_.cols, 2, (shape_.rows - 2) * shape_.cols, 1, shape_.cols});
  TurnLastSquare();
}

// All rows but the last two.
void RowByRow::FillRows(const Part& part) {
  for (int row = 0; row + 2 < part.rows; ++row) {
    int first = 0;
    int last = part.cols - 1;
    while (first < last) {
      const int left = part.Square(row, first);
      const int right = part.Square(row, last);
      const bool from_left = !taste_.both_ends || Away(goal_[left]) <= Away(goal_[right]);
      const int place = from_left ? left : right;
      Bring(goal_[place], place);
      router_.Lock(place);
      from_left ? ++first : --last;
    }
    FillGap(part, row, first);
    router_.Lock(part.Square(row, first));
  }
}

// The last tile of a row, whose others are locked: it cannot simply be pushed in, as the blank would have to go in
// first and had no way out.
void RowByRow::FillGap(const Part& part, int row, int col) {
  const int gap = part.Square(row, col);
  const int below = part.Square(row + 1, col);
  const int tile = goal_[gap];
  if (board_.blank() == gap) board_.Step(below);
  if (board_.square(tile) == gap) return;
  router_.Lock(gap);
  Bring(tile, below);
  const int beside = col > 0 ? -1 : 1;
  WalkTo(part.Square(row + 1, col + beside), below);
  // Found by breadth-first search over the six squares. The tile beside the gap goes out and comes back.
  constexpr std::pair<int, int> kWay[] = {{2, 1}, {2, 0}, {1, 0}, {0, 0}, {0, 1}, {1, 1}, {1, 0},
                                          {2, 0}, {2, 1}, {1, 1}, {0, 1}, {0, 0}, {1, 0}};
  for (const auto& [down, aside] : kWay) board_.Step(part.Square(row + down, col + aside * beside));
}

// Brings a tile to a place, step by step, each time to a square nearer to it that is not locked: from below or from
// the side of the row that is filled there always is one, and the blank can go round the tile below or beside it.
void RowByRow::Bring(int tile, int place) {
  while (board_.square(tile) != place) {
    const int at = board_.square(tile);
    FindNext(at, place);
    Walk(best_);
    board_.Step(at);
  }
}

// The way to the square where the tile goes next: the shortest, what it gains counted in steps.
void RowByRow::FindNext(int at, int place) {
  double least = std::numeric_limits<double>::infinity();
  router_.ForNeighbours(at, [&](int next) {
    if (router_.locked(next) || router_.Distance(next, place) > router_.Distance(at, place)) return;
    router_.Find(next, at, way_);
    const double steps = static_cast<double>(way_.squares.size()) - taste_.worth * way_.gain;
    if (steps >= least) return;
    std::swap(best_, way_);
    least = steps;
  });
}

// Four squares, whose boards of one parity the blank meets all by going round.
void RowByRow::TurnLastSquare() {
  const int corner = shape_.cells() - 1;
  const int ring[] = {corner - shape_.cols - 1, corner - shape_.cols, corner, corner - 1};
  const auto right = [&] {
    return std::all_of(std::begin(ring), std::end(ring), [&](int s) { return board_.tile(s) == goal_[s]; });
  };
  size_t at = std::find(std::begin(ring), std::end(ring), board_.blank()) - std::begin(ring);
  while (!right()) {
    at = (at + 1) % 4;
    board_.Step(ring[at]);
  }
}

}  // namespace sliding_tile
