// Text to graph: every spelling, and every fault with its place.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "functions.h"
#include "graphs.h"

namespace explicit_graph {
namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::ProblemUnderTest;

std::string Canonical(std::string_view text, FakeParams* params = nullptr) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, text, params);
  return problem.ok() ? problem.CanonicalText() : problem.faults.Text();
}

std::string Faults(std::string_view text, FakeParams* params = nullptr) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, text, params);
  EXPECT_EQ(problem.status(), ASTRO_INVALID);
  return problem.faults.Text();
}

constexpr std::string_view kSmall = "directed\nnode A\nnode B\nedge A B 3\nstart A\ngoal B\n";

TEST(GraphReader, ReadsEverySpellingOfOneGraph) {
  for (const std::string_view text : {
           std::string_view("directed\r\nnode A\r\nnode B\r\nedge A B 3\r\nstart A\r\ngoal B\r\n"),
           std::string_view("directed\rnode A\rnode B\redge A B 3\rstart A\rgoal B"),
           std::string_view("\xEF\xBB\xBF"
                            "directed\nnode A\nnode B\nedge A B 3\nstart A\ngoal B\n"),
           std::string_view("# a graph\n\n\tdirected # it is\nnode\tA\nnode  B\n\nedge A\tB 3#dear\n start A \ngoal B"),
           std::string_view("edge A B 3\nstart A\ngoal B\n"),
           std::string_view("goal B\nstart A\nedge A B 3\nnode A\nnode B\ndirected\ngoal B\n"),
       }) {
    EXPECT_EQ(Canonical(text), kSmall) << text;
  }
}

TEST(GraphReader, ReadsAListOfEdges) {
  FakeParams params;
  params.SetText("start", "x");
  params.SetText("goal", " z ");
  EXPECT_EQ(Canonical("x y\ny z 4\n", &params),
            "directed\nnode x\nnode y\nnode z\nedge x y 1\nedge y z 4\nstart x\ngoal z\n");
  params.SetInt("directed", 0, ASTRO_PARAM_BOOL);
  EXPECT_EQ(Canonical("x y\ny z 4\n", &params),
            "undirected\nnode x\nnode y\nnode z\nedge x y 1\nedge y z 4\nstart x\ngoal z\n");
}

TEST(GraphReader, ParametersOverrideStartAndGoals) {
  FakeParams params;
  params.SetText("start", "B");
  params.SetText("goal", "A B");
  EXPECT_EQ(Canonical(kSmall, &params), "directed\nnode A\nnode B\nedge A B 3\nstart B\ngoal A\ngoal B\n");
}

TEST(GraphReader, KeepsLoopsAndParallelEdges) {
  EXPECT_EQ(Canonical("undirected\nedge A A 2\nedge A B 5\nedge B A 5\nedge A B 1\nstart A\ngoal B\n"),
            "undirected\nnode A\nnode B\nedge A A 2\nedge A B 1\nedge A B 5\nedge A B 5\nstart A\ngoal B\n");
}

TEST(GraphReader, CanonicalTextIsItsOwnCanonicalText) {
  std::mt19937 random{3};
  for (int i = 0; i < 60; ++i) {
    const std::string text = graphs::Random(i % 2 == 0, 1 + i % 9, i, random);
    FakeHost host;
    const ProblemUnderTest graph(Functions(), host, text);
    ASSERT_TRUE(graph.ok()) << text << graph.faults.Text();
    const ProblemUnderTest again(Functions(), host, graph.CanonicalText());
    ASSERT_TRUE(again.ok()) << graph.CanonicalText() << again.faults.Text();
    EXPECT_EQ(again.CanonicalText(), graph.CanonicalText());
    EXPECT_EQ(again.Fingerprint(), graph.Fingerprint());
  }
}

TEST(GraphReader, FingerprintIsThatOfTheGraphNotOfItsSpelling) {
  const auto of = [](std::string_view text) {
    FakeHost host;
    return ProblemUnderTest(Functions(), host, text).Fingerprint();
  };
  const std::string one = of("node A\nnode B\nedge A B 3\nedge A B 4\nstart A\ngoal B\n");
  EXPECT_EQ(of("node A\nnode B\n# turned\nstart A\nedge A B 4\nedge A B 3\ngoal B\n"), one);
  for (const std::string_view other : {"undirected\nnode A\nnode B\nedge A B 3\nedge A B 4\nstart A\ngoal B\n",
                                       "node A\nnode B\nedge A B 3\nedge A B 5\nstart A\ngoal B\n",
                                       "node A\nnode C\nedge A C 3\nedge A C 4\nstart A\ngoal C\n",
                                       "node A\nnode B\nedge A B 3\nedge A B 4\nstart A\ngoal A\n",
                                       "node A\nnode B\nedge A B 3\nedge A B 4\nstart B\ngoal B\n",
                                       "node A h 0\nnode B\nedge A B 3\nedge A B 4\nstart A\ngoal B\n"}) {
    EXPECT_NE(of(other), one) << other;
  }
}

TEST(GraphReader, ANegativeCostIsAFault) {
  EXPECT_EQ(Faults("directed\nedge a b 6\nedge b c -5\nedge a c 4\nstart a\ngoal c\n"), "3:10 negative cost -5\n");
  EXPECT_EQ(Faults("edge a b -0.5\nstart a\ngoal b\n"), "1:10 negative cost -0.5\n");
  EXPECT_EQ(Faults("node a h -1\nedge a a\nstart a\ngoal a\n"), "1:10 negative h -1\n");
}

