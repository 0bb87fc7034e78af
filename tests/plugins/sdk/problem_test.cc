#include "astrolabe/sdk/problem.h"

#include <gtest/gtest.h>

#include "astrolabe/sdk/testing/under_test.h"
#include "counter.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::ProblemUnderTest;

const astro_problem_v1* Functions() { return astro::Problem<counter::Counter>::Functions(); }

TEST(Problem, ReportsFaultsOfParse) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "seven");
  EXPECT_EQ(problem.status(), ASTRO_INVALID);
  EXPECT_EQ(problem.faults.Text(), "1:1 not a number\n");
}

TEST(Problem, ThatGivesNothingIsItsOwnFault) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "nothing");
  EXPECT_EQ(problem.status(), ASTRO_INTERNAL);
  EXPECT_EQ(problem.faults.list.size(), 1u);
}

TEST(Problem, ExpandsAsOpsAndApplyDo) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "7");
  const auto root = problem.Apply(problem.Initial(), 1);  // 5
  astro_op ops[3];
  int64_t costs[3];
  counter::Position children[6];  // a stride of two
  ASSERT_EQ(problem.functions().expand(problem.get(), root.get(), ASTRO_NO_OP, ops, costs, children, 16), 3u);
  EXPECT_EQ(children[0].value, 6);
  EXPECT_EQ(children[2].value, 10);
  EXPECT_EQ(children[4].value, 4);
  EXPECT_EQ(costs[1], 3);
}

TEST(Problem, DerivesACheckedApplyInPlace) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "7");
  auto state = problem.Initial();
  int64_t cost = 0;
  EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), 2, &cost), ASTRO_INVALID);
  EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), 77, nullptr), ASTRO_INVALID);
  EXPECT_EQ(problem.Render(state), "0");
  EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), 1, &cost), ASTRO_OK);
  EXPECT_EQ(problem.Render(state), "5");
  EXPECT_EQ(cost, 3);
}

TEST(Problem, DerivesWhatIsNotThere) {
  FakeHost host;
  ProblemUnderTest seven(Functions(), host, "7");
  ProblemUnderTest also_seven(Functions(), host, "7");
  ProblemUnderTest eight(Functions(), host, "8");
  EXPECT_EQ(seven.Fingerprint(), also_seven.Fingerprint());
  EXPECT_NE(seven.Fingerprint(), eight.Fingerprint());
  EXPECT_EQ(seven.Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_UNKNOWN));
  EXPECT_EQ(seven.functions().inverse_op(seven.get(), 0), ASTRO_NO_OP);
  auto state = seven.NewState();
  EXPECT_EQ(seven.functions().goal_state(seven.get(), state.get()), 0);
  EXPECT_EQ(seven.functions().parse_state(seven.get(), astro::ToText("3"), seven.faults.get(), state.get()),
            ASTRO_REFUSED);
}

TEST(Problem, FillsOnlyThePartOfInfoThatTheHostHas) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "7");
  astro_problem_info_v1 info;
  std::memset(&info, 0xEE, sizeof(info));
  info.struct_size = offsetof(astro_problem_info_v1, max_ops);
  problem.functions().info(problem.get(), &info);
  EXPECT_EQ(info.state_size, sizeof(counter::Position));
  EXPECT_EQ(info.max_ops, 0xEEEEEEEEu);
}

}  // namespace
