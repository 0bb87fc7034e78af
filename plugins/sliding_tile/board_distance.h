// Manhattan distance from one board to any other.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_DISTANCE_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_DISTANCE_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "astrolabe/abi/types.h"
#include "plugins/sliding_tile/moves.h"
#include "plugins/tiles/board_space.h"

namespace sliding_tile {

// As the SDK wants it (astrolabe/sdk/problem.h). What boards have in common costs no more than comparing memory: where
// this is used, boards of thousands of squares differ in a few.
class BoardDistance {
 public:
  // All outlive it: moves and space of the problem, row and column of each square.
  BoardDistance(const Moves& moves, const tiles::BoardSpace<Moves>& space, const uint8_t* row, const uint8_t* col);

  void Bind(const void* target);
  int64_t Evaluate(const void* board) const;
  int64_t EvaluateOp(const void* parent, int64_t parent_h, astro_op op) const {
    const auto from = static_cast<int>(moves_->Target(op));
    const auto to = static_cast<int>(Moves::BlankOf(op));
    const uint32_t tile = space_->Tile(parent, from);
    return parent_h + Steps(tile, to) - Steps(tile, from);
  }

 private:
  // Calls f with each square that differs, or may.
  template <class F>
  void EachDifference(const void* board, F&& f) const;

  int Steps(uint32_t tile, int square) const {
    const int place = place_[tile];
    return std::abs(row_[square] - row_[place]) + std::abs(col_[square] - col_[place]);
  }

  const Moves* moves_;
  const tiles::BoardSpace<Moves>* space_;
  const uint8_t* row_;
  const uint8_t* col_;
  std::vector<uint16_t> place_;   // of each tile in the target
  std::vector<uint64_t> target_;  // its bytes
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_DISTANCE_H_
