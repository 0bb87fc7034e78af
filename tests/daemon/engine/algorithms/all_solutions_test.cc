// Counting: OEIS A000170, trees and other spaces, limits.
#include <gtest/gtest.h>

#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/queens_domain.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {
namespace {

class Goals final : public NodeSink {
 public:
  Goals() { wanted = 1u << static_cast<int>(NodeKind::kGoal); }
  bool Record(const NodeRecord& record) override {
    EXPECT_EQ(record.kind, NodeKind::kGoal);
    ++count;
    return true;
  }
  int64_t count = 0;
};

TEST(AllSolutions, CountsQueensAsOeisA000170Does) {
  const int64_t expected[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724};
  for (uint32_t n = 1; n <= 10; ++n) {
    for (bool tree : {true, false}) {
      SCOPED_TRACE(n);
      const PlacingSpace space(n, tree);
      SearchRequest request = MakeRequest(space, "all_solutions");
      Goals goals;
      request.sink = &goals;
      const SearchResult result = Solve(request);
      EXPECT_EQ(result.solution_count, expected[n]);
      EXPECT_EQ(goals.count, expected[n]);
      if (expected[n] == 0) {
        EXPECT_EQ(result.outcome, Outcome::kUnsolvable);
        EXPECT_EQ(result.proof, Proof::kUnsolvableExhausted);
        continue;
      }
      ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
      EXPECT_EQ(result.proof, Proof::kFeasible);
      EXPECT_TRUE(result.verified);
      EXPECT_EQ(result.path.size(), n);
      EXPECT_EQ(result.statistics.stored == 0, tree);
    }
  }
}

TEST(AllSolutions, CountsGoalStatesOnceHoweverManyWaysLeadThere) {
  GraphSpec spec;
  spec.vertices = 5;
  spec.edges = {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}, {3, 4, 1}, {4, 0, 1}};
  spec.goals = {3, 4};
  const GraphSpace space(spec);
  const SearchResult result = Solve(MakeRequest(space, "all_solutions"));
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation;
  EXPECT_EQ(result.solution_count, 2);
  EXPECT_NE(result.explanation.find("2 solutions; there are no more"), std::string::npos) << result.explanation;
}

TEST(AllSolutions, SaysUnderALimitThatThereMayBeMore) {
  const PlacingSpace space(8);
  SearchRequest request = MakeRequest(space, "all_solutions");
  request.limits.max_expansions = 500;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.outcome, Outcome::kLimitReached);
  EXPECT_EQ(result.statistics.expanded, 500);
  EXPECT_GT(result.solution_count, 0);
  EXPECT_LT(result.solution_count, 92);
  EXPECT_TRUE(result.has_path);
  EXPECT_NE(result.explanation.find("at least"), std::string::npos) << result.explanation;
  request.limits = {};
  request.limits.max_cost = 8;
  EXPECT_EQ(Solve(request).outcome, Outcome::kRejected);
}

}  // namespace
}  // namespace astrolabe::engine::testing
