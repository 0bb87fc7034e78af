// Holds the h that an instance gives against the true distances.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_H_CHECK_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_H_CHECK_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "astrolabe/explicit_graph/graph.h"

namespace explicit_graph {

struct HCheck {
  // A node whose h is above its distance to the nearest goal.
  struct TooHigh {
    uint32_t node;
    int64_t h;
    int64_t distance;
  };
  // An arc along which h falls by more than its cost, or a goal whose h is not 0.
  bool consistent = true;
  std::optional<TooHigh> too_high;  // the first such node; null: h is admissible
};

// Linear in the graph if h is consistent, which implies admissible; else one search from the goals by Dijkstra's
// algorithm. Calls `poll` now and then; it may throw.
HCheck CheckH(const Instance& graph, const std::function<void()>& poll);

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_H_CHECK_H_
