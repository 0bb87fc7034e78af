// A graph as it was read, checked.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_GRAPH_DATA_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_GRAPH_DATA_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/explicit_graph/adjacency.h"
#include "plugins/explicit_graph/name_table.h"

namespace explicit_graph {

// Immutable once it is read. Copies share what is large.
struct GraphData {
  std::shared_ptr<const NameTable> names;
  std::shared_ptr<const Adjacency> arcs;
  std::vector<int64_t> h;  // of each node; empty: the instance gives none
  bool undirected = false;
  uint32_t start = 0;
  std::vector<uint32_t> goals;  // ascending, at least one
};

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_GRAPH_DATA_H_
