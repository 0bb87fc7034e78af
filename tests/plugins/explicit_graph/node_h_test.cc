// node_h and the problem, by the plugin files as the host loads them.
#include <gtest/gtest.h>

#include "astrolabe/sdk/testing/loaded_plugin.h"
#include "astrolabe/sdk/testing/under_test.h"
#include "graphs.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::HeuristicUnderTest;
using astro::testing::LoadedPlugin;
using astro::testing::ProblemUnderTest;

const LoadedPlugin& File(const std::string& name) {
  static const LoadedPlugin graph(ASTROLABE_TEST_PLUGIN_DIR "/explicit_graph.so");
  static const LoadedPlugin node_h(ASTROLABE_TEST_PLUGIN_DIR "/node_h.so");
  const LoadedPlugin& file = name == "node_h" ? node_h : graph;
  EXPECT_EQ(file.error(), "");
  return file;
}

struct NodeHTest : ::testing::Test {
  explicit NodeHTest() : problem(File("explicit_graph").Problem()), node_h(File("node_h").Heuristic()) {}
  const astro_problem_v1* problem;
  const astro_heuristic_v1* node_h;
  FakeHost host;
};

TEST_F(NodeHTest, GivesTheNumbersOfTheInstance) {
  const ProblemUnderTest graph(problem, host, graphs::kInconsistent);
  const HeuristicUnderTest h(node_h, host, graph);
  ASSERT_TRUE(h.ok());
  EXPECT_EQ(h.Eval(graph.Initial()), 12);
  EXPECT_EQ(h.Eval(graph.Goal()), 0);
  EXPECT_EQ(h.info().max_h, 12);
  const std::vector<astro_op> ops = graph.Ops(graph.Initial());
  std::vector<int64_t> children(ops.size());
  node_h->eval_ops(h.context(), graph.Initial().get(), 12, nullptr, ops.data(), static_cast<uint32_t>(ops.size()),
                   children.data(), nullptr);
  for (size_t i = 0; i < ops.size(); ++i) EXPECT_EQ(children[i], h.Eval(graph.Apply(graph.Initial(), ops[i])));
  EXPECT_EQ(h.Explain(graph.Initial()), "the instance gives 12 for P\n");
}

TEST_F(NodeHTest, ClaimsWhatHoldsForTheInstance) {
  const auto claims = [&](std::string_view text) {
    const ProblemUnderTest graph(problem, host, text);
    const HeuristicUnderTest h(node_h, host, graph);
    EXPECT_TRUE(h.ok());
    return h.info().claims;
  };
  const uint32_t admissible = ASTRO_CLAIM_ADMISSIBLE;
  const uint32_t both = ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_CONSISTENT;
  EXPECT_EQ(claims(graphs::kInconsistent), admissible);
  EXPECT_EQ(claims("node a h 3\nnode b\nedge a b 3\nstart a\ngoal b\n"), both);
  EXPECT_EQ(claims("edge a b 3\nstart a\ngoal b\n"), both);
  EXPECT_EQ(claims("node a h 4\nnode b\nedge a b 3\nstart a\ngoal b\n"), 0u);
}

TEST_F(NodeHTest, ANoteNamesANodeThatIsTooHigh) {
  const ProblemUnderTest graph(problem, host, "node P h 12\nnode T\nedge P T 11\nstart P\ngoal T\n");
  const HeuristicUnderTest h(node_h, host, graph);
  ASSERT_TRUE(h.ok());
  ASSERT_EQ(h.faults.list.size(), 1u);
  EXPECT_EQ(h.faults.list[0].severity, static_cast<uint32_t>(ASTRO_SEVERITY_NOTE));
  EXPECT_EQ(h.faults.list[0].message, "node_h: h of P is 12, the true distance is 11: not admissible");
}

TEST_F(NodeHTest, IsZeroOnAReversedGraph) {
  const ProblemUnderTest graph(problem, host, graphs::kInconsistent);
  const ProblemUnderTest reversed(graph, host);
  const HeuristicUnderTest h(node_h, host, reversed);
  ASSERT_TRUE(h.ok());
  EXPECT_EQ(h.Eval(graph.Initial()), 0);
  EXPECT_EQ(h.info().claims, static_cast<uint32_t>(ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_CONSISTENT));
}

TEST_F(NodeHTest, IsCancelled) {
  host.cancelled = true;
  const ProblemUnderTest graph(problem, host, graphs::kInconsistent);
  const HeuristicUnderTest h(node_h, host, graph);
  EXPECT_EQ(h.status(), ASTRO_CANCELLED);
}

}  // namespace
