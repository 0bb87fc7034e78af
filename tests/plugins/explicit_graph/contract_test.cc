// The problem as a state space, by the rules of the ABI.
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/ida.h"
#include "functions.h"
#include "graphs.h"

namespace explicit_graph {
namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::ProblemUnderTest;
using astro::testing::StateBytes;

StateBytes StateOf(const ProblemUnderTest& problem, std::string_view name) {
  StateBytes state = problem.NewState();
  astro::testing::Faults faults;
  EXPECT_EQ(problem.functions().parse_state(problem.get(), astro::ToText(name), faults.get(), state.get()), ASTRO_OK)
      << faults.Text();
  return state;
}

TEST(ExplicitGraph, EveryCallMovesTheSameWay) {
  std::mt19937 random{7};
  for (int i = 0; i < 40; ++i) {
    FakeHost host;
    const int nodes = 2 + i % 7;
    const ProblemUnderTest problem(Functions(), host, graphs::Random(i % 2 == 0, nodes, 3 * i, random));
    ASSERT_TRUE(problem.ok()) << problem.faults.Text();
    const astro_problem_v1& f = problem.functions();
    uint32_t arcs = 0;
    for (int node = 0; node < nodes; ++node) {
      const StateBytes state = StateOf(problem, "n" + std::to_string(node));
      std::vector<astro_op> ops(problem.info().max_ops);
      std::vector<int64_t> costs(problem.info().max_ops);
      const uint32_t n = f.ops(problem.get(), state.get(), ASTRO_NO_OP, ops.data(), costs.data());
      ASSERT_LE(n, problem.info().max_ops);
      std::vector<astro_op> expanded(problem.info().max_ops);
      std::vector<Node> children(problem.info().max_ops * size_t{2});
      ASSERT_EQ(f.expand(problem.get(), state.get(), ASTRO_NO_OP, expanded.data(), nullptr, children.data(), 8), n);
      for (uint32_t k = 0; k < n; ++k) {
        EXPECT_EQ(ops[k], arcs + k);  // canonical numbers, all different
        EXPECT_EQ(expanded[k], ops[k]);
        const StateBytes child = problem.Apply(state, ops[k]);
        EXPECT_EQ(std::memcmp(&children[k * size_t{2}], child.get(), sizeof(Node)), 0);
        StateBytes in_place = state;
        int64_t cost = -1;
        EXPECT_EQ(f.apply_in_place(problem.get(), in_place.get(), ops[k], &cost), ASTRO_OK);
        EXPECT_EQ(in_place, child);
        EXPECT_EQ(cost, costs[k]);
        EXPECT_EQ(problem.RenderOp(ops[k]), problem.Render(state) + "->" + problem.Render(child));
        const astro_op back = f.inverse_op(problem.get(), ops[k]);
        if (i % 2 == 0) {
          EXPECT_EQ(back, ASTRO_NO_OP);
        } else {
          StateBytes home = child;
          EXPECT_EQ(f.apply_in_place(problem.get(), home.get(), back, &cost), ASTRO_OK);
          EXPECT_EQ(home, state);
          EXPECT_EQ(cost, costs[k]);
          EXPECT_EQ(f.inverse_op(problem.get(), back), ops[k]);
        }
      }
      arcs += n;
    }
  }
}

TEST(ExplicitGraph, RefusesOperatorsOfOtherNodes) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, graphs::kInconsistent);
  StateBytes state = StateOf(problem, "Q");
  const StateBytes before = state;
  for (const astro_op op : {0u, 4u, 5u, ASTRO_NO_OP}) {
    EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), op, nullptr), ASTRO_INVALID) << op;
    EXPECT_EQ(state, before);
  }
  EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), 3, nullptr), ASTRO_OK);
}

