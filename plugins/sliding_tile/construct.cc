#include "plugins/sliding_tile/construct.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "astrolabe/sdk/error.h"
#include "plugins/sliding_tile/parity.h"
#include "plugins/sliding_tile/row_by_row.h"
#include "plugins/sliding_tile/turned_board.h"
#include "plugins/sliding_tile/walked_board.h"

namespace sliding_tile {
namespace {

// On random boards of 5 x 5 to 127 x 127 the first gives the shortest most often.
constexpr RowByRow::Taste kTastes[] = {{1.5, true}, {0.75, true}, {1.5, false}, {0.75, false},
                                       {3, true},   {0.25, true}, {3, false},   {0.25, false}};
constexpr int kSides = 8;
// What may be tried beyond the first, in squares times half the sides' sum: some tenths of a second.
constexpr int kTriedWork = 1'000'000;

// The squares that the blank passes from `from` to the last corner.
std::vector<int> WayToCorner(const Shape& shape, int from) {
  std::vector<int> way;
  while (from % shape.cols + 1 < shape.cols) way.push_back(from += 1);
  while (from + shape.cols < shape.cells()) way.push_back(from += shape.cols);
  return way;
}

using Walk = WalkedBoard::Walk;

// How many moves there are.
size_t Construct(const Puzzle& puzzle, int side, const RowByRow::Taste& taste, Walk walk, astro::OpWriter& out) {
  const TurnedBoard turned(puzzle.shape, side);
  Tiles goal = turned.Seen(puzzle.goal);
  const int goal_blank = static_cast<int>(std::find(goal.begin(), goal.end(), 0) - goal.begin());
  std::vector<int> way = WayToCorner(turned.shape(), goal_blank);
  int at = goal_blank;
  for (const int square : way) std::swap(goal[std::exchange(at, square)], goal[square]);
  WalkedBoard board(turned, puzzle.shape, turned.Seen(puzzle.start), walk, out);
  RowByRow(turned.shape(), goal, taste, board).Run();
  // And back.
  way.insert(way.begin(), goal_blank);
  way.pop_back();
  for (auto square = way.rbegin(); square != way.rend(); ++square) board.Step(*square);
  return board.Finish();
}

}  // namespace

void ConstructSolution(const Puzzle& puzzle, astro::OpWriter& out) {
  if (puzzle.start == puzzle.goal) return;
  const ParityAnswer parity = CheckParity(puzzle);
  if (!parity.solvable) throw astro::Refused(parity.reason);
  const Shape& shape = puzzle.shape;
  const int work = shape.cells() * (shape.rows + shape.cols) / 2;
  // Short rows first.
  int best_side = shape.rows < shape.cols ? 4 : 0;
  const RowByRow::Taste* best = kTastes;
  const int tries = kTriedWork / work;
  if (tries > 1) {
    size_t least = Construct(puzzle, best_side, *best, Walk::kCounted, out);
    for (int i = 0; i < std::min<int>(tries, kSides * std::size(kTastes)); ++i) {
      const RowByRow::Taste& taste = kTastes[i / kSides];
      const size_t moves = Construct(puzzle, i % kSides, taste, Walk::kCounted, out);
      if (moves >= least) continue;
      least = moves;
      best_side = i % kSides;
      best = &taste;
    }
  }
  Construct(puzzle, best_side, *best, Walk::kWritten, out);
}

}  // namespace sliding_tile
