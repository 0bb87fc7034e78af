// The explicit-graph problem, as the SDK wants it.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_PROBLEM_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_PROBLEM_H_

#include <memory>
#include <string_view>
#include <vector>

#include "astrolabe/explicit_graph/graph.h"
#include "astrolabe/sdk/problem.h"
#include "plugins/explicit_graph/graph_data.h"
#include "plugins/explicit_graph/problem_info.h"

namespace explicit_graph {

// Immutable. Its address is stable: the view points into it.
class ExplicitGraph {
 public:
  static constexpr const astro::ProblemInfo& kInfo = kProblemInfo;
  static constexpr std::string_view kStateLayout = EXPLICIT_GRAPH_LAYOUT;
  using State = Node;

  static std::unique_ptr<ExplicitGraph> Parse(std::string_view text, const astro::Params& params,
                                              astro::Diagnostics& diagnostics);
  ExplicitGraph(GraphData data, bool check_reachable);
  ExplicitGraph(const ExplicitGraph&) = delete;
  ExplicitGraph& operator=(const ExplicitGraph&) = delete;

  astro::SpaceInfo Space() const { return space_; }
  const void* DomainView() const { return &view_; }
  void InitialState(State& out) const { out.node = data_.start; }
  bool GoalState(State& out) const;  // false with several goals

  uint32_t Ops(const State& state, astro::Op, astro::Op* ops, int64_t* costs) const {
    const uint32_t begin = view_.first[state.node];
    const uint32_t count = view_.first[state.node + 1] - begin;
    for (uint32_t i = 0; i < count; ++i) ops[i] = begin + i;
    if (costs != nullptr) {
      for (uint32_t i = 0; i < count; ++i) costs[i] = view_.cost[begin + i];
    }
    return count;
  }
  void Apply(const State&, astro::Op op, State& out) const { out.node = view_.target[op]; }
  bool IsGoal(const State& state) const { return is_goal_[state.node] != 0; }

  bool ApplyInPlace(State& state, astro::Op op, int64_t* cost) const;
  astro::Op InverseOp(astro::Op op) const;
  // Null with several goals: a search from the goal begins in one node. Its h would be the cost from the start, which
  // no instance gives, so it has none.
  std::unique_ptr<ExplicitGraph> Reversed(astro::Diagnostics& diagnostics) const;
  astro::Op ForwardOp(const State&, astro::Op op) const {
    return op < data_.arcs->partner.size() ? data_.arcs->partner[op] : ASTRO_NO_OP;
  }

  void RenderState(const State& state, astro::Writer& out) const { out << data_.names->name(state.node); }
  bool ParseState(std::string_view text, astro::Diagnostics& diagnostics, State& out) const;
  void RenderOp(astro::Op op, astro::Writer& out) const;
  void CanonicalText(astro::Writer& out) const;
  void Describe(astro::Writer& out) const;
  astro::Sha256::Digest Fingerprint() const;
  uint32_t Solvable(astro::Writer& reason) const;

 private:
  void FillView();
  void FillSpace();

  const GraphData data_;
  const bool check_reachable_;
  std::vector<uint8_t> is_goal_;  // of each node
  explicit_graph_view_v1 view_ = {};
  astro::SpaceInfo space_;
};

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_PROBLEM_H_
