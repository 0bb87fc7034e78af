// Can the cells be coloured with two colours so that neighbours always differ?
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_BIPARTITE_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_BIPARTITE_H_

#include <cstddef>
#include <vector>

namespace graph_tile {

// `near`: the neighbours of each cell, each edge at both its ends. The graph may be in several parts.
inline bool IsBipartite(const std::vector<std::vector<int>>& near) {
  std::vector<int> colour(near.size(), -1);
  std::vector<int> queue;
  for (size_t first = 0; first < near.size(); ++first) {
    if (colour[first] != -1) continue;
    colour[first] = 0;
    queue.assign(1, static_cast<int>(first));
    for (size_t at = 0; at < queue.size(); ++at) {
      for (const int cell : near[queue[at]]) {
        if (colour[cell] == colour[queue[at]]) return false;
        if (colour[cell] != -1) continue;
        colour[cell] = 1 - colour[queue[at]];
        queue.push_back(cell);
      }
    }
  }
  return true;
}

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_BIPARTITE_H_
