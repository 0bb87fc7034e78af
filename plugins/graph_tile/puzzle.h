// A puzzle as it was read: the cells and their neighbours, start and goal, checked.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_PUZZLE_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_PUZZLE_H_

#include <memory>

#include "plugins/graph_tile/arcs.h"
#include "plugins/tiles/arrangement.h"

namespace graph_tile {

// Tile on each cell; 0 is the blank. Of a puzzle always a permutation of 0 .. cells - 1.
using tiles::Tiles;

// Copies share the arcs.
struct Puzzle {
  std::shared_ptr<const Arcs> arcs;
  Tiles start;
  Tiles goal;
};

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_PUZZLE_H_
