#include "plugins/sliding_tile/construct.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "astrolabe/sdk/error.h"
#include "astrolabe/sliding_tile/view.h"
#include "plugins/sliding_tile/moves.h"
#include "plugins/sliding_tile/parity.h"

namespace sliding_tile {
namespace {

// The board while the blank walks over it; every step is written down. A step back over the step before takes that one
// away instead.
class WalkedBoard {
 public:
  WalkedBoard(const Puzzle& puzzle, astro::OpWriter& out)
      : cols_(puzzle.shape.cols), moves_(puzzle.shape), tiles_(puzzle.start), square_(tiles_.size()), out_(out) {
    for (size_t square = 0; square < tiles_.size(); ++square) square_[tiles_[square]] = static_cast<int>(square);
    ops_.reserve(kFull + 1);
  }

  int blank() const { return square_[0]; }
  int square(int tile) const { return square_[tile]; }
  int tile(int square) const { return tiles_[square]; }

  // The blank goes to a neighbour of its square.
  void Step(int to) {
    const int from = blank();
    const int step = to - from;
    const uint32_t direction = step == -cols_ ? SLIDING_TILE_UP
                               : step == -1   ? SLIDING_TILE_LEFT
                               : step == 1    ? SLIDING_TILE_RIGHT
                                              : SLIDING_TILE_DOWN;
    Write(static_cast<astro_op>(from) << 2 | direction);
    tiles_[from] = tiles_[to];
    square_[tiles_[from]] = from;
    tiles_[to] = 0;
    square_[0] = to;
  }
  void Finish() { Flush(ops_.size()); }

 private:
  static constexpr size_t kFull = 8192;

