// Hill climbing: the figures of the literature for 8 queens, and the hard cases of a climb.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/daemon/engine/local/rows_of.h"
#include "tests/daemon/engine/queens_domain.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {
namespace {

SearchResult Climb(const QueensSpace& space, std::map<std::string, ParamValue> params = {}, uint64_t seed = 1,
                   bool trail = true) {
  const QueensObjective objective(space, trail);
  SearchRequest request = MakeRequest(space, "hill_climbing", &objective);
  request.params = std::move(params);
  request.seed = seed;
  return Solve(request);
}

void ExpectSolved(const SearchResult& result, uint32_t n) {
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  EXPECT_EQ(result.proof, Proof::kFeasible);
  EXPECT_EQ(result.objective, 0);
  EXPECT_TRUE(result.verified);
  EXPECT_FALSE(result.has_path);
  EXPECT_FALSE(result.cost.has_value());
  ASSERT_EQ(RowsOf(result).size(), n);
  EXPECT_EQ(AttackingPairs(RowsOf(result).data(), n), 0);
}

// Success rate and mean steps of many climbs; how far they may be off: four standard deviations of 200,000 climbs.
void ExpectStatistics(const SearchResult& result, double rate, double solved_steps, double stuck_steps,
                      double steps_off) {
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation;
  const LocalStatistics& local = *result.statistics.local;
  ASSERT_EQ(local.climbs, 200'000);
  EXPECT_EQ(local.solved + local.stuck, local.climbs);
  EXPECT_EQ(local.steps_solved + local.steps_stuck, local.steps);
  EXPECT_NEAR(static_cast<double>(local.solved) / 200'000.0, rate,
              4 * std::sqrt(rate * (1 - rate) / 200'000.0) + 0.0005);
  EXPECT_NEAR(static_cast<double>(local.steps_solved) / static_cast<double>(local.solved), solved_steps, steps_off);
  EXPECT_NEAR(static_cast<double>(local.steps_stuck) / static_cast<double>(local.stuck), stuck_steps, steps_off);
}

TEST(HillClimbing, SolvesEightQueensAsOftenAsTheLiteratureSays) {
  const SearchResult result = Climb(QueensSpace(8), {{"restarts", int64_t{199'999}}, {"stop_at_solution", false}});
  ExpectStatistics(result, 0.1395, 4.08, 3.06, 0.04);
  EXPECT_EQ(result.statistics.local->sideways_steps, 0);
}

TEST(HillClimbing, SolvesNearlyAllWithAHundredSidewaysMoves) {
  const SearchResult result = Climb(
      QueensSpace(8), {{"restarts", int64_t{199'999}}, {"stop_at_solution", false}, {"max_sideways", int64_t{100}}});
  ExpectStatistics(result, 0.944, 19.1, 62.4, 2.5);
}

TEST(HillClimbing, StopsInALocalOptimumAndSaysSo) {
  const SearchResult result = Climb(QueensSpace(7, {4, 2, 5, 6, 1, 3, 0}));
  EXPECT_EQ(result.outcome, Outcome::kExhaustedLocal);
  EXPECT_EQ(result.objective, 1);
  EXPECT_EQ(result.explanation, "Stopped in a local optimum, objective 1, after 0 steps.");
  EXPECT_TRUE(result.verified);
  EXPECT_EQ(RowsOf(result), (std::vector<uint32_t>{4, 2, 5, 6, 1, 3, 0}));
  ExpectSolved(Climb(QueensSpace(7, {4, 2, 5, 6, 1, 3, 0}), {{"restarts", int64_t{-1}}}), 7);
}

TEST(HillClimbing, NeverTakesADiagonalForASolution) {
  const QueensSpace diagonal(6, {0, 1, 2, 3, 4, 5});
  const SearchResult once = Climb(diagonal);
  EXPECT_EQ(once.statistics.initial_h, 15);
  ExpectSolved(Climb(diagonal, {{"restarts", int64_t{-1}}}), 6);
}

TEST(HillClimbing, TakesNoStepFromASolution) {
  const SearchResult result = Climb(QueensSpace(4, {1, 3, 0, 2}));
  ExpectSolved(result, 4);
  EXPECT_EQ(result.statistics.local->steps, 0);
  EXPECT_EQ(result.statistics.expanded, 0);
  ExpectSolved(Climb(QueensSpace(1)), 1);
}

}  // namespace
}  // namespace astrolabe::engine::testing
