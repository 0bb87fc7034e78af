// Can a goal be reached: breadth-first over the nodes, blind to costs.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_REACHABLE_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_REACHABLE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "astrolabe/explicit_graph/graph.h"

namespace explicit_graph {

struct Reachable {
  std::optional<uint32_t> goal;  // the first that was met
  uint32_t nodes = 0;            // that were met until then, the start among them
};

// is_goal: one byte a node.
Reachable FindGoal(const Instance& graph, const std::vector<uint8_t>& is_goal);

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_REACHABLE_H_
