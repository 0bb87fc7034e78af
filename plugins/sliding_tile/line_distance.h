// Distances along rows and columns, for heuristics that build on the Manhattan distance.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_LINE_DISTANCE_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_LINE_DISTANCE_H_

#include <cstdlib>

#include "astrolabe/sliding_tile/board.h"

namespace sliding_tile {

// Rows and columns between `square` and the tile's place.
inline int ManhattanCost(const Instance& puzzle, int tile, int square) {
  return std::abs(puzzle.row(square) - puzzle.goal_row(tile)) + std::abs(puzzle.col(square) - puzzle.goal_col(tile));
}

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_LINE_DISTANCE_H_
