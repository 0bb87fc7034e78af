// Explicit graphs for heuristics written in C++: an instance, a node, a move. Numbering as in view.h. Everything is
// inline: a heuristic links nothing of the problem.
#ifndef ASTROLABE_EXPLICIT_GRAPH_GRAPH_H_
#define ASTROLABE_EXPLICIT_GRAPH_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "astrolabe/abi/types.h"
#include "astrolabe/explicit_graph/view.h"

namespace explicit_graph {

// The graph, its start and its goals. Cheap to copy; lives as long as the problem.
class Instance {
 public:
  explicit Instance(const explicit_graph_view_v1* view) : view_(view) {}

  uint32_t nodes() const { return view_->nodes; }
  uint32_t arcs() const { return view_->arcs; }
  uint32_t start() const { return view_->start; }
  std::span<const uint32_t> goals() const { return {view_->goal, view_->goals}; }
  // The arcs of a node are first(node) .. first(node + 1) - 1.
  uint32_t first(uint32_t node) const { return view_->first[node]; }
  uint32_t target(uint32_t arc) const { return view_->target[arc]; }
  int64_t cost(uint32_t arc) const { return view_->cost[arc]; }
  // h as the instance gives it; 0 where it gives none.
  bool has_h() const { return view_->h != nullptr; }
  int64_t h(uint32_t node) const { return has_h() ? view_->h[node] : 0; }
  std::string_view name(uint32_t node) const {
    const uint32_t begin = view_->name_begin[node];
    return {view_->names + begin, view_->name_begin[node + 1] - begin};
  }

  const explicit_graph_view_v1& view() const { return *view_; }

 private:
  const explicit_graph_view_v1* view_;
};

// A state.
struct Node {
  uint32_t node;
};

struct Move {
  uint32_t arc;
  uint32_t target;
  int64_t cost;
};

// The tag to name in ASTRO_PLUGIN: astro::Heuristic<MyHeuristic, explicit_graph::Problem>.
struct Problem {
  static constexpr std::string_view kProblemId = "explicit_graph";
  static constexpr std::string_view kStateLayout = EXPLICIT_GRAPH_LAYOUT;
  using Instance = explicit_graph::Instance;
  using State = Node;
  using Move = explicit_graph::Move;

  static Instance MakeInstance(const void* view) { return Instance(static_cast<const explicit_graph_view_v1*>(view)); }
  static size_t StateSize(const Instance&) { return sizeof(Node); }
  static Move MakeMove(const Instance& graph, astro_op op) { return {op, graph.target(op), graph.cost(op)}; }
  static void Child(const Instance& graph, const void*, astro_op op, void* out) {
    const Node child = {graph.target(op)};
    std::memcpy(out, &child, sizeof(child));
  }
  template <class F>
  [[gnu::always_inline]] static int64_t Visit(const Instance&, const void* state, F&& f) {
    Node node;
    std::memcpy(&node, state, sizeof(node));
    return f(node);
  }
};

}  // namespace explicit_graph

#endif  // ASTROLABE_EXPLICIT_GRAPH_GRAPH_H_
