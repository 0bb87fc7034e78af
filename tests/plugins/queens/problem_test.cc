// The complete formulation by the rules of the ABI.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "astrolabe/abi/construct.h"
#include "astrolabe/sdk/testing/local.h"
#include "functions.h"

namespace queens {
namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::Faults;
using astro::testing::ProblemUnderTest;
using astro::testing::StateBytes;

TEST(Queens, AColumnIsAVariableAndItsRowTheValue) {
  FakeHost host;
  for (const uint32_t queens : {1u, 2u, 8u, 255u, 256u, 3000u}) {
    const ProblemUnderTest problem(Functions(), host, std::to_string(queens));
    ASSERT_TRUE(problem.ok());
    astro_factored_info_v1 info = {};
    ASSERT_TRUE(problem.Factored(&info));
    EXPECT_EQ(info.variables, queens);
    EXPECT_EQ(info.values, queens);
    EXPECT_EQ(problem.info().max_ops, 0u);
    EXPECT_EQ(problem.functions().ops(problem.get(), problem.Initial().get(), ASTRO_NO_OP, nullptr, nullptr), 0u);
    EXPECT_EQ(astro::testing::FactoredFault(problem, 200, queens), "") << queens;
    EXPECT_EQ(astro::testing::RandomStateFault(problem, 20), "") << queens;
  }
  EXPECT_TRUE(host.failures.empty());
}

TEST(Queens, AStateHasTheNarrowestCells) {
  FakeHost host;
  const auto size = [&](std::string_view text) { return ProblemUnderTest(Functions(), host, text).info().state_size; };
  EXPECT_EQ(size("1"), 1u);
  EXPECT_EQ(size("255"), 255u);
  EXPECT_EQ(size("256"), 512u);  // 255 is a row now, and 255 in a byte would say that there is none
  EXPECT_EQ(size("65535"), 131070u);
  EXPECT_EQ(size("65536"), 262144u);
  EXPECT_EQ(size("1000000"), 4000000u);
}

TEST(Queens, AMillionQueensHaveNoOperatorsAndAreSteppedByVariable) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, "1000000");
  const std::vector<uint32_t> values = problem.Values(problem.Random(7));
  EXPECT_EQ(problem.Values(problem.State(values)), values);
  StateBytes state = problem.Initial();
  EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), 5, nullptr), ASTRO_INVALID);
}

TEST(Queens, TheRowOfEachQueenIsDrawnAlone) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, "4");
  constexpr int kBoards = 51200;  // 200 of each of 4^4
  std::map<std::vector<uint32_t>, int> seen;
  for (int seed = 0; seed < kBoards; ++seed) ++seen[problem.Values(problem.Random(seed))];
  ASSERT_EQ(seen.size(), 256u);
  double chi_squared = 0;
  for (const auto& [rows, count] : seen) chi_squared += (count - 200.0) * (count - 200.0) / 200.0;
  // 255 degrees of freedom: outside of this in one of 10,000 draws, and the seeds are fixed.
  EXPECT_GT(chi_squared, 176);
  EXPECT_LT(chi_squared, 347);
}

TEST(Queens, EqualSeedsGiveEqualBoards) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, "8");
  const ProblemUnderTest again(Functions(), host, "8\n0 0 0 0 0 0 0 0");
  EXPECT_EQ(problem.Random(7), again.Random(7));
  EXPECT_FALSE(problem.Random(7) == problem.Random(8));
  // Written down: another machine, or another version, must draw the same.
  EXPECT_EQ(problem.Values(problem.Random(1)), (std::vector<uint32_t>{5, 4, 4, 3, 5, 1, 0, 3}));
}

TEST(Queens, SaysWhetherTheStartIsGiven) {
  FakeHost host;
  const uint32_t unit = ASTRO_PROBLEM_UNIT_COST;
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "8").info().flags, unit | ASTRO_PROBLEM_NO_START);
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "1").info().flags, unit | ASTRO_PROBLEM_NO_START);
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "4\n0 1 2 3").info().flags, unit);
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "8").Describe(), "8 queens, random boards");
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "1").Describe(), "1 queen, random boards");
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "4\n0 1 2 3").Describe(), "4 queens, from a given board");
}

TEST(Queens, TwoAndThreeHaveNoSolution) {
  FakeHost host;
  for (const std::string_view text : {"2", "3", "0 1", "3\n0 2 1"}) {
    const auto [answer, reason] = ProblemUnderTest(Functions(), host, text).Solvable();
    EXPECT_EQ(answer, static_cast<uint32_t>(ASTRO_SOLVABLE_NO)) << text;
    EXPECT_NE(reason, "");
  }
  for (const std::string_view text : {"1", "4", "8", "1000000", "6\n0 1 2 3 4 5"}) {
    const auto [answer, reason] = ProblemUnderTest(Functions(), host, text).Solvable();
    EXPECT_EQ(answer, static_cast<uint32_t>(ASTRO_SOLVABLE_YES)) << text;
    EXPECT_EQ(reason, "there is a solution for every number of queens but 2 and 3 (Pauls 1874)");
  }
}

// Every board of 2 and of 3 queens, for the reasons that Solvable gives.
TEST(Queens, NoBoardOfTwoOrThreeIsAGoalAndTwoOfFourAre) {
  FakeHost host;
  const std::vector<int> solutions = {1, 0, 0, 2, 10, 4};
  for (uint32_t queens = 1; queens <= 6; ++queens) {
    const ProblemUnderTest problem(Functions(), host, std::to_string(queens));
    std::vector<uint32_t> rows(queens);
    int goals = 0;
    while (true) {
      goals += problem.IsGoal(problem.State(rows)) ? 1 : 0;
      size_t column = 0;
      while (column < queens && ++rows[column] == queens) rows[column++] = 0;
      if (column == queens) break;
    }
    EXPECT_EQ(goals, solutions[queens - 1]) << queens;
  }
}

