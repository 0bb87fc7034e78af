// How many moves a tile needs at least to its place, from every cell, when nothing is in its way.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_DISTANCES_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_DISTANCES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "astrolabe/graph_tile/board.h"

namespace graph_tile {

// Shortest ways in the graph, for all pairs of a tile and a cell: one breadth-first search a tile.
class Distances {
 public:
  static constexpr uint16_t kFar = UINT16_MAX;  // there is no way

  // Calls `poll` before each search; it may throw.
  Distances(const Instance& puzzle, const std::function<void()>& poll);

  uint16_t of(int tile, int cell) const { return table_[static_cast<size_t>(tile) * cells_ + cell]; }
  size_t bytes() const { return table_.size() * sizeof(table_[0]); }

 private:
  size_t cells_;
  std::vector<uint16_t> table_;  // [tile][cell]; the row of the blank is zero
};

// No edge joins two cells of the same colour: every move of a tile changes its distance by an odd number.
bool IsBipartite(const Instance& puzzle);

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_DISTANCES_H_
