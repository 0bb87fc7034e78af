#include <gtest/gtest.h>

#include <string>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/two_way.h"

namespace astrolabe::engine::testing {
namespace {

constexpr const char* kBoth[] = {"bidirectional", "bidirectional_bfs"};

TEST(Bidirectional, AProblemThatCannotBeReversedIsRefusedWithTheReason) {
  const GraphSpace space({.vertices = 3, .edges = {{0, 1, 1}, {0, 2, 1}}, .start = 0, .goals = {1, 2}});
  for (const char* algorithm : kBoth) {
    SearchRequest request = MakeRequest(space, algorithm);
    request.no_reversed = "it has 2 goals";
    const SearchResult result = Solve(request);
    EXPECT_EQ(result.outcome, Outcome::kRejected);
    ASSERT_EQ(result.violations.size(), 1u);
    EXPECT_EQ(result.violations[0].field, "algorithm");
    EXPECT_NE(result.violations[0].message.find("it has 2 goals"), std::string::npos);
    EXPECT_NE(result.violations[0].hint.find("astar"), std::string::npos);
  }
}

TEST(Bidirectional, StopsAtTheBestMeetingNotAtTheFirst) {
  // s-u-t costs 10, s-v-t 11 and s-w-t 9: the first two meet earlier.
  const GraphSpec spec{.vertices = 5,
                       .edges = {{0, 1, 5}, {1, 4, 5}, {0, 2, 6}, {2, 4, 5}, {0, 3, 8}, {3, 4, 1}},
                       .start = 0,
                       .goals = {4}};
  const GraphSpace space(spec);
  const GraphSpace reversed(Reversed(spec));
  SearchRequest request = MakeRequest(space, "bidirectional");
  request.reversed = &reversed;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.cost, 9);
  EXPECT_EQ(result.path, (std::vector<Op>{4, 5}));
  EXPECT_EQ(result.proof, Proof::kOptimal);
}

TEST(Bidirectional, AnOverestimateOnTheWayBackIsFoundOut) {
  const GraphSpec spec{.vertices = 4, .edges = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}, .start = 0, .goals = {3}};
  const GraphSpace space(spec);
  const GraphSpace reversed(Reversed(spec));
  const TableHeuristic right(space, {3, 2, 1, 0});
  const TableHeuristic wrong(reversed, {0, 5, 2, 3});  // from 1 back to the start it is 1
  SearchRequest request = MakeRequest(space, "bidirectional", &right);
  request.reversed = &reversed;
  request.reversed_evaluators.push_back({&wrong});
  const SearchResult result = Solve(request);
  ASSERT_EQ(result.outcome, Outcome::kSolved);
  EXPECT_EQ(result.proof, Proof::kFeasible);
  ASSERT_EQ(result.refuted_claims.size(), 1u);
  EXPECT_EQ(result.refuted_claims[0].claim, "admissible backward");
  EXPECT_EQ(result.refuted_claims[0].state, "v1");
  EXPECT_EQ(result.refuted_claims[0].h, 5);
  EXPECT_EQ(result.refuted_claims[0].remaining_cost, 1);
}

TEST(Bidirectional, ExpandsFarLessThanOneSidedSearchWithoutAHeuristic) {
  const TwoWayBoard board(EightPuzzle({8, 6, 7, 2, 5, 4, 3, 0, 1}, BlankLast(9)));
  const SearchResult one = Solve(board.Request("breadth_first"));
  const SearchResult both = Solve(board.Request("bidirectional_bfs"));
  EXPECT_EQ(one.cost, 31);
  EXPECT_EQ(both.cost, 31);
  EXPECT_EQ(both.proof, Proof::kOptimal);
  EXPECT_LT(both.statistics.expanded * 5, one.statistics.expanded);
}

TEST(Bidirectional, TheEndOfOneSideProvesThatThereIsNoWay) {
  // The goal has one way in, from itself; the start's side is large.
  GraphSpec spec{.vertices = 200, .edges = {}, .start = 0, .goals = {199}};
  for (uint32_t v = 0; v + 2 < 200; ++v) spec.edges.push_back({v, v + 1, 1});
  spec.edges.push_back({199, 199, 1});
  const GraphSpace space(spec);
  const GraphSpace reversed(Reversed(spec));
  for (const char* algorithm : kBoth) {
    SearchRequest request = MakeRequest(space, algorithm);
    request.reversed = &reversed;
    const SearchResult result = Solve(request);
    EXPECT_EQ(result.outcome, Outcome::kUnsolvable);
    EXPECT_EQ(result.proof, Proof::kUnsolvableExhausted);
    EXPECT_LT(result.statistics.expanded, 10);
  }
}

}  // namespace
}  // namespace astrolabe::engine::testing
