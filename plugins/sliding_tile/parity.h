// Can the goal be reached? By permutation parity, for any shape and any goal.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PARITY_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PARITY_H_

#include <string>

#include "plugins/sliding_tile/puzzle.h"

namespace sliding_tile {

struct ParityAnswer {
  bool solvable = false;
  std::string reason;  // in words
};

ParityAnswer CheckParity(const Puzzle& puzzle);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PARITY_H_