TEST(GraphReader, ANumberThatIsNoneOrTooLargeOrADecimalIsAFault) {
  EXPECT_EQ(Faults("edge a b x\nedge a b 1x\nedge a b 99999999999999999999\nedge a b 1.5\nedge a b 2e3\n"
                   "node a h nan\nnode b h 9223372036854775807\nstart a\ngoal b\n"),
            "1:10 cost 'x' is not a number\n2:10 cost '1x' is not a number\n"
            "3:10 cost '99999999999999999999' is too large\n4:10 cost '1.5' is not a whole number\n"
            "5:10 cost '2e3' is not a whole number\n6:10 h 'nan' is not a number\n"
            "7:10 h '9223372036854775807' is too large\n");
}

TEST(GraphReader, CostsOfAWholePathFit) {
  EXPECT_EQ(Faults("edge a b 1\nedge b c 1000000000000000000\nstart a\ngoal c\n"),
            "2:10 cost 1000000000000000000 is too large for 3 nodes\n");
}

TEST(GraphReader, UnknownAndDoubleNodesAreFaults) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host,
                                 "node Alpha\nnode Beta\nnode Alpha\nedge Alpha Bete 2\nstart alpha\ngoal Gamma\n");
  EXPECT_EQ(problem.faults.Text(),
            "3:6 node 'Alpha' twice\n4:12 unknown node 'Bete'\n5:7 unknown node 'alpha'\n6:6 unknown node 'Gamma'\n");
  ASSERT_EQ(problem.faults.list.size(), 4u);
  EXPECT_EQ(problem.faults.list[0].hint, "the first one is in line 1");
  EXPECT_EQ(problem.faults.list[1].hint, "did you mean 'Beta'?");
  EXPECT_EQ(problem.faults.list[2].hint, "did you mean 'Alpha'?");
  EXPECT_EQ(problem.faults.list[3].hint, "");
}

TEST(GraphReader, StartAndGoalMustBeThere) {
  EXPECT_EQ(Faults("edge A B\n"), "0:0 there is no start\n0:0 there is no goal\n");
  EXPECT_EQ(Faults("A B\n"), "0:0 there is no start\n0:0 there is no goal\n");
  EXPECT_EQ(Faults("edge A B\nstart A\nstart B\ngoal B\n"), "3:1 a second start\n");
  FakeParams params;
  params.SetText("start", "");
  params.SetText("goal", "C");
  EXPECT_EQ(Faults("A B\n", &params), "0:0 an empty name\n0:0 unknown node 'C'\n");
}

TEST(GraphReader, LinesOfTheWrongShapeAreFaults) {
  const std::string wrong = " this line is not complete, or has words too many\n";
  EXPECT_EQ(Faults("directed graph\nnode\nnode A 3\nnode A h\nedge A\nedge A B 3 4\nstart\ngoal A B\nEdge A B\n"
                   "edge A B\nstart A\ngoal B\n"),
            "1:1" + wrong + "2:1" + wrong + "3:1" + wrong + "4:1" + wrong + "5:1" + wrong + "6:1" + wrong + "7:1" +
                wrong + "8:1" + wrong + "9:1 'Edge' begins no line of a graph\n");
  FakeParams params;
  params.SetText("start", "A");
  params.SetText("goal", "B");
  EXPECT_EQ(Faults("A B\nA\nA B 1 2\n", &params), "2:1" + wrong + "3:1" + wrong);
}

TEST(GraphReader, DirectionIsSaidOnce) {
  EXPECT_EQ(Faults("directed\nundirected\nedge A B\nstart A\ngoal B\n"),
            "2:1 directed or undirected is said a second time\n");
  FakeParams params;
  params.SetInt("directed", 1, ASTRO_PARAM_BOOL);
  EXPECT_EQ(Faults("undirected\nedge A B\nstart A\ngoal B\n", &params), "0:0 the instance says undirected in line 1\n");
}

TEST(GraphReader, AnEmptyInstanceIsAFault) {
  for (const std::string_view text : {"", "\n\n", "# nothing\n"}) {
    EXPECT_EQ(Faults(text), "0:0 the instance is empty\n");
  }
}

TEST(GraphReader, FaultsAreBoundedInNumber) {
  std::string text = "start A\ngoal A\nnode A\n";
  for (int i = 0; i < 5000; ++i) text += "edge A A x\n";
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, text);
  ASSERT_EQ(problem.faults.list.size(), 101u);
  EXPECT_EQ(problem.faults.list.back().message, "4900 more errors, not shown");
}

TEST(GraphReader, NamesInMessagesArePrintable) {
  EXPECT_EQ(Faults("node A\nnode B\nstart A\ngoal \xFF\x01\n"), "4:6 unknown node '\\xFF\\x01'\n");
}

// A grid of 250 000 nodes and a million arcs.
TEST(GraphReader, ReadsLargeGraphs) {
  constexpr int kSide = 500;
  std::string text = "undirected\nstart 0\ngoal 249999\n";
  for (int node = 0; node < kSide * kSide; ++node) {
    const std::string edge = "edge " + std::to_string(node) + " ";
    if (node % kSide + 1 < kSide) text += edge + std::to_string(node + 1) + " 2\n";
    if (node + kSide < kSide * kSide) text += edge + std::to_string(node + kSide) + " 3\n";
  }
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, text);
  ASSERT_TRUE(problem.ok()) << problem.faults.Text();
  EXPECT_EQ(problem.Describe(), "undirected graph, 250000 nodes, 499000 edges, 1 goal");
  EXPECT_EQ(problem.Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_YES));
  EXPECT_EQ(problem.info().max_ops, 4u);
}

}  // namespace
}  // namespace explicit_graph
