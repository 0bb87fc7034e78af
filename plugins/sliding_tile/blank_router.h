// Ways of the blank past squares that it must not disturb.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BLANK_ROUTER_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BLANK_ROUTER_H_

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "plugins/sliding_tile/puzzle.h"
#include "plugins/sliding_tile/walked_board.h"

namespace sliding_tile {

class BlankRouter {
 public:
  // The board outlives it.
  BlankRouter(const Shape& shape, const Tiles& goal, const WalkedBoard& board);

  void Lock(int square) { locked_[square] = 1; }
  bool locked(int square) const { return locked_[square] != 0; }
  int Distance(int a, int b) const { return std::abs(row_[a] - row_[b]) + std::abs(col_[a] - col_[b]); }
  // Calls f for each neighbour of a square.
  template <class F>
  void ForNeighbours(int square, F&& f) const {
    const int col = col_[square];
    if (square >= shape_.cols) f(square - shape_.cols);
    if (col > 0) f(square - 1);
    if (col + 1 < shape_.cols) f(square + 1);
    if (square + shape_.cols < shape_.cells()) f(square + shape_.cols);
  }

  struct Way {
    std::vector<int> squares;  // the last first; empty when the blank is there
    int gain = 0;              // by how much the tiles that it moves come nearer to their places
  };

  // A way of the blank to a square, past those that are locked and `avoid`. It exists: see RowByRow. Of the straight
  // ones it is that of the greatest gain, since whatever lies on it is moved by one square: nearer to its place, if
  // possible.
  void Find(int to, int avoid, Way& way) {
    if (!FindStraight(to, avoid, way)) FindAny(to, avoid, way);
  }

 private:
  // What is gained when the blank goes from one square to a neighbour.
  int Gain(int from, int to) const {
    const int place = place_[board_.tile(to)];
    return Distance(to, place) - Distance(from, place);
  }

  bool FindStraight(int to, int avoid, Way& way);
  void FindAny(int to, int avoid, Way& way);
  void Collect(int from, int to, Way& way) const;

  const Shape shape_;
  const WalkedBoard& board_;
  std::vector<int> row_;  // of each square
  std::vector<int> col_;
  const Tiles place_;  // of each tile in the goal
  std::vector<uint8_t> locked_;
  std::vector<uint32_t> met_;  // in which search
  std::vector<int> gain_;      // of the best straight way to a square
  std::vector<int> came_from_;
  std::vector<int> near_;
  std::vector<int> far_;
  uint32_t search_ = 0;
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BLANK_ROUTER_H_
