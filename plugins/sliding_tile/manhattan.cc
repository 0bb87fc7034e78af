// Manhattan distance: the sum over the tiles of the rows and columns between a tile and its place.
#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/per_tile.h"
#include "plugins/sliding_tile/line_distance.h"

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
    return sliding_tile::ManhattanCost(puzzle, tile, square);
  }
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.manhattan", "1.0.0", astro::Heuristic<Manhattan, sliding_tile::Problem>);
