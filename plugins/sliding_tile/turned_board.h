// A board as it looks from another side: turned, mirrored, or both.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_TURNED_BOARD_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_TURNED_BOARD_H_

#include <utility>
#include <vector>

#include "plugins/sliding_tile/puzzle.h"

namespace sliding_tile {

class TurnedBoard {
 public:
  // `side` of 8; the first is the board as it is, the last 4 have rows for columns.
  TurnedBoard(const Shape& shape, int side) : shape_(shape) {
    const bool swapped = (side & 4) != 0;
    if (swapped) std::swap(shape_.rows, shape_.cols);
    squares_.reserve(static_cast<size_t>(shape.cells()));
    for (int row = 0; row < shape_.rows; ++row) {
      for (int col = 0; col < shape_.cols; ++col) {
        int there_row = swapped ? col : row;
        int there_col = swapped ? row : col;
        if ((side & 1) != 0) there_row = shape.rows - 1 - there_row;
        if ((side & 2) != 0) there_col = shape.cols - 1 - there_col;
        squares_.push_back(there_row * shape.cols + there_col);
      }
    }
  }

  const Shape& shape() const { return shape_; }
  // The square of the board itself that is seen on a square of this one.
  int Square(int square) const { return squares_[static_cast<size_t>(square)]; }
  Tiles Seen(const Tiles& tiles) const {
    Tiles seen(tiles.size());
    for (size_t square = 0; square < seen.size(); ++square) seen[square] = tiles[static_cast<size_t>(squares_[square])];
    return seen;
  }

 private:
  Shape shape_;
  std::vector<int> squares_;
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_TURNED_BOARD_H_
