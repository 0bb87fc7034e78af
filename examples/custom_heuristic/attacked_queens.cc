// An objective for local search in one file: queens that another one attacks, instead of attacking pairs.
#include <astrolabe/queens/board.h>
#include <astrolabe/sdk/heuristic.h>

namespace {

struct AttackedQueens {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "attacked_queens",
      .summary = "Queens that another one attacks",
      .doc =
          "0 on solutions alone. A queen that several others attack counts once, so that one bad queen weighs less\n"
          "than in attacking_pairs.",
      .objective_name = "attacked queens",
  };

  explicit AttackedQueens(const queens::Instance&) {}

  // Called for every neighbour of a state. It can be made faster by a Trail, which follows one state: sdk/local.h.
  int Evaluate(const queens::Board& board) const {
    int attacked = 0;
    for (uint32_t column = 0; column < board.queens(); ++column) attacked += IsAttacked(board, column) ? 1 : 0;
    return attacked;
  }

  static bool IsAttacked(const queens::Board& board, uint32_t column) {
    for (uint32_t other = 0; other < board.queens(); ++other) {
      if (other != column && Attack(board, column, other)) return true;
    }
    return false;
  }
  static bool Attack(const queens::Board& board, uint32_t a, uint32_t b) {
    const auto rows = static_cast<int64_t>(board.row(a)) - static_cast<int64_t>(board.row(b));
    const auto columns = static_cast<int64_t>(a) - static_cast<int64_t>(b);
    return rows == 0 || rows == columns || rows == -columns;
  }
};

}  // namespace

ASTRO_PLUGIN("org.example.attacked_queens", "1.0.0", astro::Heuristic<AttackedQueens, queens::Problem>);
