#include "plugins/explicit_graph/problem.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "plugins/explicit_graph/graph_reader.h"
#include "plugins/explicit_graph/line_reader.h"
#include "plugins/explicit_graph/nearest.h"
#include "plugins/explicit_graph/reachable.h"

namespace explicit_graph {

std::unique_ptr<ExplicitGraph> ExplicitGraph::Parse(std::string_view text, const astro::Params& params,
                                                    astro::Diagnostics& diagnostics) {
  const ReadOptions options = {params.String("start"), params.String("goal"), params.Bool("directed")};
  std::optional<GraphData> data = ReadGraph(text, options, diagnostics);
  if (!data) return nullptr;
  return std::make_unique<ExplicitGraph>(*std::move(data), params.Bool("check_reachable").value_or(true));
}

ExplicitGraph::ExplicitGraph(GraphData data, bool check_reachable)
    : data_(std::move(data)), check_reachable_(check_reachable), is_goal_(data_.names->size(), 0) {
  for (const uint32_t goal : data_.goals) is_goal_[goal] = 1;
  FillView();
  FillSpace();
}

void ExplicitGraph::FillView() {
  const Adjacency& arcs = *data_.arcs;
  view_.struct_size = sizeof(view_);
  view_.undirected = data_.undirected ? 1 : 0;
  view_.nodes = arcs.nodes();
  view_.arcs = arcs.arcs();
  view_.start = data_.start;
  view_.goals = static_cast<uint32_t>(data_.goals.size());
  view_.goal = data_.goals.data();
  view_.first = arcs.first.data();
  view_.target = arcs.target.data();
  view_.cost = arcs.cost.data();
  view_.h = data_.h.empty() ? nullptr : data_.h.data();
  view_.names = data_.names->text();
  view_.name_begin = data_.names->begin();
}

void ExplicitGraph::FillSpace() {
  const Adjacency& arcs = *data_.arcs;
  uint32_t degree = 1;  // 0 would mean "not bounded"
  for (uint32_t node = 0; node < arcs.nodes(); ++node) {
    degree = std::max(degree, arcs.first[node + 1] - arcs.first[node]);
  }
  int64_t least = 1;
  int64_t most = 1;
  if (arcs.arcs() > 0) {
    const auto [min, max] = std::minmax_element(arcs.cost.begin(), arcs.cost.end());
    least = *min;
    most = *max;
  }
  space_.flags |= ASTRO_PROBLEM_FEW_STATES;
  if (least == 1 && most == 1) space_.flags |= ASTRO_PROBLEM_UNIT_COST;
  if (least == 0) space_.flags |= ASTRO_PROBLEM_ZERO_COSTS;
  if (data_.undirected) space_.flags |= ASTRO_PROBLEM_UNDIRECTED;
  space_.state_size = sizeof(State);
  space_.state_align = alignof(State);
  space_.max_ops = degree;
  space_.max_op_cost = most;
}

bool ExplicitGraph::GoalState(State& out) const {
  if (data_.goals.size() != 1) return false;
  out.node = data_.goals.front();
  return true;
}

bool ExplicitGraph::ApplyInPlace(State& state, astro::Op op, int64_t* cost) const {
  if (state.node >= view_.nodes || op < view_.first[state.node] || op >= view_.first[state.node + 1]) return false;
  state.node = view_.target[op];
  *cost = view_.cost[op];
  return true;
}

astro::Op ExplicitGraph::InverseOp(astro::Op op) const {
  return data_.undirected && op < view_.arcs ? data_.arcs->partner[op] : ASTRO_NO_OP;
}

std::unique_ptr<ExplicitGraph> ExplicitGraph::Reversed(astro::Diagnostics& diagnostics) const {
  if (data_.goals.size() > 1) {
    diagnostics.Error("instance")
        .Message("the graph has " + std::to_string(data_.goals.size()) + " goals, and a search from the goal needs one")
        .Expected("one goal")
        .Hint("name one with the parameter goal");
    return nullptr;
  }
  GraphData turned = data_;
  if (!data_.undirected) turned.arcs = std::make_shared<const Adjacency>(Adjacency::Transposed(*data_.arcs));
  turned.h.clear();
  turned.start = data_.goals.front();
  turned.goals = {data_.start};
  return std::make_unique<ExplicitGraph>(std::move(turned), check_reachable_);
}

bool ExplicitGraph::ParseState(std::string_view text, astro::Diagnostics& diagnostics, State& out) const {
  LineReader lines(text);
  Line line;
  if (!lines.Next(line) || line.count != 1 || lines.Next(line)) {
    diagnostics.Error("state").Message("a state is one word").Expected("the name of a node");
    return false;
  }
  const Word& word = line.words[0];
  const std::optional<uint32_t> node = data_.names->Find(word.text);
  if (!node) {
    diagnostics.Error("state", word.line, word.column)
        .Message("unknown node " + astro::Quoted(word.text))
        .Expected("a node of this graph")
        .Hint(DidYouMean(word.text, *data_.names));
    return false;
  }
  out.node = *node;
  return true;
}

void ExplicitGraph::RenderOp(astro::Op op, astro::Writer& out) const {
  out << data_.names->name(data_.arcs->source[op]) << "->" << data_.names->name(view_.target[op]);
}

void ExplicitGraph::CanonicalText(astro::Writer& out) const {
  out << (data_.undirected ? "undirected\n" : "directed\n");
  for (uint32_t node = 0; node < view_.nodes; ++node) {
    out << "node " << data_.names->name(node);
    if (view_.h != nullptr) out << " h " << view_.h[node];
    out << '\n';
  }
  for (uint32_t arc = 0; arc < view_.arcs; ++arc) {
    const uint32_t from = data_.arcs->source[arc];
    const uint32_t to = view_.target[arc];
    if (data_.undirected && from > to) continue;  // the edge was written at the other end
    out << "edge " << data_.names->name(from) << ' ' << data_.names->name(to) << ' ' << view_.cost[arc] << '\n';
  }
  out << "start " << data_.names->name(data_.start) << '\n';
  for (const uint32_t goal : data_.goals) out << "goal " << data_.names->name(goal) << '\n';
}

void ExplicitGraph::Describe(astro::Writer& out) const {
  uint32_t loops = 0;
  for (uint32_t arc = 0; arc < view_.arcs; ++arc) loops += data_.arcs->source[arc] == view_.target[arc] ? 1 : 0;
  const uint32_t edges = data_.undirected ? (view_.arcs - loops) / 2 + loops : view_.arcs;
  out << (data_.undirected ? "undirected" : "directed") << " graph, " << astro::Counted(view_.nodes, "node") << ", "
      << astro::Counted(edges, "edge") << ", " << astro::Counted(view_.goals, "goal");
}

astro::Sha256::Digest ExplicitGraph::Fingerprint() const {
  astro::Sha256 hash;
  hash.Update(kStateLayout).UpdateNumber(view_.undirected).UpdateNumber(view_.nodes).UpdateNumber(view_.arcs);
  hash.Update(view_.name_begin, (size_t{view_.nodes} + 1) * sizeof(uint32_t));
  hash.Update(view_.names, view_.name_begin[view_.nodes]);
  hash.Update(view_.first, (size_t{view_.nodes} + 1) * sizeof(uint32_t));
  hash.Update(view_.target, size_t{view_.arcs} * sizeof(uint32_t));
  hash.Update(view_.cost, size_t{view_.arcs} * sizeof(int64_t));
  hash.UpdateNumber(data_.h.size()).Update(data_.h.data(), data_.h.size() * sizeof(int64_t));
  hash.UpdateNumber(view_.start).UpdateNumber(view_.goals);
  hash.Update(view_.goal, size_t{view_.goals} * sizeof(uint32_t));
  return hash.Finish();
}

uint32_t ExplicitGraph::Solvable(astro::Writer& reason) const {
  if (!check_reachable_) {
    reason << "not looked at: check_reachable is off";
    return ASTRO_SOLVABLE_UNKNOWN;
  }
  const Reachable reachable = FindGoal(Instance(&view_), is_goal_);
  const std::string_view start = data_.names->name(data_.start);
  if (reachable.goal) {
    reason << data_.names->name(*reachable.goal) << " can be reached from " << start;
    return ASTRO_SOLVABLE_YES;
  }
  reason << (view_.goals == 1 ? "the goal cannot be reached" : "no goal can be reached") << ": the edges from " << start
         << " lead to " << reachable.nodes << " of " << view_.nodes << " nodes";
  return ASTRO_SOLVABLE_NO;
}

}  // namespace explicit_graph
