#include "tests/daemon/engine/graph_domain.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <string>
#include <utility>

namespace astrolabe::engine::testing {
namespace {

const GraphSpace& Space(const void* problem) { return *static_cast<const GraphSpace*>(problem); }

uint32_t Ops(const void* problem, const void* state, Op, Op* out, Cost* costs) {
  const GraphSpace& space = Space(problem);
  uint32_t n = 0;
  for (uint32_t edge : space.Outgoing(space.Vertex(state))) {
    if (costs != nullptr) costs[n] = space.spec().edges[edge].cost;
    out[n++] = edge;
  }
  return n;
}

void Apply(const void* problem, const void*, Op op, void* out) {
  Space(problem).Write(out, Space(problem).spec().edges[op].to);
}

uint32_t Expand(const void* problem, const void* state, Op last, Op* out, Cost* costs, void* states, uint64_t stride) {
  const uint32_t n = Ops(problem, state, last, out, costs);
  for (uint32_t i = 0; i < n; ++i) Apply(problem, state, out[i], static_cast<std::byte*>(states) + i * stride);
  return n;
}

int32_t IsGoal(const void* problem, const void* state) { return Space(problem).IsGoal(Space(problem).Vertex(state)); }

Op Inverse(const void* problem, Op op) { return Space(problem).spec().undirected ? (op ^ 1) : kNoOp; }

}  // namespace

GraphSpace::GraphSpace(GraphSpec spec) : spec_(std::move(spec)), outgoing_(spec_.vertices), goal_(spec_.vertices, 0) {
  for (uint32_t i = 0; i < spec_.edges.size(); ++i) outgoing_[spec_.edges[i].from].push_back(i);
  for (uint32_t goal : spec_.goals) goal_[goal] = 1;
  info_.state_size = spec_.state_size;
  info_.state_align = 1;
  info_.max_ops = 1;
  for (const auto& edges : outgoing_) info_.max_ops = std::max(info_.max_ops, static_cast<uint32_t>(edges.size()));
  for (const Edge& edge : spec_.edges) info_.max_op_cost = std::max(info_.max_op_cost, edge.cost);
  info_.zero_costs = spec_.zero_costs;
  info_.undirected = spec_.undirected;
  calls_ = {
      this, Ops, Apply, Expand, engine::testing::IsGoal, Inverse, [](const void*, const void*, Op op) { return op; }};
}

uint32_t GraphSpace::Vertex(const void* state) const {
  uint32_t vertex;
  std::memcpy(&vertex, state, sizeof vertex);
  return vertex;
}

// Canonical, and different in every byte: what is cut off or padded wrongly is found out.
void GraphSpace::Write(void* state, uint32_t vertex) const {
  auto* bytes = static_cast<uint8_t*>(state);
  for (size_t i = 4; i < spec_.state_size; ++i) bytes[i] = static_cast<uint8_t>(vertex * 7 + i);
  std::memcpy(state, &vertex, sizeof vertex);
}

void GraphSpace::InitialState(void* out) const { Write(out, spec_.start); }

bool GraphSpace::GoalState(void* out) const {
  if (spec_.goals.size() != 1) return false;
  Write(out, spec_.goals[0]);
  return true;
}

std::optional<Cost> GraphSpace::ApplyInPlace(void* state, Op op) const {
  if (op >= spec_.edges.size() || spec_.edges[op].from != Vertex(state)) return std::nullopt;
  Write(state, spec_.edges[op].to);
  return spec_.edges[op].cost;
}

std::string GraphSpace::RenderState(const void* state) const { return "v" + std::to_string(Vertex(state)); }

TableHeuristic::TableHeuristic(const GraphSpace& space, std::vector<Cost> h, bool admissible, bool incremental,
                               size_t aux_size)
    : space_(space), h_(std::move(h)) {
  id_ = "table";
  info_.admissible = admissible;
  info_.aux_size = incremental ? aux_size : 0;
  calls_.context = this;
  calls_.eval = [](const void* context, const void* state) {
    const auto& self = *static_cast<const TableHeuristic*>(context);
    return self.h_[self.space_.Vertex(state)];
  };
  calls_.eval_batch = [](const void* context, uint64_t n, const void* states, uint64_t stride, Cost* out) {
    const auto& self = *static_cast<const TableHeuristic*>(context);
    for (uint64_t i = 0; i < n; ++i) {
      out[i] = self.h_[self.space_.Vertex(static_cast<const std::byte*>(states) + i * stride)];
    }
  };
  if (!incremental) return;
  calls_.root_aux = [](const void* context, const void* state, void* out) {
    const auto& self = *static_cast<const TableHeuristic*>(context);
    std::memset(out, static_cast<uint8_t>(self.space_.Vertex(state)), self.info_.aux_size);
  };
  calls_.eval_ops = [](const void* context, const void* parent, Cost parent_h, const void* parent_aux, const Op* ops,
                       uint32_t n, Cost* out_h, void* out_aux) {
    const auto& self = *static_cast<const TableHeuristic*>(context);
    const uint32_t vertex = self.space_.Vertex(parent);
    bool fair = parent_h == self.h_[vertex];
    const auto* aux = static_cast<const uint8_t*>(parent_aux);
    for (size_t i = 0; i < self.info_.aux_size; ++i) fair = fair && aux[i] == static_cast<uint8_t>(vertex);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t to = self.space_.spec().edges[ops[i]].to;
      out_h[i] = fair ? self.h_[to] : -77;
      if (out_aux != nullptr) {
        std::memset(static_cast<uint8_t*>(out_aux) + i * self.info_.aux_size, static_cast<uint8_t>(to),
                    self.info_.aux_size);
      }
    }
  };
}

GraphSpec Reversed(const GraphSpec& spec) {
  GraphSpec reversed = spec;
  reversed.start = spec.goals[0];
  reversed.goals = {spec.start};
  for (Edge& edge : reversed.edges) std::swap(edge.from, edge.to);
  return reversed;
}

std::vector<Cost> DistancesToGoal(const GraphSpec& spec) {
  std::vector<std::vector<uint32_t>> incoming(spec.vertices);
  for (uint32_t i = 0; i < spec.edges.size(); ++i) incoming[spec.edges[i].to].push_back(i);
  std::vector<Cost> distance(spec.vertices, kInfinity);
  using Item = std::pair<Cost, uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  for (uint32_t goal : spec.goals) {
    distance[goal] = 0;
    queue.push({0, goal});
  }
  while (!queue.empty()) {
    const auto [d, vertex] = queue.top();
    queue.pop();
    if (d != distance[vertex]) continue;
    for (uint32_t i : incoming[vertex]) {
      const Edge& edge = spec.edges[i];
      Cost through;
      if (__builtin_add_overflow(d, edge.cost, &through) || through >= distance[edge.from]) continue;
      distance[edge.from] = through;
      queue.push({through, edge.from});
    }
  }
  return distance;
}

}  // namespace astrolabe::engine::testing
