// Gaschnig's heuristic: the fewest moves if a tile could jump from any square to the blank's.
#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/board.h"

namespace {

using sliding_tile::Board;
using sliding_tile::Instance;
using sliding_tile::Move;

class Gaschnig {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "gaschnig",
      .summary = "Fewest moves if any tile could jump into the blank's square",
      .doc =
          "Gaschnig 1979. The board is a permutation; the cycle through the blank is put right by one jump a tile, "
          "and\n"
          "every other cycle needs one more to bring the blank into it: misplaced tiles, and 1 for each such cycle.\n"
          "Never below hamming; on most boards below manhattan.",
      .admissible = true,
      .consistent = true,
      .parity = true,
  };

  explicit Gaschnig(const Instance& instance) : instance_(instance) {}

  int64_t Evaluate(const Board& board) const {
    int64_t h = 0;
    ForEachCycle(board, [&](int, int length, bool has_blank) { h += length + (has_blank ? -1 : 1); });
    return h;
  }

  // A jump within the blank's cycle cuts a cycle off it; any other joins the tile's cycle to it.
  int64_t EvaluateMove(const Board& parent, int64_t parent_h, const Move& move) const {
    const int tile = parent.tile(move.from);
    const int home = instance_.goal_square(tile);
    int64_t h = parent_h + (home != move.to ? 1 : 0) - (home != move.from ? 1 : 0);
    if (InBlankCycle(parent, move.from, move.to)) {
      h += home != move.to ? 1 : 0;
    } else {
      h -= home != move.from ? 1 : 0;
    }
    return h;
  }

  int64_t MaxH() const { return 3 * int64_t{instance_.cells()} / 2; }

  void Explain(const Board& board, astro::Writer& out) const {
    ForEachCycle(board, [&](int first, int length, bool has_blank) {
      out << "cycle";
      for (int i = 0, square = first; i < length; ++i, square = Next(board, square)) out << ' ' << board.tile(square);
      out << ": " << length + (has_blank ? -1 : 1) << (has_blank ? "  (the blank is in it)\n" : "\n");
    });
  }

 private:
  // Where the tile of `square` belongs.
  int Next(const Board& board, int square) const { return instance_.goal_square(board.tile(square)); }

  // `from` and the square of the blank are on one cycle.
  bool InBlankCycle(const Board& board, int from, int blank) const {
    for (int square = instance_.goal_square(0); square != blank; square = Next(board, square)) {
      if (square == from) return true;
    }
    return false;
  }

  // Cycles of two squares and more: f(first square, length, the blank is in it). A cycle is met at its lowest square.
  template <class F>
  void ForEachCycle(const Board& board, const F& f) const {
    for (int first = 0; first < board.cells(); ++first) {
      int length = 1;
      bool has_blank = board.tile(first) == 0;
      bool lowest = true;
      for (int square = Next(board, first); square != first && lowest; square = Next(board, square), ++length) {
        lowest = square > first;
        has_blank = has_blank || board.tile(square) == 0;
      }
      if (lowest && length > 1) f(first, length, has_blank);
    }
  }

  Instance instance_;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.gaschnig", "1.0.0", astro::Heuristic<Gaschnig, sliding_tile::Problem>);
