// Evaluate and EvaluateMove.
#include "tests/bench/plugins/sdk_manhattan.h"

namespace {

struct Moves : sdk_manhattan::Distances {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "sdk_move", .summary = "Manhattan distance, with EvaluateMove", .admissible = true, .consistent = true};
  using Distances::Distances;

  int EvaluateMove(const sliding_tile::Board& parent, int parent_h, sliding_tile::Move move) const {
    const int tile = parent.tile(move.from);
    return parent_h - Of(tile, move.from) + Of(tile, move.to);
  }
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.sdk_move", "1.0.0", astro::Heuristic<Moves, sliding_tile::Problem>);
