#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/two_way.h"

namespace astrolabe::engine::testing {
namespace {

class Improvements final : public SearchObserver {
 public:
  void OnImprovement(const Improvement& improvement) override { all.push_back(improvement); }
  std::vector<Improvement> all;
};

TEST(AnytimeAStar, TellsBetterSolutionsAndABoundThatShrinksUntilTheBestIsProven) {
  const TwoWayBoard board(KorfSpec(12));
  Improvements heard;
  const SearchResult result = RunSearch(board.Request("anytime_astar"), heard, StopToken());
  EXPECT_EQ(result.outcome, Outcome::kSolved);
  EXPECT_EQ(result.cost, 45);
  EXPECT_EQ(result.proof, Proof::kOptimal);
  ASSERT_GE(heard.all.size(), 3u);
  EXPECT_GT(heard.all.front().cost, 45);
  for (size_t i = 0; i < heard.all.size(); ++i) {
    const Improvement& now = heard.all[i];
    EXPECT_EQ(now.length, now.cost);
    ASSERT_TRUE(now.lower_bound.has_value());
    EXPECT_LE(*now.lower_bound, 45);
    EXPECT_NEAR(now.bound_factor, static_cast<double>(now.cost) / static_cast<double>(*now.lower_bound), 1e-9);
    if (i == 0) continue;
    const Improvement& before = heard.all[i - 1];
    EXPECT_LE(now.cost, before.cost);
    EXPECT_GE(*now.lower_bound, *before.lower_bound);
    EXPECT_TRUE(now.cost < before.cost || *now.lower_bound > *before.lower_bound) << "the same again";
  }
  EXPECT_EQ(heard.all.back().cost, 45);
  EXPECT_EQ(heard.all.back().lower_bound, 45);
}

TEST(AnytimeAStar, FindsAFirstSolutionLongBeforeTheBest) {
  const TwoWayBoard board(KorfSpec(1));
  SearchRequest request = board.Request("anytime_astar");
  request.limits.max_expansions = 200'000;  // A* needs 14 million
  Improvements heard;
  const SearchResult result = RunSearch(request, heard, StopToken());
  EXPECT_EQ(result.outcome, Outcome::kLimitReached);
  EXPECT_EQ(result.limit, LimitKind::kExpansions);
  EXPECT_EQ(result.statistics.expanded, 200'000);
  ASSERT_TRUE(result.has_path);
  EXPECT_TRUE(result.verified);
  EXPECT_EQ(result.cost, heard.all.back().cost);
  EXPECT_GE(*result.cost, 57);
  EXPECT_GE(*result.lower_bound, 41);
  EXPECT_LE(*result.lower_bound, 57);
  EXPECT_EQ(result.proof, Proof::kBounded);
  EXPECT_NE(result.explanation.find("So far"), std::string::npos) << result.explanation;
}

TEST(AnytimeAStar, ItsBestSurvivesTheEndOfMemory) {
  const TwoWayBoard board(KorfSpec(1));
  SearchRequest request = board.Request("anytime_astar");
  request.limits.max_memory_bytes = 8 << 20;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.limit, LimitKind::kMemory);
  ASSERT_TRUE(result.has_path);
  EXPECT_TRUE(result.verified);
  EXPECT_LE(*result.lower_bound, 57);
  EXPECT_GE(*result.cost, 57);
}

TEST(AnytimeAStar, HoldsForEveryScheduleOfWeights) {
#ifdef ASTROLABE_SANITIZED
  constexpr int kSchedules = 100;
#else
  constexpr int kSchedules = 2000;
#endif
  for (int i = 0; i < kSchedules; ++i) {
    SCOPED_TRACE("seed 7 + " + std::to_string(i));
    std::mt19937_64 random(7 + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h);
    SearchRequest request = MakeRequest(space, "anytime_astar", &h);
    static constexpr double kInitial[] = {1, 1.01, 2, 10, 1000};
    static constexpr double kSteps[] = {0.01, 0.5, 7, 1000};
    request.params["initial_weight"] = kInitial[random() % 5];
    request.params["weight_step"] = kSteps[random() % 4];
    if (std::get<double>(request.params["initial_weight"]) == 1000) request.params["weight_step"] = 100.0;
    const Cost best = c.distance[c.spec.start];
    Improvements heard;
    const SearchResult result = RunSearch(request, heard, StopToken());
    ASSERT_EQ(result.outcome, best == kInfinity ? Outcome::kUnsolvable : Outcome::kSolved) << result.explanation;
    if (best == kInfinity) continue;
    EXPECT_EQ(result.cost, best);
    EXPECT_EQ(result.proof, Proof::kOptimal);
    for (const Improvement& improvement : heard.all) {
      EXPECT_GE(improvement.cost, best);
      EXPECT_LE(*improvement.lower_bound, best);
    }
    if (HasFailure()) return;
  }
}

TEST(AnytimeAStar, AnOverestimateIsFoundOutAndNothingIsProven) {
  const TileSpace space(EightPuzzle({2, 7, 3, 1, 5, 6, 8, 0, 4}, BlankLast(9)));
  const TileHeuristic wrong(space, TileHeuristicKind::kManhattanWithBlank);
  Improvements heard;
  const SearchResult result = RunSearch(MakeRequest(space, "anytime_astar", &wrong), heard, StopToken());
  EXPECT_EQ(result.outcome, Outcome::kSolved);
  EXPECT_EQ(result.proof, Proof::kFeasible);
  EXPECT_FALSE(result.refuted_claims.empty());
  EXPECT_FALSE(result.lower_bound.has_value());
}

}  // namespace
}  // namespace astrolabe::engine::testing
