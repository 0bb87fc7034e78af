// A solution without search, for boards of any size and any goal.
//
// Row by row (see row_by_row.h), from any of the board's eight sides and in some variants, of which the shortest is
// taken: as many are tried as cost little time, so that the largest boards have one. When the blank's place in the goal
// is not the last corner, the goal is taken as it would be after the blank had gone there, and in the end the blank
// goes back.
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
