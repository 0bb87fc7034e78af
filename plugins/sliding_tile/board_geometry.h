// Where the blank can go on a board whose shape is known when this is compiled. Directions are numbered as in view.h:
// up, left, right, down.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_GEOMETRY_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_GEOMETRY_H_

namespace sliding_tile {

template <int kRows, int kCols>
struct BoardGeometry {
  static constexpr int kCells = kRows * kCols;
  static constexpr int kAnywhere = 4;  // as `back` at the root: no way back to leave out

  static constexpr int Step(int direction) {
    return direction == 0 ? -kCols : direction == 1 ? -1 : direction == 2 ? 1 : kCols;
  }
  // `back` is the direction that undoes the last move.
  static constexpr bool IsMove(int blank, int back, int direction) {
    if (direction == back) return false;
    const int row = blank / kCols;
    const int col = blank % kCols;
    return direction == 0 ? row > 0 : direction == 1 ? col > 0 : direction == 2 ? col + 1 < kCols : row + 1 < kRows;
  }
  // Moves among the directions below `end`.
  static constexpr int CountBelow(int blank, int back, int end) {
    int count = 0;
    for (int direction = 0; direction < end; ++direction) count += IsMove(blank, back, direction) ? 1 : 0;
    return count;
  }
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_GEOMETRY_H_
