// Rotations and reflections of a board, as maps of squares.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_SYMMETRY_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_SYMMETRY_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace sliding_tile {

using SquareMap = std::vector<uint8_t>;  // [square] -> square

// All that take the board to itself: 8 of a square board, else 4. The identity is first; reflections at a diagonal come
// before the others. For boards of up to 256 squares.
inline std::vector<SquareMap> BoardSymmetries(int rows, int cols) {
  std::vector<SquareMap> all;
  for (const bool transpose : {false, true}) {
    if (transpose && rows != cols) continue;
    for (const auto& [flip_rows, flip_cols] : {std::pair{false, false}, {true, true}, {false, true}, {true, false}}) {
      SquareMap map;
      for (int square = 0; square < rows * cols; ++square) {
        const int row = square / cols;
        const int col = square % cols;
        const int new_row = transpose ? col : row;
        const int new_col = transpose ? row : col;
        map.push_back(static_cast<uint8_t>((flip_rows ? rows - 1 - new_row : new_row) * cols +
                                           (flip_cols ? cols - 1 - new_col : new_col)));
      }
      // The identity, then the diagonals.
      const bool early = transpose && flip_rows == flip_cols;
      all.insert(early ? all.begin() + 1 : all.end(), std::move(map));
    }
  }
  return all;
}

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_SYMMETRY_H_
