#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "astrolabe/sdk/testing/ida.h"
#include "plugins_under_test.h"

namespace {

using namespace astro::testing;

// No board needs more moves; of the 17 that need as many, the one with the fewest nodes. Proven: with 78 moves all is
// searched and nothing found. The tables are small enough to be built here; 7-8 would take longer than the search.
TEST(Hardest, A15PuzzleThatNeeds80MovesIsSolvedInThem) {
  FakeHost host;
  FakeParams goal;
  goal.SetText("goal", "blank-first");
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, "15 11 9 12/14 10 13 8/2 6 5 1/3 7 4 0", &goal);
  ASSERT_TRUE(problem.ok()) << problem.faults.Text();
  FakeParams params;
  params.SetText("patterns", "6-6-3");
  params.SetText("mirror", "on");
  HeuristicUnderTest tables(Plugin("pattern_database").Heuristic(), host, problem, &params);
  ASSERT_TRUE(tables.ok()) << tables.faults.Text();
  const IdaIteration result = Deepen(tables.Eval(problem.Initial()),
                                     [&](int64_t bound) { return RunKernel(problem, tables, bound, false, {}); });
  EXPECT_EQ(result.end, ASTRO_IDA_FOUND);
  EXPECT_EQ(result.path_cost, 80);
  RecordProperty("generated", std::to_string(result.generated));
  StateBytes state = problem.Initial();
  for (const astro_op op : result.path) {
    ASSERT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), op, nullptr), ASTRO_OK);
  }
  EXPECT_TRUE(problem.IsGoal(state));
}

}  // namespace