  void Write(astro_op op) {
    if (!ops_.empty() && moves_.Target(ops_.back()) == Moves::BlankOf(op) && (ops_.back() & 3) == Opposite(op & 3)) {
      ops_.pop_back();
      return;
    }
    ops_.push_back(op);
    if (ops_.size() == kFull) Flush(kFull / 2);
  }
  void Flush(size_t count) {
    out_.Write({ops_.data(), count});
    ops_.erase(ops_.begin(), ops_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  const int cols_;
  const Moves moves_;
  Tiles tiles_;
  std::vector<int> square_;  // of each tile
  astro::OpWriter& out_;
  std::vector<astro_op> ops_;  // not yet written; the newest stay, for steps back
};

// Ways of the blank past squares that it must not disturb.
class Router {
 public:
  explicit Router(const Shape& shape)
      : shape_(shape), locked_(shape.cells(), 0), met_(shape.cells(), 0), came_from_(shape.cells(), 0) {}

  void Lock(int square) { locked_[square] = 1; }
  void Unlock(int square) { locked_[square] = 0; }
  bool locked(int square) const { return locked_[square] != 0; }
  int Distance(int a, int b) const {
    return std::abs(a / shape_.cols - b / shape_.cols) + std::abs(a % shape_.cols - b % shape_.cols);
  }
  // Calls f for each neighbour of a square.
  template <class F>
  void ForNeighbours(int square, F&& f) const {
    const int col = square % shape_.cols;
    if (square >= shape_.cols) f(square - shape_.cols);
    if (col > 0) f(square - 1);
    if (col + 1 < shape_.cols) f(square + 1);
    if (square + shape_.cols < shape_.cells()) f(square + shape_.cols);
  }

  // The squares on a way from `from` to `to`, past those that are locked and `avoid`, the last first; empty when they
  // are the same. The way exists: see RowByRow. Squares are looked at nearest first, by stacks of those on the straight
  // way and of those two steps further round, so that few but those on the way are.
  const std::vector<int>& Way(int from, int to, int avoid) {
    ++search_;
    near_.assign(1, from);
    far_.clear();
    met_[from] = search_;
    while (met_[to] != search_) {
      if (near_.empty()) std::swap(near_, far_);
      const int at = near_.back();
      near_.pop_back();
      const int distance = Distance(at, to);
      ForNeighbours(at, [&](int next) {
        if (locked(next) || next == avoid || met_[next] == search_) return;
        met_[next] = search_;
        came_from_[next] = at;
        (Distance(next, to) < distance ? near_ : far_).push_back(next);
      });
    }
    way_.clear();
    for (int at = to; at != from; at = came_from_[at]) way_.push_back(at);
    return way_;
  }

 private:
  const Shape shape_;
  std::vector<uint8_t> locked_;
  std::vector<uint32_t> met_;  // in which search
  std::vector<int> came_from_;
  std::vector<int> near_;
  std::vector<int> far_;
  std::vector<int> way_;
  uint32_t search_ = 0;
};

// Part of a board, perhaps turned: rows and columns here may be columns and rows there.
struct Part {
  int rows;
  int cols;
  int origin;
  int row_step;  // squares between two rows
  int col_step;

  int Square(int row, int col) const { return origin + row * row_step + col * col_step; }
};

class RowByRow {
 public:
  RowByRow(const Shape& shape, const Tiles& goal, WalkedBoard& board)
      : shape_(shape), goal_(goal), board_(board), router_(shape) {}

  void Run() {
    FillRows({shape_.rows, shape_.cols, 0, shape_.cols, 1});
    // The last two rows as columns of two.
    FillRows({shape_.cols, 2, (shape_.rows - 2) * shape_.cols, 1, shape_.cols});
    TurnLastSquare();
  }

 private:
  // All rows but the last two.
  void FillRows(const Part& part) {
    for (int row = 0; row + 2 < part.rows; ++row) {
      for (int col = 0; col + 1 < part.cols; ++col) {
        const int place = part.Square(row, col);
        Bring(goal_[place], place);
        router_.Lock(place);
      }
      FillCorner(part, row);
      router_.Lock(part.Square(row, part.cols - 1));
    }
  }

  // The last tile of a row, whose others are locked: it cannot simply be pushed in, as the blank would have to go in
  // first and had no way out.
  void FillCorner(const Part& part, int row) {
    const int corner = part.Square(row, part.cols - 1);
    const int below = part.Square(row + 1, part.cols - 1);
    const int tile = goal_[corner];
    if (board_.blank() == corner) board_.Step(below);
    if (board_.square(tile) == corner) return;
    router_.Lock(corner);
    Bring(tile, below);
    WalkTo(part.Square(row + 1, part.cols - 2), below);
    // Found by breadth-first search over the six squares. The tile beside the corner goes out and comes back.
    constexpr std::pair<int, int> kWay[] = {{2, 0}, {2, 1}, {1, 1}, {0, 1}, {0, 0}, {1, 0}, {1, 1},
                                            {2, 1}, {2, 0}, {1, 0}, {0, 0}, {0, 1}, {1, 1}};
    for (const auto& [down, right] : kWay) board_.Step(part.Square(row + down, part.cols - 2 + right));
  }

  // Brings a tile to a place, step by step, each time to a square nearer to it that is not locked: from below or from
  // the side of the row that is filled there always is one, and the blank can go round the tile below or beside it.
  void Bring(int tile, int place) {
    while (board_.square(tile) != place) {
      const int at = board_.square(tile);
      const int next = NextSquare(at, place);
      WalkTo(next, at);
      board_.Step(at);
    }
  }

  // The one where the blank is soonest.
  int NextSquare(int at, int place) const {
    int best = at;
    int least = 0;
    const int blank = board_.blank();
    router_.ForNeighbours(at, [&](int next) {
      if (router_.locked(next) || router_.Distance(next, place) > router_.Distance(at, place)) return;
      int steps = router_.Distance(blank, next);
      // The tile itself is in the way.
      const bool straight = blank % shape_.cols == next % shape_.cols || blank / shape_.cols == next / shape_.cols;
      if (straight && router_.Distance(blank, at) + 1 == steps) steps += 2;
      if (best != at && steps >= least) return;
      best = next;
      least = steps;
    });
    return best;
  }

  void WalkTo(int square, int avoid) {
    const std::vector<int>& way = router_.Way(board_.blank(), square, avoid);
    for (auto step = way.rbegin(); step != way.rend(); ++step) board_.Step(*step);
  }

  // Four squares, whose boards of one parity the blank meets all by going round.
  void TurnLastSquare() {
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

  const Shape shape_;
  const Tiles& goal_;
  WalkedBoard& board_;
  Router router_;
};

// The squares that the blank passes from `from` to the last corner.
std::vector<int> WayToCorner(const Shape& shape, int from) {
  std::vector<int> way;
  while (from % shape.cols + 1 < shape.cols) way.push_back(from += 1);
  while (from + shape.cols < shape.cells()) way.push_back(from += shape.cols);
  return way;
}

}  // namespace

void ConstructSolution(const Puzzle& puzzle, astro::OpWriter& out) {
  if (puzzle.start == puzzle.goal) return;
  const ParityAnswer parity = CheckParity(puzzle);
  if (!parity.solvable) throw astro::Refused(parity.reason);
  const int goal_blank = static_cast<int>(std::find(puzzle.goal.begin(), puzzle.goal.end(), 0) - puzzle.goal.begin());
  std::vector<int> way = WayToCorner(puzzle.shape, goal_blank);
  Tiles goal = puzzle.goal;
  int at = goal_blank;
  for (const int square : way) std::swap(goal[std::exchange(at, square)], goal[square]);
  WalkedBoard board(puzzle, out);
  RowByRow(puzzle.shape, goal, board).Run();
  // And back.
  way.insert(way.begin(), goal_blank);
  way.pop_back();
  for (auto square = way.rbegin(); square != way.rend(); ++square) board.Step(*square);
  board.Finish();
}

}  // namespace sliding_tile
