#include "plugins/explicit_graph/h_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "functions.h"
#include "graphs.h"

namespace explicit_graph {
namespace {

using astro::testing::FakeHost;
using astro::testing::ProblemUnderTest;

class Graph {
 public:
  explicit Graph(std::string_view text) : problem_(Functions(), host_, text) {
    EXPECT_TRUE(problem_.ok()) << problem_.faults.Text();
  }
  Instance instance() const { return Problem::MakeInstance(problem_.functions().domain_view(problem_.get())); }
  HCheck Check() const {
    return CheckH(instance(), [] {});
  }

 private:
  FakeHost host_;
  ProblemUnderTest problem_;
};

TEST(HCheck, SeesWhatIsConsistent) {
  const HCheck check = Graph("node a h 3\nnode b h 1\nnode c h 0\nedge a b 2\nedge b c 1\nstart a\ngoal c\n").Check();
  EXPECT_TRUE(check.consistent);
  EXPECT_FALSE(check.too_high);
}

TEST(HCheck, SeesWhatIsAdmissibleButNotConsistent) {
  const HCheck check = Graph(graphs::kInconsistent).Check();
  EXPECT_FALSE(check.consistent);
  EXPECT_FALSE(check.too_high);
}

TEST(HCheck, NamesANodeWhoseHIsTooHigh) {
  const HCheck check = Graph("node a h 2\nnode b h 5\nnode c\nedge a b 2\nedge b c 4\nstart a\ngoal c\n").Check();
  EXPECT_FALSE(check.consistent);
  ASSERT_TRUE(check.too_high);
  EXPECT_EQ(check.too_high->node, 1u);
  EXPECT_EQ(check.too_high->h, 5);
  EXPECT_EQ(check.too_high->distance, 4);
}

TEST(HCheck, AGoalHasDistanceZero) {
  const HCheck check = Graph("node a h 1\nnode b h 1\nedge a b 9\nstart a\ngoal b\n").Check();
  ASSERT_TRUE(check.too_high);
  EXPECT_EQ(check.too_high->node, 1u);
}

TEST(HCheck, TheNearestOfSeveralGoalsCounts) {
  const HCheck check = Graph("node a h 3\nnode b\nnode c\nedge a b 9\nedge a c 2\nstart a\ngoal b\ngoal c\n").Check();
  ASSERT_TRUE(check.too_high);
  EXPECT_EQ(check.too_high->distance, 2);
}

TEST(HCheck, NothingIsTooHighWhereNoGoalCanBeReached) {
  const HCheck check = Graph("node a h 7\nnode b\nedge b a 1\nstart b\ngoal b\n").Check();
  EXPECT_TRUE(check.consistent);  // no edge leads out of a
  EXPECT_FALSE(check.too_high);
}

TEST(HCheck, AgreesWithDistancesByRelaxation) {
  std::mt19937 random{21};
  int refuted = 0;
  for (int round = 0; round < 300; ++round) {
    const Graph graph(graphs::Random(round % 2 == 0, 2 + round % 6, 3 + round % 20, random));
    const Instance instance = graph.instance();
    constexpr int64_t kFar = 1 << 20;
    std::vector<int64_t> distance(instance.nodes(), kFar);
    for (const uint32_t goal : instance.goals()) distance[goal] = 0;
    for (uint32_t pass = 0; pass < instance.nodes(); ++pass) {
      for (uint32_t node = 0; node < instance.nodes(); ++node) {
        for (uint32_t arc = instance.first(node); arc < instance.first(node + 1); ++arc) {
          distance[node] = std::min(distance[node], instance.cost(arc) + distance[instance.target(arc)]);
        }
      }
    }
    bool admissible = true;
    for (uint32_t node = 0; node < instance.nodes(); ++node) admissible &= instance.h(node) <= distance[node];
    const HCheck check = graph.Check();
    ASSERT_EQ(!check.too_high, admissible) << round;
    if (check.too_high) {
      ++refuted;
      EXPECT_EQ(check.too_high->distance, distance[check.too_high->node]);
    }
  }
  EXPECT_GT(refuted, 50);
  EXPECT_LT(refuted, 300);
}

TEST(HCheck, CanBeStopped) {
  const Graph graph("node a h 9\nnode b\nedge a b 2\nstart a\ngoal b\n");
  EXPECT_THROW(CheckH(graph.instance(), [] { throw std::runtime_error("stop"); }), std::runtime_error);
}

}  // namespace
}  // namespace explicit_graph
