// No estimate at all: what a search does without one.
#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/per_tile.h"

namespace {

struct Zero : sliding_tile::PerTile<Zero> {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "zero",
      .summary = "Always 0: no estimate, to compare with",
      .doc = "With it A* is Dijkstra's algorithm and IDA* is iterative deepening. Any other heuristic here is better.",
      .admissible = true,
      .consistent = true,
  };

  using PerTile::PerTile;

  static int TileCost(const sliding_tile::Instance&, int, int) { return 0; }
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.zero", "1.0.0", astro::Heuristic<Zero, sliding_tile::Problem>);
