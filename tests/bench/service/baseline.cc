#include "tests/bench/service/baseline.h"

#include <cstdlib>
#include <utility>

namespace astrolabe::bench {
namespace {

constexpr int kNowhere = 4;  // "came from": no direction

// Directions up, left, right, down of the blank; the opposite of d is 3 - d.
constexpr int Step(int direction) { return direction == 0 ? -4 : direction == 1 ? -1 : direction == 2 ? 1 : 4; }
constexpr bool Possible(int square, int direction) {
  switch (direction) {
    case 0:
      return square >= 4;
    case 1:
      return square % 4 != 0;
    case 2:
      return square % 4 != 3;
    default:
      return square < 12;
  }
}
int Distance(int tile, int square) { return std::abs(tile / 4 - square / 4) + std::abs(tile % 4 - square % 4); }

int Manhattan(const Board& board) {
  int sum = 0;
  for (int square = 0; square < 16; ++square) {
    if (board[square] != 0) sum += Distance(board[square], square);
  }
  return sum;
}
int Blank(const Board& board) {
  int square = 0;
  while (board[square] != 0) ++square;
  return square;
}

class ByteArraySearch {
 public:
  ByteArraySearch() {
    for (int tile = 1; tile < 16; ++tile) {
      for (int from = 0; from < 16; ++from) {
        for (int to = 0; to < 16; ++to)
          change_[tile][from][to] = static_cast<int8_t>(Distance(tile, to) - Distance(tile, from));
      }
    }
  }
  SearchCount Solve(const Board& start) {
    board_ = start;
    generated_ = 1;
    const int h = Manhattan(start);
    for (int bound = h;; bound += 2) {
      if (Visit(Blank(start), kNowhere, h, bound)) return {generated_, bound};
    }
  }

 private:
  bool Visit(int blank, int undo, int h, int slack) {
    if (h == 0) return true;
    for (int d = 0; d < 4; ++d) {
      if (d == undo || !Possible(blank, d)) continue;
      ++generated_;
      const int from = blank + Step(d);
      const int tile = board_[from];
      const int child_h = h + change_[tile][from][blank];
      if (child_h > slack - 1) continue;
      board_[blank] = static_cast<uint8_t>(tile);
      board_[from] = 0;
      const bool found = Visit(from, 3 - d, child_h, slack - 1);
      board_[from] = static_cast<uint8_t>(tile);
      board_[blank] = 0;
      if (found) return true;
    }
    return false;
  }
  Board board_{};
  int64_t generated_ = 0;
  int8_t change_[16][16][16] = {};
};

// What a move does to f = g + h, in units of kUnit; never negative for these.
//   int At(blank, direction, tile)     the tile from there goes to the blank

// A move either keeps f (the tile comes nearer) or adds 2: a bit tells.
class ManhattanRises {
 public:
  static constexpr int kUnit = 2;
  static int TileCost(int tile, int square) { return Distance(tile, square); }

  void Set(int blank, int direction, int tile, int rise) {
    if (rise > 0) away_[blank][direction] |= static_cast<uint16_t>(1u << tile);
  }
  int At(int blank, int direction, uint64_t tile) const {
    return static_cast<int>((away_[blank][direction] >> tile) & 1);
  }

 private:
  uint16_t away_[16][4] = {};
};

// 0, 1 or 2, from a table.
class HammingRises {
 public:
  static constexpr int kUnit = 1;
  static int TileCost(int tile, int square) { return tile != square; }

  void Set(int blank, int direction, int tile, int rise) { rise_[blank][direction][tile] = static_cast<int8_t>(rise); }
  int At(int blank, int direction, uint64_t tile) const { return rise_[blank][direction][tile]; }

 private:
  int8_t rise_[16][4][16] = {};
};

template <class Rises>
class RegisterSearch {
 public:
  RegisterSearch() {
    for (int blank = 0; blank < 16; ++blank) {
      for (int d = 0; d < 4; ++d) {
        if (!Possible(blank, d)) continue;
        for (int tile = 1; tile < 16; ++tile) {
          const int change = Rises::TileCost(tile, blank) - Rises::TileCost(tile, blank + Step(d));
          rises_.Set(blank, d, tile, (1 + change) / Rises::kUnit);
        }
      }
    }
    for (int square = 0; square < 16; ++square) goal_ |= static_cast<uint64_t>(square) << (4 * square);
  }
  SearchCount Solve(const Board& start) {
    uint64_t state = 0;
    int h = 0;
    for (int square = 0; square < 16; ++square) {
      state |= static_cast<uint64_t>(start[square]) << (4 * square);
      if (start[square] != 0) h += Rises::TileCost(start[square], square);
    }
    generated_ = 1;
    for (int slack = 0;; ++slack) {
      if (Start(state, Blank(start), slack, std::make_index_sequence<16>())) {
        return {generated_, h + Rises::kUnit * slack};
      }
    }
  }

 private:
  template <size_t... kSquares>
  bool Start(uint64_t state, int blank, int slack, std::index_sequence<kSquares...>) {
    bool found = false;
    ((blank == static_cast<int>(kSquares) && (found = Visit<kSquares, kNowhere>(state, slack))), ...);
    return found;
  }
  template <int kBlank, int kUndo>
  bool Visit(uint64_t state, int slack) {
    if constexpr (kBlank == 0) {
      if (state == goal_) return true;
    }
    return Move<kBlank, kUndo, 0>(state, slack) || Move<kBlank, kUndo, 1>(state, slack) ||
           Move<kBlank, kUndo, 2>(state, slack) || Move<kBlank, kUndo, 3>(state, slack);
  }
  template <int kBlank, int kUndo, int kDirection>
  bool Move(uint64_t state, int slack) {
    if constexpr (Possible(kBlank, kDirection) && kDirection != kUndo) {
      constexpr int kFrom = kBlank + Step(kDirection);
      ++generated_;
      const uint64_t tile = (state >> (4 * kFrom)) & 15;
      const int left = slack - rises_.At(kBlank, kDirection, tile);
      if (left >= 0) return Visit<kFrom, 3 - kDirection>(state ^ (tile << (4 * kFrom)) ^ (tile << (4 * kBlank)), left);
    }
    return false;
  }
  Rises rises_;
  uint64_t goal_ = 0;
  int64_t generated_ = 0;
};

}  // namespace

SearchCount SolveWithByteArray(const Board& start) { return ByteArraySearch().Solve(start); }
SearchCount SolveWithRegister(const Board& start) { return RegisterSearch<ManhattanRises>().Solve(start); }
SearchCount SolveHammingWithRegister(const Board& start) { return RegisterSearch<HammingRises>().Solve(start); }

}  // namespace astrolabe::bench