TEST(Queens, TheGoalTestHoldsForLargeBoards) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, "2000");
  EXPECT_FALSE(problem.IsGoal(problem.Initial()));
  EXPECT_FALSE(problem.IsGoal(problem.Random(1)));
}

TEST(Queens, DrawsBoardsAndListsLargeOnes) {
  FakeHost host;
  ProblemUnderTest four(Functions(), host, "4\n1 3 0 2");
  EXPECT_EQ(four.Render(four.Initial()), ". . Q .\nQ . . .\n. . . Q\n. Q . .");
  ProblemUnderTest large(Functions(), host, "41");
  const std::string list = large.Render(large.Random(3));
  EXPECT_EQ(list.find('Q'), std::string::npos);
  for (ProblemUnderTest* problem : {&four, &large}) {
    const StateBytes state = problem->Random(3);
    const auto parsed = problem->ParseState(problem->Render(state));
    ASSERT_TRUE(parsed) << problem->faults.Text();
    EXPECT_EQ(*parsed, state);
  }
}

TEST(Queens, NamesStepsByColumnAndRow) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, "8");
  EXPECT_EQ(astro::testing::Written(
                [&](const astro_sink* sink) { problem.FactoredCalls()->render_step(problem.get(), 5, 1, sink); }),
            "moved column 5 to row 1");
  EXPECT_EQ(problem.RenderOp(5 * 8 + 1), "5->1");
}

TEST(Queens, RefusesStepsThatAreNone) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, "4\n1 3 0 2");
  StateBytes state = problem.Initial();
  const StateBytes before = state;
  for (const astro_op op : {astro_op{1}, astro_op{16}, astro_op{ASTRO_NO_OP}}) {  // the first stands there already
    EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), op, nullptr), ASTRO_INVALID) << op;
    EXPECT_EQ(state, before);
  }
}

TEST(Queens, TellsFacts) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, "6\n0 1 2 3 4 5");
  using Facts = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(problem.Facts(problem.Initial()),
            (Facts{{"queens_placed", "6"}, {"attacking_pairs", "15"}, {"queens_attacked", "6"}}));
  EXPECT_EQ(problem.Facts(problem.State({1, 3, 5, 0, 2, 4})),
            (Facts{{"queens_placed", "6"}, {"attacking_pairs", "0"}, {"queens_attacked", "0"}}));
}

TEST(Queens, InstancesAreKnownByTheirContents) {
  FakeHost host;
  FakeParams incremental;
  incremental.SetText("formulation", "incremental");
  const auto print = [&](std::string_view text, FakeParams* params = nullptr) {
    return ProblemUnderTest(Functions(), host, text, params).Fingerprint();
  };
  EXPECT_EQ(print("4\n1 3 0 2"), print("..Q.\nQ...\n...Q\n.Q..\n"));
  EXPECT_NE(print("4\n1 3 0 2"), print("4"));
  EXPECT_NE(print("4"), print("4", &incremental));
}

struct Constructed {
  astro_status status;
  std::vector<astro_op> ops;
  std::string why;
};

Constructed Construct(const ProblemUnderTest& problem) {
  Constructed result;
  const auto* calls = static_cast<const astro_problem_construct_v1*>(
      problem.functions().get_extension(astro::ToText(ASTRO_PROBLEM_CONSTRUCT_V1)));
  const astro_op_sink sink = {&result.ops, [](void* ctx, const astro_op* ops, uint64_t count) -> int32_t {
                                auto& taken = *static_cast<std::vector<astro_op>*>(ctx);
                                taken.insert(taken.end(), ops, ops + count);
                                return 0;
                              }};
  Faults faults;
  result.status = calls->construct(problem.get(), &sink, faults.get());
  result.why = faults.Text();
  return result;
}

TEST(Queens, ConstructsStepsToASolution) {
  FakeHost host;
  FakeParams incremental;
  incremental.SetText("formulation", "incremental");
  for (FakeParams* params : {static_cast<FakeParams*>(nullptr), &incremental}) {
    for (const std::string_view text : {"1", "4", "8", "9", "14", "15", "1000"}) {
      const ProblemUnderTest problem(Functions(), host, text, params);
      ASSERT_TRUE(problem.ok());
      const Constructed path = Construct(problem);
      ASSERT_EQ(path.status, ASTRO_OK) << text << path.why;
      StateBytes state = problem.Initial();
      for (const astro_op op : path.ops) {
        ASSERT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), op, nullptr), ASTRO_OK);
      }
      EXPECT_TRUE(problem.IsGoal(state)) << text;
    }
  }
  EXPECT_TRUE(Construct(ProblemUnderTest(Functions(), host, "8\n1 3 5 7 2 0 6 4")).ops.empty());
}

TEST(Queens, SaysWhyItConstructsNothing) {
  FakeHost host;
  EXPECT_EQ(Construct(ProblemUnderTest(Functions(), host, "3")).status, ASTRO_REFUSED);
  EXPECT_EQ(Construct(ProblemUnderTest(Functions(), host, "3")).why, "0:0 there is no solution for 3 queens\n");
  const Constructed large = Construct(ProblemUnderTest(Functions(), host, "65536"));
  EXPECT_EQ(large.status, ASTRO_REFUSED);
  EXPECT_EQ(large.why, "0:0 the steps on a board of more than 65535 queens have no numbers\n");
  EXPECT_EQ(Construct(ProblemUnderTest(Functions(), host, "65535")).status, ASTRO_OK);
}

}  // namespace
}  // namespace queens
