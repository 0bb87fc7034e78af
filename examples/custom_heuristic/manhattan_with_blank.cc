// A classic mistake: Manhattan distance that counts the blank as if it were a tile. It claims to be
// admissible and is not; the daemon finds out on the path it reports.
#include <astrolabe/sdk/heuristic.h>
#include <astrolabe/sliding_tile/board.h>

#include <cstdlib>

namespace {

struct ManhattanWithBlank {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "manhattan_with_blank",
      .summary = "WRONG on purpose: Manhattan distance with the blank counted",
      .admissible = true,  // it is not
  };

  explicit ManhattanWithBlank(const sliding_tile::Instance& puzzle) : puzzle(puzzle) {}

  int Evaluate(const sliding_tile::Board& board) const {
    int estimate = 0;
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      estimate +=
          std::abs(puzzle.row(square) - puzzle.goal_row(tile)) + std::abs(puzzle.col(square) - puzzle.goal_col(tile));
    }
    return estimate;
  }

  sliding_tile::Instance puzzle;
};

}  // namespace

ASTRO_PLUGIN("org.example.manhattan_with_blank", "1.0.0", astro::Heuristic<ManhattanWithBlank, sliding_tile::Problem>);
