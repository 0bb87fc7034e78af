#include "plugins/explicit_graph/reachable.h"

namespace explicit_graph {

Reachable FindGoal(const Instance& graph, const std::vector<uint8_t>& is_goal) {
  std::vector<bool> met(graph.nodes(), false);
  std::vector<uint32_t> queue{graph.start()};
  met[graph.start()] = true;
  for (size_t at = 0; at < queue.size(); ++at) {
    const uint32_t node = queue[at];
    if (is_goal[node] != 0) return {node, static_cast<uint32_t>(queue.size())};
    for (uint32_t arc = graph.first(node); arc < graph.first(node + 1); ++arc) {
      const uint32_t target = graph.target(arc);
      if (met[target]) continue;
      met[target] = true;
      queue.push_back(target);
    }
  }
  return {std::nullopt, static_cast<uint32_t>(queue.size())};
}

}  // namespace explicit_graph
