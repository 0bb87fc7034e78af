// A puzzle as it was read: the cells and their neighbours, start and goal, checked.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_PUZZLE_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_PUZZLE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/graph_tile/arcs.h"

namespace graph_tile {

// Tile on each cell; 0 is the blank. Always a permutation of 0 .. cells - 1.
using Tiles = std::vector<uint16_t>;

// Copies share the arcs.
struct Puzzle {
  std::shared_ptr<const Arcs> arcs;
  Tiles start;
  Tiles goal;
};

inline int CellOf(uint16_t tile, const Tiles& tiles) {
  int cell = 0;
  while (tiles[cell] != tile) ++cell;
  return cell;
}

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_PUZZLE_H_
