#include "plugins/explicit_graph/h_check.h"

#include <queue>
#include <utility>
#include <vector>

namespace explicit_graph {
namespace {

constexpr int64_t kUnreachable = INT64_MAX;
constexpr uint32_t kPollMask = (1u << 16) - 1;

bool IsConsistent(const Instance& graph) {
  for (const uint32_t goal : graph.goals()) {
    if (graph.h(goal) != 0) return false;
  }
  for (uint32_t node = 0; node < graph.nodes(); ++node) {
    for (uint32_t arc = graph.first(node); arc < graph.first(node + 1); ++arc) {
      // The reader keeps both small: no overflow.
      if (graph.h(node) > graph.cost(arc) + graph.h(graph.target(arc))) return false;
    }
  }
  return true;
}

// The arcs that lead to each node, in rows like those of the graph.
struct Incoming {
  explicit Incoming(const Instance& graph)
      : first(graph.nodes() + size_t{1}, 0), arc(graph.arcs()), source(graph.arcs()) {
    for (uint32_t i = 0; i < graph.arcs(); ++i) ++first[graph.target(i)];
    uint32_t sum = 0;
    for (uint32_t& begin : first) sum += std::exchange(begin, sum);
    std::vector<uint32_t> next(first.begin(), first.end() - 1);
    for (uint32_t node = 0; node < graph.nodes(); ++node) {
      for (uint32_t i = graph.first(node); i < graph.first(node + 1); ++i) {
        const uint32_t at = next[graph.target(i)]++;
        arc[at] = i;
        source[at] = node;
      }
    }
  }
  std::vector<uint32_t> first;
  std::vector<uint32_t> arc;
  std::vector<uint32_t> source;
};

// Of every node to its nearest goal.
std::vector<int64_t> Distances(const Instance& graph, const std::function<void()>& poll) {
  const Incoming incoming(graph);
  std::vector<int64_t> distance(graph.nodes(), kUnreachable);
  using Entry = std::pair<int64_t, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (const uint32_t goal : graph.goals()) {
    distance[goal] = 0;
    open.emplace(0, goal);
  }
  for (uint32_t count = 0; !open.empty(); ++count) {
    if ((count & kPollMask) == 0) poll();
    const auto [d, node] = open.top();
    open.pop();
    if (d > distance[node]) continue;
    for (uint32_t i = incoming.first[node]; i < incoming.first[node + 1]; ++i) {
      const uint32_t source = incoming.source[i];
      const int64_t longer = d + graph.cost(incoming.arc[i]);
      if (longer >= distance[source]) continue;
      distance[source] = longer;
      open.emplace(longer, source);
    }
  }
  return distance;
}

}  // namespace

HCheck CheckH(const Instance& graph, const std::function<void()>& poll) {
  HCheck check;
  if (!graph.has_h()) return check;
  check.consistent = IsConsistent(graph);
  if (check.consistent) return check;
  const std::vector<int64_t> distance = Distances(graph, poll);
  for (uint32_t node = 0; node < graph.nodes() && !check.too_high; ++node) {
    if (graph.h(node) > distance[node]) check.too_high = {node, graph.h(node), distance[node]};
  }
  return check;
}

}  // namespace explicit_graph
