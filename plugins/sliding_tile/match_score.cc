// Squares that differ from the goal, the blank's among them: the score of the classic greedy solver on neighbour lists.
#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/board.h"

namespace {

class MatchScore {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "match_score",
      .summary = "Squares that differ from the goal, the blank's counted; for greedy search",
      .doc =
          "Not admissible: one move from the goal it is 2, so with A* and IDA* a solution may be longer than need be.\n"
          "It has wide plateaus; greedy search with it is quick on small boards only. For shortest solutions take\n"
          "hamming, which leaves the blank out, or manhattan, which is stronger.",
  };

  explicit MatchScore(const sliding_tile::Instance& instance) : instance_(instance) {}

  int64_t Evaluate(const sliding_tile::Board& board) const {
    int64_t differ = 0;
    for (int square = 0; square < board.cells(); ++square) differ += Differs(board.tile(square), square);
    return differ;
  }

  int64_t EvaluateMove(const sliding_tile::Board& parent, int64_t parent_h, const sliding_tile::Move& move) const {
    const int tile = parent.tile(move.from);
    return parent_h + Differs(tile, move.to) + Differs(0, move.from) - Differs(tile, move.from) - Differs(0, move.to);
  }

  int64_t MaxH() const { return instance_.cells(); }

  void Explain(const sliding_tile::Board& board, astro::Writer& out) const {
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      if (Differs(tile, square) == 0) continue;
      out << "row " << instance_.row(square) + 1 << ", column " << instance_.col(square) + 1 << ": " << tile
          << " instead of " << instance_.goal_tile(square) << '\n';
    }
  }

 private:
  int Differs(int tile, int square) const { return instance_.goal_square(tile) == square ? 0 : 1; }

  sliding_tile::Instance instance_;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.match_score", "1.0.0", astro::Heuristic<MatchScore, sliding_tile::Problem>);
