// What is known of a board without a search, beside what heuristics say.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_FACTS_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_FACTS_H_

#include "plugins/sliding_tile/puzzle.h"

namespace sliding_tile {

// Tiles that are not in their place in the goal; the blank is not counted.
int Hamming(const Puzzle& puzzle);

// Steps of all tiles to their places, each alone.
int64_t Manhattan(const Puzzle& puzzle);

// The board with the first two tiles exchanged that stand beside each other in a row: of the two, exactly one can reach
// the goal.
Tiles Twin(const Shape& shape, const Tiles& tiles);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_FACTS_H_
