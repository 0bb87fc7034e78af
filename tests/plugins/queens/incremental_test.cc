// The incremental formulation as a state space, by the rules of the ABI.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "astrolabe/sdk/testing/local.h"
#include "functions.h"

namespace queens {
namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::ProblemUnderTest;
using astro::testing::StateBytes;

struct IncrementalQueens : ::testing::Test {
  IncrementalQueens() { params.SetText("formulation", "incremental"); }
  FakeHost host;
  FakeParams params;
};

// Every state that can be reached, once: a tree.
struct Counts {
  uint64_t states = 0;
  uint64_t goals = 0;
};

void Walk(const ProblemUnderTest& problem, const StateBytes& state, uint32_t depth, Counts& counts) {
  ++counts.states;
  counts.goals += problem.IsGoal(state) ? 1 : 0;
  const astro_problem_v1& f = problem.functions();
  const std::vector<astro_op> ops = problem.Ops(state);
  std::vector<astro_op> expanded(problem.info().max_ops);
  std::vector<int64_t> costs(problem.info().max_ops, -1);
  std::vector<std::byte> children(size_t{problem.info().max_ops} * problem.info().state_size);
  ASSERT_EQ(f.expand(problem.get(), state.get(), ASTRO_NO_OP, expanded.data(), costs.data(), children.data(),
                     problem.info().state_size),
            ops.size());
  size_t allowed = 0;
  for (astro_op row = 0; row < problem.info().max_ops; ++row) {
    StateBytes child = state;
    int64_t cost = -1;
    if (f.apply_in_place(problem.get(), child.get(), row, &cost) != ASTRO_OK) {
      ASSERT_EQ(child, state);
      continue;
    }
    ASSERT_LT(allowed, ops.size());
    ASSERT_EQ(ops[allowed], row);
    ASSERT_EQ(expanded[allowed], row);
    ASSERT_EQ(cost, 1);
    ASSERT_EQ(costs[allowed], 1);
    ASSERT_EQ(child, problem.Apply(state, row));
    ASSERT_EQ(
        std::memcmp(children.data() + allowed * problem.info().state_size, child.get(), problem.info().state_size), 0);
    ++allowed;
    Walk(problem, child, depth + 1, counts);
  }
  ASSERT_EQ(allowed, ops.size());
}

// A000170 in the On-Line Encyclopedia of Integer Sequences.
TEST_F(IncrementalQueens, ReachesEverySolutionOnce) {
  const std::vector<uint64_t> solutions = {1, 0, 0, 2, 10, 4, 40, 92};
  for (uint32_t queens = 1; queens <= 8; ++queens) {
    const ProblemUnderTest problem(Functions(), host, std::to_string(queens), &params);
    ASSERT_TRUE(problem.ok());
    EXPECT_EQ(problem.info().max_ops, queens);
    EXPECT_EQ(problem.info().max_cost, queens);
    EXPECT_EQ(problem.info().flags, static_cast<uint32_t>(ASTRO_PROBLEM_UNIT_COST | ASTRO_PROBLEM_TREE));
    Counts counts;
    Walk(problem, problem.Initial(), 0, counts);
    EXPECT_EQ(counts.goals, solutions[queens - 1]) << queens;
    if (queens == 8) {
      EXPECT_EQ(counts.states, 2057u);  // as in the textbook
    }
  }
  EXPECT_TRUE(host.failures.empty());
}

TEST_F(IncrementalQueens, IsNotFactoredAndBeginsWhereTheInstanceDoes) {
  const ProblemUnderTest problem(Functions(), host, "6\n1 3", &params);
  astro_factored_info_v1 info = {};
  EXPECT_FALSE(problem.Factored(&info));
  EXPECT_EQ(problem.Random(5), problem.Initial());
  EXPECT_EQ(astro::testing::RandomStateFault(problem, 3), "");
  EXPECT_EQ(problem.info().max_cost, 4);
  EXPECT_EQ(problem.Describe(), "6 queens, placed column by column, 2 given");
  EXPECT_EQ(problem.Render(problem.Initial()),
            ". . . . . .\nQ . . . . .\n. . . . . .\n. Q . . . .\n. . . . . .\n. . . . . .");
  Counts counts;
  Walk(problem, problem.Initial(), 2, counts);
  EXPECT_EQ(counts.goals, 1u);  // 1 3 5 0 2 4
}

TEST_F(IncrementalQueens, GivenQueensDecideWhetherThereIsASolution) {
  const auto solvable = [&](std::string_view text) {
    return ProblemUnderTest(Functions(), host, text, &params).Solvable();
  };
  EXPECT_EQ(solvable("6").first, static_cast<uint32_t>(ASTRO_SOLVABLE_YES));
  EXPECT_EQ(solvable("3").first, static_cast<uint32_t>(ASTRO_SOLVABLE_NO));
  EXPECT_EQ(solvable("6\n1 3").first, static_cast<uint32_t>(ASTRO_SOLVABLE_UNKNOWN));
  EXPECT_EQ(solvable("6\n1 3 5 0 2 4").first, static_cast<uint32_t>(ASTRO_SOLVABLE_YES));
  EXPECT_EQ(solvable("6\n1 3 0 2").first, static_cast<uint32_t>(ASTRO_SOLVABLE_UNKNOWN));
  const auto [answer, reason] = solvable("6\n0 2 5 3");
  EXPECT_EQ(answer, static_cast<uint32_t>(ASTRO_SOLVABLE_NO));
  EXPECT_EQ(reason,
            "the given queens in columns 0 and 3 attack each other, and the incremental formulation moves none");
}

TEST_F(IncrementalQueens, StatesReadBack) {
  ProblemUnderTest small(Functions(), host, "6", &params);
  ProblemUnderTest large(Functions(), host, "50", &params);
  for (ProblemUnderTest* problem : {&small, &large}) {
    StateBytes state = problem->Initial();
    for (int placed = 0; placed < 4; ++placed) {
      const auto parsed = problem->ParseState(problem->Render(state));
      ASSERT_TRUE(parsed) << problem->faults.Text();
      EXPECT_EQ(*parsed, state);
      state = problem->Apply(state, problem->Ops(state).front());
    }
  }
  EXPECT_EQ(large.RenderOp(17), "17");
}

}  // namespace
}  // namespace queens
