// Evaluate alone.
#include "tests/bench/plugins/sdk_manhattan.h"

namespace {

struct WholeStates : sdk_manhattan::Distances {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "sdk_evaluate", .summary = "Manhattan distance, by Evaluate alone", .admissible = true, .consistent = true};
  using Distances::Distances;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.sdk_evaluate", "1.0.0", astro::Heuristic<WholeStates, sliding_tile::Problem>);
