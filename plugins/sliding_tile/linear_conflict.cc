// Linear conflict: Manhattan distance, and two moves for every tile that must leave its line to let others pass.
#include <array>
#include <optional>

#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/board.h"
#include "plugins/sliding_tile/line_conflicts.h"
#include "plugins/sliding_tile/line_distance.h"

namespace {

using sliding_tile::Board;
using sliding_tile::Direction;
using sliding_tile::Instance;
using sliding_tile::Move;

// The rows of a board, or its columns.
class Lines {
 public:
  Lines(const Instance& puzzle, bool rows)
      : instance_(puzzle),
        rows_(rows),
        count_(rows ? puzzle.rows() : puzzle.cols()),
        length_(rows ? puzzle.cols() : puzzle.rows()),
        first_step_(rows ? puzzle.cols() : 1),
        step_(rows ? 1 : puzzle.cols()) {
    if (length_ <= sliding_tile::RemovalTable::kMaxLength) table_.emplace(length_);
  }

  int count() const { return count_; }
  int LineOf(int square) const { return rows_ ? instance_.row(square) : instance_.col(square); }
  int GoalLine(int tile) const { return LineOf(instance_.goal_square(tile)); }
  int Square(int line, int i) const { return line * first_step_ + i * step_; }
  int length() const { return length_; }

  // Tiles of `line` that must leave it. `tile_at`: (square) -> tile.
  template <class TileAt>
  [[gnu::always_inline]] int Removals(int line, const TileAt& tile_at) const {
    int square = line * first_step_;
    if (table_) [[likely]] {
      uint32_t key = 0;
      for (int i = 0; i < length_; ++i, square += step_) {
        key |= Place(line, tile_at(square)) << (sliding_tile::RemovalTable::kPlaceBits * i);
      }
      return (*table_)[key];
    }
    std::array<uint8_t, 128> places;
    for (int i = 0; i < length_; ++i, square += step_) {
      places[i] = static_cast<uint8_t>(Place(line, tile_at(square)));
    }
    return sliding_tile::CountRemovals(places.data(), length_);
  }

  uint64_t MemoryBytes() const { return table_ ? table_->bytes() : 0; }

 private:
  // 1 + where in `line` the tile belongs; 0: not there, or the blank.
  uint32_t Place(int line, int tile) const {
    const int goal = instance_.goal_square(tile);
    if (tile == 0 || LineOf(goal) != line) return 0;
    return static_cast<uint32_t>(rows_ ? instance_.col(goal) : instance_.row(goal)) + 1;
  }

  Instance instance_;
  bool rows_;
  int count_;
  int length_;
  int first_step_;
  int step_;
  std::optional<sliding_tile::RemovalTable> table_;
};

class LinearConflict {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "linear_conflict",
      .summary = "Manhattan distance, and 2 for each tile that must leave its row or column to let others pass",
      .doc =
          "Tiles that stand in the row (or column) of their places in the wrong order cannot pass one another: the\n"
          "fewest that must step aside, counted for each line by a longest run of tiles in the right order, cost two\n"
          "moves each. Any board, any goal. Never below manhattan.",
      .admissible = true,
      .consistent = true,
      .parity = true,
  };

  explicit LinearConflict(const Instance& instance)
      : instance_(instance), rows_(instance, true), columns_(instance, false) {}

  int64_t Evaluate(const Board& board) const {
    int64_t h = 0;
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      if (tile != 0) h += sliding_tile::ManhattanCost(instance_, tile, square);
    }
    for (const Lines* lines : {&rows_, &columns_}) {
      for (int line = 0; line < lines->count(); ++line) h += 2 * Removals(*lines, line, board);
    }
    return h;
  }

  // A move down or up changes no column: the tile passes nobody there. It leaves one row and enters another, and only
  // the row where it belongs can tell.
  int64_t EvaluateMove(const Board& parent, int64_t parent_h, const Move& move) const {
    const bool vertical = move.blank_direction == Direction::kUp || move.blank_direction == Direction::kDown;
    return vertical ? Cross(rows_, parent, parent_h, move) : Cross(columns_, parent, parent_h, move);
  }

  uint64_t MemoryBytes() const { return rows_.MemoryBytes() + columns_.MemoryBytes(); }

  void Explain(const Board& board, astro::Writer& out) const {
    int64_t distance = 0;
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      if (tile != 0) distance += sliding_tile::ManhattanCost(instance_, tile, square);
    }
    out << "manhattan distance: " << distance << '\n';
    for (const Lines* lines : {&rows_, &columns_}) {
      for (int line = 0; line < lines->count(); ++line) {
        const int removals = Removals(*lines, line, board);
        if (removals == 0) continue;
        out << (lines == &rows_ ? "row " : "column ") << line + 1 << ": " << 2 * removals << "  (of its own tiles";
        for (int i = 0; i < lines->length(); ++i) {
          const int tile = board.tile(lines->Square(line, i));
          if (tile != 0 && lines->GoalLine(tile) == line) out << ' ' << tile;
        }
        out << ", " << removals << " must leave it)\n";
      }
    }
  }

 private:
  static int Removals(const Lines& lines, int line, const Board& board) {
    return lines.Removals(line, [&board](int square) { return board.tile(square); });
  }

  static int64_t Cross(const Lines& lines, const Board& parent, int64_t parent_h, const Move& move) {
    const int tile = parent.tile(move.from);
    const int home = lines.GoalLine(tile);
    const int from = lines.LineOf(move.from);
    const int to = lines.LineOf(move.to);
    if (home == from) {
      const auto without = [&](int square) { return square == move.from ? 0 : parent.tile(square); };
      return parent_h + 1 + 2 * (lines.Removals(from, without) - Removals(lines, from, parent));
    }
    if (home == to) {
      const auto with = [&](int square) { return square == move.to ? tile : parent.tile(square); };
      return parent_h - 1 + 2 * (lines.Removals(to, with) - Removals(lines, to, parent));
    }
    return parent_h + ((to > from) == (home > from) ? -1 : 1);
  }

  Instance instance_;
  Lines rows_;
  Lines columns_;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.linear_conflict", "1.0.0", astro::Heuristic<LinearConflict, sliding_tile::Problem>);
