// attacking_pairs: how many pairs of queens attack each other; the objective of local search on queens.
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "astrolabe/queens/board.h"
#include "astrolabe/sdk/heuristic.h"
#include "plugins/queens/attacking_pairs_trail.h"
#include "plugins/queens/pairs.h"

namespace {

using queens::Board;
using queens::Family;
using queens::Instance;
using queens::Move;

class AttackingPairs {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "attacking_pairs",
      .summary = "pairs of queens that attack each other; the objective of local search",
      .doc =
          "All pairs of queens in one row or on one diagonal, whatever stands between them: six queens on the main\n"
          "diagonal are 15 pairs. 0 on solutions alone. Not a bound on the number of moves, since one move can part\n"
          "many pairs. In the incremental formulation, where no placed queen attacks another, it is the number of\n"
          "columns that still need a queen: admissible and consistent, and all solutions are equally far.",
      .admissible = true,
      .consistent = true,
      .objective_name = "conflicts",
  };

  explicit AttackingPairs(const Instance& instance) : instance_(instance) {}

  uint32_t Claims() const {
    return instance_.incremental() ? uint32_t{ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_CONSISTENT} : 0;
  }

  // Counts of one family of lines.
  using Context = std::unique_ptr<uint32_t[]>;
  Context OpenContext(uint64_t) const {
    return std::make_unique_for_overwrite<uint32_t[]>(queens::LinesOf(instance_.queens()));
  }
  int64_t Evaluate(const Board& board, Context& counts) const {
    const uint32_t placed = Placed(board);
    return queens::CountPairs(board, placed, counts.get()) + (board.queens() - placed);
  }

  // A row that is an operator is attacked by no queen before it.
  int64_t EvaluateMove(const Board& board, int64_t h, const Move& move) const {
    if (instance_.incremental()) return h - 1;
    return h + Attackers(board, move.column, move.row) - Attackers(board, move.column, board.row(move.column));
  }

  using Trail = queens::AttackingPairsTrail;
  Trail OpenTrail(astro::Host host) const { return Trail(instance_.queens(), host); }

  // How many of each direction, and on small boards which.
  void Explain(const Board& board, astro::Writer& out) const {
    const uint32_t placed = Placed(board);
    std::vector<uint32_t> counts(queens::LinesOf(board.queens()));
    for (const Family family : queens::kFamilies) {
      const int64_t pairs = queens::CountPairs(family, board, placed, counts.data());
      out << NameOf(family) << ": " << pairs << (pairs == 1 ? " pair\n" : " pairs\n");
    }
    if (placed < board.queens()) out << "columns without a queen: " << board.queens() - placed << '\n';
    if (board.queens() > kMaxListed) return;
    for (uint32_t left = 0; left < placed; ++left) {
      for (uint32_t right = left + 1; right < placed; ++right) {
        for (const Family family : queens::kFamilies) {
          if (LineOf(family, board, left) != LineOf(family, board, right)) continue;
          out << "columns " << left << " and " << right << ": " << NameOf(family) << '\n';
        }
      }
    }
  }

 private:
  static constexpr uint32_t kMaxListed = 40;  // queens

  static std::string_view NameOf(Family family) {
    switch (family) {
      case Family::kRow:
        return "row";
      case Family::kRising:
        return "rising diagonal";
      default:
        return "falling diagonal";
    }
  }
  static uint32_t LineOf(Family family, const Board& board, uint32_t column) {
    return queens::LineOf(family, board.queens(), column, board.row(column));
  }
  // Queens of the other columns that attack this square.
  static int64_t Attackers(const Board& board, uint32_t column, uint32_t row) {
    int64_t attackers = 0;
    for (uint32_t other = 0; other < board.queens(); ++other) {
      const uint32_t at = board.row(other);
      const bool attacks = at == row || at + other == row + column || at + column == row + other;
      attackers += attacks && other != column ? 1 : 0;
    }
    return attackers;
  }
  uint32_t Placed(const Board& board) const { return instance_.incremental() ? board.placed() : board.queens(); }

  Instance instance_;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.attacking_pairs", "1.0.0", astro::Heuristic<AttackingPairs, queens::Problem>);
