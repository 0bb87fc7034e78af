// Walking distance (Ken'ichiro Takahashi): moves up and down, and moves left and right, each counted exactly on a board
// where tiles of one row, or of one column, are alike.
#include <memory>
#include <string>

#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/board.h"
#include "plugins/sliding_tile/walking_table.h"

namespace {

using sliding_tile::Board;
using sliding_tile::Direction;
using sliding_tile::Instance;
using sliding_tile::Move;
using sliding_tile::WalkingShape;
using sliding_tile::WalkingTable;

class WalkingDistance {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "walking_distance",
      .summary = "Moves across rows and across columns, each counted on a board where tiles of one row are alike",
      .doc =
          "Takahashi's walking distance. A move up or down changes only how many tiles of each row stand in each row;\n"
          "a table gives the fewest that put that right, and another one those across columns. Their sum is at least\n"
          "manhattan. The tables are computed when a job starts (3 x 3 and 4 x 4: milliseconds) and take any goal.\n"
          "Boards with more than 8 rows and columns together are refused: 4 x 4, 3 x 5 and 2 x 6 are the largest.",
      .admissible = true,
      .consistent = true,
      .parity = true,
  };

  // Entries in the tables of rows and columns.
  struct Aux {
    uint32_t rows;
    uint32_t columns;
  };

  explicit WalkingDistance(const Instance& instance) : instance_(instance) {
    if (instance.rows() + instance.cols() > WalkingTable::kMaxSides) {
      throw astro::Refused(
          "walking_distance has no tables for boards of " + std::to_string(instance.rows()) + " x " +
              std::to_string(instance.cols()) + ": with more than " + std::to_string(WalkingTable::kMaxSides) +
              " rows and columns together they grow too big",
          "use linear_conflict, which takes any board, or pattern_database, which takes up to 64 squares");
    }
  }

  void Build(const astro::Host& host) {
    const int blank = instance_.goal_square(0);
    const WalkingShape rows{instance_.rows(), instance_.cols(), instance_.row(blank)};
    const WalkingShape columns{instance_.cols(), instance_.rows(), instance_.col(blank)};
    rows_ = std::make_shared<const WalkingTable>(rows, host);
    columns_ = rows == columns ? rows_ : std::make_shared<const WalkingTable>(columns, host);
  }

  Aux RootAux(const Board& board) const {
    WalkingTable::Counts rows;
    WalkingTable::Counts columns;
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      if (tile == 0) {
        rows.blank_line = instance_.row(square);
        columns.blank_line = instance_.col(square);
      } else {
        ++rows.tiles[instance_.row(square)][instance_.goal_row(tile)];
        ++columns.tiles[instance_.col(square)][instance_.goal_col(tile)];
      }
    }
    return {rows_->IndexOf(rows), columns_->IndexOf(columns)};
  }

  int64_t Evaluate(const Board& board) const {
    const Aux aux = RootAux(board);
    return rows_->moves(aux.rows) + columns_->moves(aux.columns);
  }

  int64_t EvaluateMove(const Board& parent, int64_t parent_h, const Aux& in, const Move& move, Aux& out) const {
    const int tile = parent.tile(move.from);
    out = in;
    if (move.blank_direction == Direction::kUp || move.blank_direction == Direction::kDown) {
      out.rows = rows_->Next(in.rows, move.blank_direction == Direction::kDown, instance_.goal_row(tile));
      return parent_h + rows_->moves(out.rows) - rows_->moves(in.rows);
    }
    out.columns = columns_->Next(in.columns, move.blank_direction == Direction::kRight, instance_.goal_col(tile));
    return parent_h + columns_->moves(out.columns) - columns_->moves(in.columns);
  }

  int64_t MaxH() const { return rows_->max_moves() + columns_->max_moves(); }
  uint64_t MemoryBytes() const { return rows_->bytes() + (columns_ == rows_ ? 0 : columns_->bytes()); }

  void Explain(const Board& board, astro::Writer& out) const {
    const Aux aux = RootAux(board);
    out << "moves up and down: " << rows_->moves(aux.rows) << "\nmoves left and right: " << columns_->moves(aux.columns)
        << '\n';
  }

 private:
  Instance instance_;
  // Set by Build. One table when rows and columns are alike.
  std::shared_ptr<const WalkingTable> rows_;
  std::shared_ptr<const WalkingTable> columns_;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.walking_distance", "1.0.0", astro::Heuristic<WalkingDistance, sliding_tile::Problem>);
