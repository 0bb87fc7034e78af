// An explicit graph for the engine's tests: any directed multigraph with non-negative costs, its own h
// table, states of any size. Operators are edge numbers.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_GRAPH_DOMAIN_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_GRAPH_DOMAIN_H_

#include <cstdint>
#include <vector>

#include "daemon/engine/domain.h"

namespace astrolabe::engine::testing {

struct Edge {
  uint32_t from;
  uint32_t to;
  Cost cost;
};

struct GraphSpec {
  uint32_t vertices = 1;
  std::vector<Edge> edges;
  uint32_t start = 0;
  std::vector<uint32_t> goals;
  size_t state_size = 8;  // at least 4
  bool zero_costs = true;
  // Edges 2k and 2k + 1 are each other's reverse.
  bool undirected = false;
  Solvable solvable = Solvable::kUnknown;
};

class GraphSpace : public StateSpace {
 public:
  explicit GraphSpace(GraphSpec spec);

  void InitialState(void* out) const override;
  bool GoalState(void* out) const override;
  SolvableAnswer IsSolvable() const override { return {spec_.solvable, "the test says so"}; }
  std::optional<Cost> ApplyInPlace(void* state, Op op) const override;
  std::string RenderState(const void* state) const override;
  bool HasKernel(const Evaluator&) const override { return false; }
  bool HasAdditiveKernel(const Evaluator&) const override { return false; }
  KernelIteration RunKernel(const Evaluator&, KernelMode, const KernelRoots&, Cost, uint32_t, const KernelControl&,
                            KernelPoll&) const override {
    return {};
  }

  const GraphSpec& spec() const { return spec_; }
  // What the calls reach; tests spoil it to play a broken plugin.
  SpaceInfo& mutable_info() { return info_; }
  SpaceCalls& mutable_calls() { return calls_; }

  uint32_t Vertex(const void* state) const;
  void Write(void* state, uint32_t vertex) const;
  const std::vector<uint32_t>& Outgoing(uint32_t vertex) const { return outgoing_[vertex]; }
  bool IsGoal(uint32_t vertex) const { return goal_[vertex] != 0; }

 private:
  GraphSpec spec_;
  std::vector<std::vector<uint32_t>> outgoing_;
  std::vector<uint8_t> goal_;
};

// h by table. With `incremental`, eval_ops is offered, and `aux_size` bytes of aux that must come back
// as they were given (the vertex, repeated), else the values are spoilt.
class TableHeuristic final : public Evaluator {
 public:
  TableHeuristic(const GraphSpace& space, std::vector<Cost> h, bool admissible = true, bool incremental = true,
                 size_t aux_size = 0);

 private:
  const GraphSpace& space_;
  std::vector<Cost> h_;
};

// Start and goal swapped, every edge turned round; edges keep their numbers. Precondition: one goal.
GraphSpec Reversed(const GraphSpec& spec);

// True distances to the nearest goal; kInfinity where none can be reached.
std::vector<Cost> DistancesToGoal(const GraphSpec& spec);

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_GRAPH_DOMAIN_H_
