// The arcs of a graph in compressed rows, numbered as view.h says.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_ADJACENCY_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_ADJACENCY_H_

#include <cstdint>
#include <span>
#include <vector>

namespace explicit_graph {

struct Edge {
  uint32_t from;
  uint32_t to;
  int64_t cost;
};

struct Adjacency {
  static constexpr uint32_t kNone = UINT32_MAX;

  // `edges` are put into canonical order, and may be dropped afterwards. Their arcs are fewer than kNone.
  static Adjacency Directed(uint32_t nodes, std::vector<Edge>& edges);
  static Adjacency Undirected(uint32_t nodes, std::vector<Edge>& edges);
  // Every arc the other way round; each one's partner is the arc it was.
  static Adjacency Transposed(const Adjacency& arcs);

  uint32_t nodes() const { return static_cast<uint32_t>(first.size() - 1); }
  uint32_t arcs() const { return static_cast<uint32_t>(target.size()); }

  std::vector<uint32_t> first;
  std::vector<uint32_t> source;
  std::vector<uint32_t> target;
  std::vector<int64_t> cost;
  // Undirected: the arc that goes back, of a loop itself. Transposed: see there. Else empty.
  std::vector<uint32_t> partner;
};

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_ADJACENCY_H_
