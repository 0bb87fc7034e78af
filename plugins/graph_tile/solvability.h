// Can the goal be reached? By theory, for every board whose moves go both ways.
//
// On a two-connected graph (R. M. Wilson, "Graph puzzles, homotopy, and the alternating group", 1974) the arrangements
// with the blank on one cell that can be reached from each other are: on a cycle those of the same cyclic order; on the
// graph theta-0 (a hexagon and a seventh cell joined to two opposite ones) a sixth of all; on any other graph all when
// it is not bipartite, else those of the same parity.
//
// On other connected graphs no tile passes a cell that cuts the graph, so every block (see blocks.h) is a puzzle of its
// own: when the blank comes into a block, it comes by the same cell, and the tiles that are behind that cell then are
// the same for ever. So bring the blank to its place in the goal by any way, then look at each block for itself.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_SOLVABILITY_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_SOLVABILITY_H_

#include <cstdint>
#include <string>

#include "plugins/graph_tile/puzzle.h"

namespace graph_tile {

struct SolvabilityAnswer {
  // ASTRO_SOLVABLE_*. Unknown only where moves go one way and would do if they went both ways.
  uint32_t solvable;
  std::string reason;  // in words
};

// In time linear in the board.
SolvabilityAnswer CheckSolvability(const Puzzle& puzzle);

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_SOLVABILITY_H_
