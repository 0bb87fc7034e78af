// graph_match_score: how many cells do not hold what the goal has there, the blank's among them.
#include "astrolabe/graph_tile/board.h"
#include "astrolabe/sdk/heuristic.h"
#include "plugins/tiles/mismatches.h"

namespace {

using graph_tile::Board;
using graph_tile::Instance;

class GraphMatchScore : public tiles::Mismatches<Instance> {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "graph_match_score",
      .summary = "Cells that differ from the goal, the blank's counted; for greedy search, not admissible",
      .doc =
          "The score of the classic solver for boards given by neighbour lists, to be used with greedy search.\n"
          "Its limits: it is not admissible, as one move from the goal two cells differ, so no solution found with it\n"
          "is proven to be short. It does not see how far away a tile is: most moves do not change it, so a search\n"
          "wanders over wide plateaus, and a board in which every tile is one step from its place looks worst of all.\n"
          "Use sum_of_distances where the length counts.",
  };

  using Mismatches::Mismatches;

  void Explain(const Board& board, astro::Writer& out) const {
    for (int cell = 0; cell < board.cells(); ++cell) {
      if (Differs(board.tile(cell), cell) == 0) continue;
      out << "cell " << cell << " holds " << board.tile(cell) << ", the goal has " << instance().goal_tile(cell)
          << '\n';
    }
  }
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.graph_match_score", "1.0.0", astro::Heuristic<GraphMatchScore, graph_tile::Problem>);
