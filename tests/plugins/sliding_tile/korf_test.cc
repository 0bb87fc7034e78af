// Korf's instances (1985): lengths and counts to the node, by both ways through the kernel.
#include <gtest/gtest.h>

#include "astrolabe/sdk/testing/ida.h"
#include "plugins_under_test.h"

namespace {

using namespace astro::testing;

struct Instance {
  int number;
  int64_t length;
  uint64_t generated;  // the root included, once
  int64_t h;
  const char* board;
};

constexpr Instance kInstances[] = {
    {79, 42, 540860, 28, "0 1 9 7/11 13 5 3/14 12 4 2/8 6 10 15"},
    {12, 45, 546344, 35, "14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15"},
    {42, 42, 877823, 30, "4 5 7 2/9 14 12 13/0 3 6 11/8 1 15 10"},
    {55, 41, 927212, 29, "13 8 14 3/9 1 0 7/15 5 4 10/12 2 6 11"},
    {97, 44, 1002927, 32, "9 14 5 7/8 15 1 2/10 4 13 6/12 0 11 3"},
    {19, 46, 1280495, 36, "7 11 8 3/14 0 6 15/1 4 13 9/5 12 2 10"},
    {94, 53, 1337340, 45, "5 7 11 8/0 14 9 13/10 12 3 15/6 1 4 2"},
    {47, 47, 1411294, 35, "6 10 1 14/15 8 3 5/13 0 2 7/4 9 11 12"},
    {93, 46, 1599909, 34, "13 9 14 6/12 8 1 2/3 4 0 7/5 10 11 15"},
    {9, 46, 1650696, 32, "3 14 9 11/5 4 8 2/13 12 6 7/10 1 15 0"},
    {74, 56, 1897728, 46, "14 13 4 11/15 8 6 9/0 7 3 1/2 10 12 5"},
    {48, 49, 1905023, 39, "8 11 4 6/7 3 10 9/2 12 15 13/0 1 5 14"},
    {30, 47, 2196593, 35, "12 15 2 6/1 14 4 8/5 3 7 0/10 13 9 11"},
    {86, 45, 2304426, 35, "6 0 5 10/11 12 9 2/1 7 4 3/14 8 13 15"},
    {31, 50, 2351811, 38, "12 8 15 13/1 0 5 4/6 3 2 11/9 7 14 10"},
    {85, 44, 2725456, 32, "4 7 13 10/1 2 9 6/12 8 14 5/3 0 11 15"},
    {73, 49, 3222276, 37, "6 14 10 5/15 8 7 1/3 4 2 0/12 9 11 13"},
    {28, 52, 5934442, 36, "13 14 6 12/4 5 1 0/9 3 10 2/15 11 8 7"},
    {45, 51, 6158733, 39, "3 14 9 7/12 15 0 4/1 8 5 6/11 10 2 13"},
    {61, 45, 7096850, 31, "6 13 3 2/11 9 5 10/1 7 12 14/8 4 0 15"},
};

class Korf : public ::testing::TestWithParam<Instance> {};
INSTANTIATE_TEST_SUITE_P(Instances, Korf, ::testing::ValuesIn(kInstances),
                         [](const auto& info) { return "N" + std::to_string(info.param.number); });

TEST_P(Korf, IsSolvedWithThePublishedCounts) {
  FakeHost host;
  FakeParams params;
  params.SetText("goal", "blank-first");
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, GetParam().board, &params);
  ASSERT_TRUE(problem.ok()) << problem.faults.Text();
  HeuristicUnderTest manhattan(Plugin("manhattan").Heuristic(), host, problem);
  const int64_t h = manhattan.Eval(problem.Initial());
  EXPECT_EQ(h, GetParam().h);
  IdaLimits limits;
  limits.expand_step = 9973;
  struct Way {
    bool table;
    bool any_order;
  };
  for (const auto& [table, any_order] : {Way{true, true}, Way{true, false}, Way{false, false}}) {
    limits.any_order = any_order;
    const IdaIteration result =
        Deepen(h, [&, table = table](int64_t bound) { return RunKernel(problem, manhattan, bound, table, limits); });
    EXPECT_EQ(result.end, ASTRO_IDA_FOUND);
    EXPECT_EQ(result.path_cost, GetParam().length);
    EXPECT_EQ(result.generated + 1, GetParam().generated);
    EXPECT_EQ(result.used_additive, table);

    StateBytes state = problem.Initial();
    for (const astro_op op : result.path) {
      ASSERT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), op, nullptr), ASTRO_OK);
    }
    EXPECT_TRUE(problem.IsGoal(state));
  }
}

}  // namespace
