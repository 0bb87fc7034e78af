#include "plugins/graph_tile/distances.h"

#include <algorithm>

#include "plugins/graph_tile/bipartite.h"

namespace graph_tile {

// A tile goes the other way than the blank, so from its place back to where it may come from is along the arcs.
Distances::Distances(const Instance& puzzle, const std::function<void()>& poll)
    : cells_(static_cast<size_t>(puzzle.cells())), table_(cells_ * cells_, 0) {
  std::vector<int> queue;
  for (int tile = 1; tile < puzzle.cells(); ++tile) {
    poll();
    uint16_t* row = &table_[static_cast<size_t>(tile) * cells_];
    std::fill_n(row, cells_, kFar);
    row[puzzle.goal_cell(tile)] = 0;
    queue.assign(1, puzzle.goal_cell(tile));
    for (size_t at = 0; at < queue.size(); ++at) {
      const int cell = queue[at];
      for (uint32_t arc = puzzle.first(cell); arc < puzzle.first(cell + 1); ++arc) {
        const int from = puzzle.target(arc);
        if (row[from] != kFar) continue;
        row[from] = static_cast<uint16_t>(row[cell] + 1);
        queue.push_back(from);
      }
    }
  }
}

bool IsBipartite(const Instance& puzzle) {
  // An edge counts whichever way it goes.
  std::vector<std::vector<int>> near(puzzle.cells());
  for (uint32_t arc = 0; arc < puzzle.view().arcs; ++arc) {
    near[puzzle.source(arc)].push_back(puzzle.target(arc));
    near[puzzle.target(arc)].push_back(puzzle.source(arc));
  }
  return IsBipartite(near);
}

}  // namespace graph_tile
