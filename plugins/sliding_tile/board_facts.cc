#include "plugins/sliding_tile/board_facts.h"

#include <cstdlib>
#include <utility>

namespace sliding_tile {

int Hamming(const Puzzle& puzzle) {
  int wrong = 0;
  for (size_t square = 0; square < puzzle.start.size(); ++square) {
    const uint16_t tile = puzzle.start[square];
    wrong += tile != 0 && tile != puzzle.goal[square];
  }
  return wrong;
}

int64_t Manhattan(const Puzzle& puzzle) {
  const int cols = puzzle.shape.cols;
  std::vector<int> goal_square(puzzle.goal.size());
  for (int square = 0; square < puzzle.shape.cells(); ++square) goal_square[puzzle.goal[square]] = square;
  int64_t steps = 0;
  for (int square = 0; square < puzzle.shape.cells(); ++square) {
    const uint16_t tile = puzzle.start[square];
    if (tile == 0) continue;
    const int goal = goal_square[tile];
    steps += std::abs(square / cols - goal / cols) + std::abs(square % cols - goal % cols);
  }
  return steps;
}

Tiles Twin(const Shape& shape, const Tiles& tiles) {
  Tiles twin = tiles;
  for (int square = 0; square + 1 < shape.cells(); ++square) {
    const bool same_row = square % shape.cols + 1 < shape.cols;
    if (!same_row || tiles[square] == 0 || tiles[square + 1] == 0) continue;
    std::swap(twin[square], twin[square + 1]);
    break;
  }
  return twin;
}

}  // namespace sliding_tile
