// A solution without search, for boards of any size and any goal.
//
// Tiles are brought to their places row by row from the top, and when two rows are left, column by column from the
// left; what is in its place is not moved again, but for the corner of a row: its last tile is brought below its place
// and then in by a fixed sequence of 13 moves that puts the tile beside it back. In the last square of four the blank
// goes round until all is right. When the blank's place in the goal is not the last corner, the goal is taken as it
// would be after the blank had gone there, and in the end the blank goes back. A tile needs at most about five moves
// for each of its steps, so there are O(N^3) of them on a board of N x N.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_CONSTRUCT_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_CONSTRUCT_H_

#include "astrolabe/sdk/op_writer.h"
#include "plugins/sliding_tile/puzzle.h"

namespace sliding_tile {

// Writes the moves. Throws astro::Refused when the goal cannot be reached, astro::Cancelled when `out` does. Memory:
// some bytes a square.
void ConstructSolution(const Puzzle& puzzle, astro::OpWriter& out);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_CONSTRUCT_H_
