// Squares that differ from the goal, the blank's among them: the score of the classic greedy solver on neighbour lists.
#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/board.h"
#include "plugins/tiles/mismatches.h"

namespace {

class MatchScore : public tiles::Mismatches<sliding_tile::Instance> {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "match_score",
      .summary = "Squares that differ from the goal, the blank's counted; for greedy search",
      .doc =
          "Not admissible: one move from the goal it is 2, so with A* and IDA* a solution may be longer than need be.\n"
          "It has wide plateaus; greedy search with it is quick on small boards only. For shortest solutions take\n"
          "hamming, which leaves the blank out, or manhattan, which is stronger.",
  };

  using Mismatches::Mismatches;

  void Explain(const sliding_tile::Board& board, astro::Writer& out) const {
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      if (Differs(tile, square) == 0) continue;
      out << "row " << instance().row(square) + 1 << ", column " << instance().col(square) + 1 << ": " << tile
          << " instead of " << instance().goal_tile(square) << '\n';
    }
  }
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.match_score", "1.0.0", astro::Heuristic<MatchScore, sliding_tile::Problem>);
