#include "plugins/explicit_graph/adjacency.h"

#include <algorithm>
#include <tuple>

namespace explicit_graph {
namespace {

// Rows of the right lengths, their arcs not yet written; next[n] is where the first arc of n goes.
Adjacency MakeRows(std::vector<uint32_t> lengths, std::vector<uint32_t>& next) {
  Adjacency out;
  out.first.reserve(lengths.size() + 1);
  uint32_t sum = 0;
  for (const uint32_t length : lengths) {
    out.first.push_back(sum);
    sum += length;
  }
  out.first.push_back(sum);
  out.source.resize(sum);
  out.target.resize(sum);
  out.cost.resize(sum);
  next = std::move(lengths);
  std::copy(out.first.begin(), out.first.end() - 1, next.begin());
  return out;
}

uint32_t Put(Adjacency& out, std::vector<uint32_t>& next, uint32_t from, uint32_t to, int64_t cost) {
  const uint32_t arc = next[from]++;
  out.source[arc] = from;
  out.target[arc] = to;
  out.cost[arc] = cost;
  return arc;
}

}  // namespace

Adjacency Adjacency::Directed(uint32_t nodes, std::vector<Edge>& edges) {
  // By target first: each row then fills in order.
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.to, a.cost, a.from) < std::tie(b.to, b.cost, b.from);
  });
  std::vector<uint32_t> lengths(nodes, 0);
  for (const Edge& edge : edges) ++lengths[edge.from];
  std::vector<uint32_t> next;
  Adjacency out = MakeRows(std::move(lengths), next);
  for (const Edge& edge : edges) Put(out, next, edge.from, edge.to, edge.cost);
  return out;
}

Adjacency Adjacency::Undirected(uint32_t nodes, std::vector<Edge>& edges) {
  // With from <= to, sorted by both: node n gets the arcs to lower nodes while those are the `from`, in order, and
  // those to itself and higher ones when n is the `from`, in order too.
  for (Edge& edge : edges) {
    if (edge.from > edge.to) std::swap(edge.from, edge.to);
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.from, a.to, a.cost) < std::tie(b.from, b.to, b.cost);
  });
  std::vector<uint32_t> lengths(nodes, 0);
  for (const Edge& edge : edges) {
    ++lengths[edge.from];
    if (edge.from != edge.to) ++lengths[edge.to];
  }
  std::vector<uint32_t> next;
  Adjacency out = MakeRows(std::move(lengths), next);
  out.partner.resize(out.target.size());
  for (const Edge& edge : edges) {
    const uint32_t there = Put(out, next, edge.from, edge.to, edge.cost);
    const uint32_t back = edge.from == edge.to ? there : Put(out, next, edge.to, edge.from, edge.cost);
    out.partner[there] = back;
    out.partner[back] = there;
  }
  return out;
}

Adjacency Adjacency::Transposed(const Adjacency& arcs) {
  std::vector<uint32_t> lengths(arcs.nodes(), 0);
  for (const uint32_t target : arcs.target) ++lengths[target];
  std::vector<uint32_t> next;
  Adjacency out = MakeRows(std::move(lengths), next);
  out.partner.resize(out.target.size());
  // In order of sources, and of costs between two nodes: each new row is sorted as it should be.
  for (uint32_t arc = 0; arc < arcs.arcs(); ++arc) {
    out.partner[Put(out, next, arcs.target[arc], arcs.source[arc], arcs.cost[arc])] = arc;
  }
  return out;
}

}  // namespace explicit_graph
