// The blocks of a graph: its largest parts that no single cell cuts in two, an edge alone among them.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_BLOCKS_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_BLOCKS_H_

#include <cstdint>
#include <vector>

#include "plugins/graph_tile/arcs.h"

namespace graph_tile {

// Seen from one cell of the graph: `gate` is the cell of the block that is nearest to it, `inner` are the others. Every
// cell but that one is inner in exactly one block.
struct Block {
  uint16_t gate;
  std::vector<uint16_t> inner;
};

// The blocks of the component of `from`, in time linear in it. `arcs` is symmetric.
std::vector<Block> FindBlocks(const Arcs& arcs, int from);

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_BLOCKS_H_
