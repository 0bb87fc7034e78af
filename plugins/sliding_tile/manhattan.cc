// Manhattan distance: the sum over the tiles of the rows and columns between a tile and its place.
#include <cstdlib>

#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/per_tile.h"

namespace {

struct Manhattan : sliding_tile::PerTile<Manhattan> {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "manhattan",
      .summary = "Manhattan distance: rows and columns of each tile from its place, summed",
      .doc =
          "Every move takes one tile one square, so h never exceeds the number of moves left. The blank is not\n"
          "counted. One move changes h by exactly 1, so h has the parity of the solution.",
      .admissible = true,
      .consistent = true,
      .parity = true,
  };

  using PerTile::PerTile;

  static int TileCost(const sliding_tile::Instance& puzzle, int tile, int square) {
    return std::abs(puzzle.row(square) - puzzle.goal_row(tile)) + std::abs(puzzle.col(square) - puzzle.goal_col(tile));
  }
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.manhattan", "1.0.0", astro::Heuristic<Manhattan, sliding_tile::Problem>);
