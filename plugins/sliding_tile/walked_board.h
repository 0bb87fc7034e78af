// A board while the blank walks over it; every step is written down. A step back over the step before takes that one
// away instead.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_WALKED_BOARD_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_WALKED_BOARD_H_

#include <cstddef>
#include <vector>

#include "astrolabe/sdk/op_writer.h"
#include "plugins/sliding_tile/moves.h"
#include "plugins/sliding_tile/puzzle.h"
#include "plugins/sliding_tile/turned_board.h"

namespace sliding_tile {

class WalkedBoard {
 public:
  // Only counts the steps, or writes what they are on the board itself. Asks `out` now and then all the same whether
  // the host has had enough.
  enum class Walk { kCounted, kWritten };

  // Walks on `turned`, whose tiles these are. Both references are kept.
  WalkedBoard(const TurnedBoard& turned, const Shape& shape, Tiles tiles, Walk walk, astro::OpWriter& out);

  int blank() const { return square_[0]; }
  int square(int tile) const { return square_[static_cast<size_t>(tile)]; }
  int tile(int square) const { return tiles_[static_cast<size_t>(square)]; }

  // The blank goes to a neighbour of its square.
  void Step(int to);
  // How many steps there were.
  size_t Finish();

 private:
  void Write(astro_op op);
  void Flush(size_t count);

  const TurnedBoard& turned_;
  const int cols_;  // of the board itself
  const Moves moves_;
  Tiles tiles_;
  std::vector<int> square_;  // of each tile
  const Walk walk_;
  astro::OpWriter& out_;
  std::vector<astro_op> ops_;  // not yet written; the newest stay, for steps back
  size_t written_ = 0;
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_WALKED_BOARD_H_