TEST(ExplicitGraph, SaysWhatItsCostsAllow) {
  const auto info = [](std::string_view text) {
    FakeHost host;
    return ProblemUnderTest(Functions(), host, std::string(text) + "start a\ngoal b\n").info();
  };
  EXPECT_EQ(info("edge a b\nedge b a 1\n").flags,
            static_cast<uint32_t>(ASTRO_PROBLEM_FEW_STATES | ASTRO_PROBLEM_UNIT_COST));
  EXPECT_EQ(info("edge a b\nedge b a 2\n").flags, static_cast<uint32_t>(ASTRO_PROBLEM_FEW_STATES));
  EXPECT_EQ(info("edge a b\nedge b a 0\n").flags,
            static_cast<uint32_t>(ASTRO_PROBLEM_FEW_STATES | ASTRO_PROBLEM_ZERO_COSTS));
  EXPECT_EQ(info("undirected\nedge a b 3\n").flags,
            static_cast<uint32_t>(ASTRO_PROBLEM_FEW_STATES | ASTRO_PROBLEM_UNDIRECTED));
  EXPECT_EQ(info("edge a b 3\nedge a a 7\nedge a b 3\n").max_ops, 3u);
  EXPECT_EQ(info("edge a b 3\nedge a a 7\nedge a b 3\n").max_op_cost, 7);
  EXPECT_EQ(info("node a\nnode b\n").max_ops, 1u);  // 0 would mean "not bounded"
}

TEST(ExplicitGraph, TellsWhetherAGoalCanBeReached) {
  FakeHost host;
  const std::string cycle = "edge S A 1\nedge A B 1\nedge B S 1\nnode S\nnode A\nnode B\nnode T\nstart S\ngoal T\n";
  const ProblemUnderTest unreachable(Functions(), host, cycle);
  EXPECT_EQ(unreachable.Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_NO));
  EXPECT_EQ(unreachable.Solvable().second, "the goal cannot be reached: the edges from S lead to 3 of 4 nodes");
  FakeParams params;
  params.SetInt("check_reachable", 0, ASTRO_PARAM_BOOL);
  EXPECT_EQ(ProblemUnderTest(Functions(), host, cycle, &params).Solvable().first,
            static_cast<uint32_t>(ASTRO_SOLVABLE_UNKNOWN));
  const ProblemUnderTest reachable(Functions(), host, cycle + "goal B\n");
  EXPECT_EQ(reachable.Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_YES));
  EXPECT_EQ(reachable.Solvable().second, "B can be reached from S");
}

TEST(ExplicitGraph, KnowsItsGoals) {
  FakeHost host;
  const ProblemUnderTest one(Functions(), host, "edge a b\nedge b c\nstart a\ngoal c\n");
  EXPECT_TRUE(one.IsGoal(StateOf(one, "c")));
  EXPECT_FALSE(one.IsGoal(StateOf(one, "b")));
  EXPECT_EQ(one.Goal(), StateOf(one, "c"));
  const ProblemUnderTest two(Functions(), host, "edge a b\nedge b c\nstart a\ngoal c\ngoal b\ngoal b\n");
  EXPECT_TRUE(two.IsGoal(StateOf(two, "b")));
  EXPECT_TRUE(two.IsGoal(StateOf(two, "c")));
  EXPECT_FALSE(two.IsGoal(StateOf(two, "a")));
  StateBytes goal = two.NewState();
  EXPECT_EQ(two.functions().goal_state(two.get(), goal.get()), 0);
}

TEST(ExplicitGraph, ReadsStatesByName) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, "edge alpha beta\nstart alpha\ngoal beta\n");
  EXPECT_EQ(problem.Render(StateOf(problem, " beta\n")), "beta");
  StateBytes state = StateOf(problem, "beta");
  astro::testing::Faults faults;
  EXPECT_EQ(problem.functions().parse_state(problem.get(), astro::ToText("aplha"), faults.get(), state.get()),
            ASTRO_INVALID);
  EXPECT_EQ(problem.functions().parse_state(problem.get(), astro::ToText("alpha beta"), faults.get(), state.get()),
            ASTRO_INVALID);
  EXPECT_EQ(problem.functions().parse_state(problem.get(), astro::ToText(""), faults.get(), state.get()),
            ASTRO_INVALID);
  ASSERT_EQ(faults.list.size(), 3u);
  EXPECT_EQ(faults.list[0].hint, "did you mean 'alpha'?");
  EXPECT_EQ(problem.Render(state), "beta");
}

TEST(ExplicitGraph, DescribesItself) {
  FakeHost host;
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "undirected\nedge a b\nedge a a\nstart a\ngoal b\ngoal a\n").Describe(),
            "undirected graph, 2 nodes, 2 edges, 2 goals");
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "node a\nstart a\ngoal a\n").Describe(),
            "directed graph, 1 node, 0 edges, 1 goal");
}

}  // namespace
}  // namespace explicit_graph
