// Tiles brought to their places row by row from the top, and when two rows are left, column by column from the left;
// what is in its place is not moved again, but for the gap of a row: its last tile is brought below its place and then
// in by a fixed sequence of 13 moves that puts the tile beside it back. In the last square of four the blank goes round
// until all is right. Of the ways that the blank can take it takes those that bring what they move nearer to its place.
// A tile needs at most about five moves for each of its steps, so there are O(N^3) of them on a board of N x N.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_ROW_BY_ROW_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_ROW_BY_ROW_H_

#include "plugins/sliding_tile/blank_router.h"
#include "plugins/sliding_tile/puzzle.h"
#include "plugins/sliding_tile/walked_board.h"

namespace sliding_tile {

class RowByRow {
 public:
  struct Taste {
    double worth = 1;       // of a tile one square nearer to its place, in moves
    bool both_ends = true;  // a row is filled from, whichever tile is nearer to the blank; else from the left
  };

  // The goal, which outlives it, has its blank on the last square, and can be reached.
  RowByRow(const Shape& shape, const Tiles& goal, const Taste& taste, WalkedBoard& board)
      : shape_(shape), goal_(goal), taste_(taste), board_(board), router_(shape, goal, board) {}

  void Run();

 private:
  struct Part;

  void FillRows(const Part& part);
  void FillGap(const Part& part, int row, int col);
  void Bring(int tile, int place);
  void FindNext(int at, int place);
  void TurnLastSquare();

  int Away(int tile) const { return router_.Distance(board_.blank(), board_.square(tile)); }
  void WalkTo(int square, int avoid) {
    router_.Find(square, avoid, way_);
    Walk(way_);
  }
  void Walk(const BlankRouter::Way& way) {
    for (auto step = way.squares.rbegin(); step != way.squares.rend(); ++step) board_.Step(*step);
  }

  const Shape shape_;
  const Tiles& goal_;
  const Taste taste_;
  WalkedBoard& board_;
  BlankRouter router_;
  BlankRouter::Way way_;
  BlankRouter::Way best_;  // to the square where a tile goes next
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_ROW_BY_ROW_H_
