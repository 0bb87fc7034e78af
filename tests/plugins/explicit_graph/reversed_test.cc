#include "astrolabe/sdk/testing/reversed.h"

#include <gtest/gtest.h>

#include "functions.h"
#include "graphs.h"

namespace explicit_graph {
namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::ProblemUnderTest;
using astro::testing::ReversedFault;

TEST(ReversedGraph, TurnsEveryArcRound) {
  std::mt19937 random{9};
  for (int i = 0; i < 60; ++i) {
    FakeHost host;
    const std::string text = graphs::Random(i % 2 == 0, 1 + i % 8, 2 * i, random);
    const ProblemUnderTest graph(Functions(), host, text);
    ASSERT_TRUE(graph.ok());
    const ProblemUnderTest reversed(graph, host);
    ASSERT_TRUE(reversed.ok()) << reversed.faults.Text();
    EXPECT_EQ(ReversedFault(graph, reversed, 100), "") << text;
    EXPECT_EQ(ReversedFault(reversed, ProblemUnderTest(reversed, host), 100), "") << text;
  }
}

TEST(ReversedGraph, HasNoHAndItsStartIsTheGoal) {
  FakeHost host;
  const ProblemUnderTest graph(Functions(), host, graphs::kInconsistent);
  const ProblemUnderTest reversed(graph, host);
  ASSERT_TRUE(reversed.ok());
  EXPECT_EQ(reversed.CanonicalText(),
            "directed\nnode P\nnode Q\nnode R\nnode T\nedge Q P 4\nedge R P 11\nedge R Q 4\nedge T P 13\nedge T R 4\n"
            "start T\ngoal P\n");
}

TEST(ReversedGraph, IsRefusedWithSeveralGoals) {
  FakeHost host;
  const ProblemUnderTest graph(Functions(), host, "edge a b\nstart a\ngoal a\ngoal b\n");
  const ProblemUnderTest reversed(graph, host);
  EXPECT_EQ(reversed.status(), ASTRO_REFUSED);
  EXPECT_EQ(reversed.faults.Text(), "0:0 the graph has 2 goals, and a search from the goal needs one\n");
}

TEST(ReversedGraph, StillTellsWhetherItsGoalCanBeReached) {
  FakeHost host;
  const ProblemUnderTest graph(Functions(), host, "node a\nnode b\nedge b a\nstart a\ngoal b\n");
  EXPECT_EQ(ProblemUnderTest(graph, host).Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_NO));
  FakeParams params;
  params.SetInt("check_reachable", 0, ASTRO_PARAM_BOOL);
  const ProblemUnderTest unchecked(Functions(), host, "node a\nnode b\nedge b a\nstart a\ngoal b\n", &params);
  EXPECT_EQ(ProblemUnderTest(unchecked, host).Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_UNKNOWN));
}

}  // namespace
}  // namespace explicit_graph
