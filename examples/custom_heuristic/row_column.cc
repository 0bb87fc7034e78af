// A heuristic in one file: tiles out of their row plus tiles out of their column.
#include <astrolabe/sdk/heuristic.h>
#include <astrolabe/sliding_tile/board.h>

namespace {

struct RowColumn {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "row_column",
      .summary = "Tiles out of their row plus tiles out of their column",
      .doc =
          "A move changes the row or the column of one tile, so each tile that is out of its row, and each that is\n"
          "out of its column, costs at least one move. The blank is not counted.",
      .admissible = true,
      .consistent = true,
  };

  explicit RowColumn(const sliding_tile::Instance& puzzle) : puzzle(puzzle) {}

  // Called for every state; this alone would be enough.
  int Evaluate(const sliding_tile::Board& board) const {
    int estimate = 0;
    for (int square = 0; square < board.cells(); ++square) {
      if (const int tile = board.tile(square); tile != 0) estimate += Out(tile, square);
    }
    return estimate;
  }

  // Optional, and two to three times faster: what h becomes when `move` is made on `parent`.
  int EvaluateMove(const sliding_tile::Board& parent, int parent_h, sliding_tile::Move move) const {
    const int tile = parent.tile(move.from);
    return parent_h - Out(tile, move.from) + Out(tile, move.to);
  }

  int Out(int tile, int square) const {
    return (puzzle.row(square) != puzzle.goal_row(tile)) + (puzzle.col(square) != puzzle.goal_col(tile));
  }

  sliding_tile::Instance puzzle;
};

}  // namespace

ASTRO_PLUGIN("org.example.row_column", "1.0.0", astro::Heuristic<RowColumn, sliding_tile::Problem>);
