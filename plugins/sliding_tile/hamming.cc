// Misplaced tiles.
#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/per_tile.h"

namespace {

struct Hamming : sliding_tile::PerTile<Hamming> {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "hamming",
      .summary = "Misplaced tiles: how many tiles are not in their place",
      .doc = "Every misplaced tile moves at least once. The blank is not counted. Weaker than manhattan.",
      .admissible = true,
      .consistent = true,
  };

  using PerTile::PerTile;

  static int TileCost(const sliding_tile::Instance& puzzle, int tile, int square) {
    return square == puzzle.goal_square(tile) ? 0 : 1;
  }
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.hamming", "1.0.0", astro::Heuristic<Hamming, sliding_tile::Problem>);
