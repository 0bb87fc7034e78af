// What one local search algorithm alone does: min-conflicts and its repairs, local beam search, annealing.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/daemon/engine/local/expect.h"
#include "tests/daemon/engine/local/rows_of.h"
#include "tests/daemon/engine/queens_domain.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {
namespace {

// A step of the textbook's method values a million neighbours.
TEST(MinConflicts, IsCancelledBetweenTheStepsOfAMillionQueensByTheTextbook) {
  const QueensSpace space(1'000'000);
  const QueensObjective objective(space);
  SearchRequest request = MakeRequest(space, "min_conflicts", &objective);
  request.params["method"] = std::string("textbook");
  request.progress_interval = std::chrono::milliseconds(0);
  StopAtProgress observer;
  const SearchResult result = RunSearch(request, observer, observer.token);
  EXPECT_EQ(result.outcome, Outcome::kCancelled) << result.explanation;
  EXPECT_LT(result.statistics.generated - observer.generated, 3'000'000);
  EXPECT_TRUE(result.objective.has_value());
}

// Half way two queens are in a row. What that counts is the objective's affair, and no reason not to swap.
TEST(MinConflicts, RepairsByAnObjectiveThatWeighsRowsMore) {
  for (uint32_t weight : {1, 3, 7, 1000}) {
    SCOPED_TRACE(weight);
    const QueensSpace space(5000);
    const QueensObjective objective(space, true, weight);
    SearchRequest request = MakeRequest(space, "min_conflicts", &objective);
    request.limits.max_generated = 20'000'000;  // those of 4,000 of the textbook's steps
    const SearchResult result = Solve(request);
    ExpectBoard(result, 5000);
  }
}

// No look in between: a row of states is valued at once, each of them from nothing.
TEST(MinConflicts, StopsBetweenTheValuesOfAVariable) {
  const QueensSpace space(20'000);
  const QueensObjective objective(space, false);
  SearchRequest request = MakeRequest(space, "min_conflicts", &objective);
  for (const char* method : {"textbook", "repair"}) {
    request.params["method"] = std::string(method);
    request.progress_interval = std::chrono::milliseconds(0);
    StopAtProgress observer;
    const SearchResult result = RunSearch(request, observer, observer.token);
    EXPECT_EQ(result.outcome, Outcome::kCancelled) << result.explanation;
    EXPECT_LT(result.statistics.generated - observer.generated, 500);
    EXPECT_TRUE(result.objective.has_value());
  }
}

TEST(MinConflicts, GivesFiftyQueensAsTheSeedSays) {
  for (const char* method : {"textbook", "repair"}) {
    const QueensSpace space(50);
    const QueensObjective objective(space);
    SearchRequest request = MakeRequest(space, "min_conflicts", &objective);
    request.params["method"] = std::string(method);
    request.seed = 7;
    const SearchResult result = Solve(request);
    ExpectBoard(result, 50);
    EXPECT_EQ(Solve(request).final_state, result.final_state);
    for (request.seed = 8; request.seed < 20; ++request.seed) ExpectBoard(Solve(request), 50);
  }
}

TEST(MinConflicts, PlacesAHundredThousandQueensFromTheSeedsRandomStart) {
  const QueensSpace space(100'000);
  const QueensObjective objective(space);
  SearchRequest request = MakeRequest(space, "min_conflicts", &objective);
  const SearchResult result = Solve(request);
  ExpectBoard(result, 100'000);
  EXPECT_GT(result.statistics.local->steps, 50'000);
  EXPECT_LT(result.statistics.generated, 2'000'000);  // samples: all values of all queens are 10^10
  request.seed = 1;
  EXPECT_NE(Solve(request).final_state, result.final_state);
}

// Each is as good a start as the one that is given, here a local optimum: the best of all is gone on from.
TEST(LocalBeam, GoesOnFromTheBestOfItsRandomStates) {
  const QueensSpace space(7, {4, 2, 5, 6, 1, 3, 0});  // one pair, and no neighbour has fewer than two
  const QueensObjective objective(space);
  SearchRequest request = MakeRequest(space, "local_beam", &objective);
  int solved = 0;
  for (request.seed = 0; request.seed < 20; ++request.seed) {
    const SearchResult result = Solve(request);
    EXPECT_LE(*result.objective, 1);
    solved += result.outcome == Outcome::kSolved;
  }
  EXPECT_GE(solved, 10);
  request.params["width"] = int64_t{1};
  EXPECT_EQ(Solve(request).outcome, Outcome::kExhaustedLocal);
}

// 7^7 boards, 40 solutions.
TEST(LocalBeam, TakesARandomStateThatIsAGoal) {
  const QueensSpace space(7, {4, 2, 5, 6, 1, 3, 0});
  const QueensObjective objective(space);
  SearchRequest request = MakeRequest(space, "local_beam", &objective);
  request.params["width"] = int64_t{10'000};
  int at_once = 0;
  for (request.seed = 0; request.seed < 20; ++request.seed) {
    const SearchResult result = Solve(request);
    ExpectBoard(result, 7);
    at_once += result.statistics.local->steps == 0;
  }
  EXPECT_GT(at_once, 2);
}

TEST(LocalBeam, AccountsForAllItKeepsOfAState) {
  constexpr int64_t kWidth = 10'000;
  const QueensSpace space(8);
  const QueensObjective objective(space);
  SearchRequest request = MakeRequest(space, "local_beam", &objective);
  request.params["steps"] = int64_t{1};
  const auto peak = [&](int64_t width) {
    request.params["width"] = width;
    return Solve(request).statistics.peak_memory_bytes;
  };
  // Of each: the state now and the next one, a candidate, and the hash that shows that it is there once.
  constexpr int64_t kOfOne = 2 * 32 + 32 + 8;
  constexpr int64_t kRounding = 1 << 14;  // less than the hashes
  const int64_t whole = peak(kWidth);
  const int64_t more = whole - peak(kWidth / 2);
  EXPECT_GE(more, kWidth / 2 * kOfOne - kRounding);
  EXPECT_LE(more, kWidth / 2 * kOfOne + kRounding);
  request.params["width"] = kWidth;
  request.limits.max_memory_bytes = whole - 1;
  const SearchResult limited = Solve(request);
  EXPECT_EQ(limited.outcome, Outcome::kLimitReached) << limited.explanation;
  EXPECT_EQ(limited.limit, LimitKind::kMemory);
}

TEST(Annealing, TellsThatItsScheduleIsOverAndRefusesOneThatIsNone) {
  const QueensSpace space(50);
  const QueensObjective objective(space);
  SearchRequest request = MakeRequest(space, "simulated_annealing", &objective);
  request.params["steps_per_temperature"] = int64_t{1};
  SearchResult result = Solve(request);
  EXPECT_EQ(result.outcome, Outcome::kExhaustedLocal);
  EXPECT_TRUE(result.explanation.starts_with("The schedule came to its end, ")) << result.explanation;
  request.params["initial_temperature"] = 0.01;
  result = Solve(request);
  ASSERT_EQ(result.outcome, Outcome::kRejected) << result.explanation;
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].field, "algorithm.params.final_temperature");
  EXPECT_EQ(result.violations[0].expected, "at most the initial temperature, 0.01");
}

TEST(Annealing, DrawsAStateOfManyVariablesAsOftenAsItHasVariables) {
  for (uint32_t n : {50, 3000}) {
    const QueensSpace space(n);
    const QueensObjective objective(space);
    SearchRequest request = MakeRequest(space, "simulated_annealing", &objective);
    request.params["cooling"] = 0.0;  // one stage
    const SearchResult result = Solve(request);
    EXPECT_EQ(result.statistics.expanded, n == 50 ? 1000 : 3000) << result.explanation;
  }
}

}  // namespace
}  // namespace astrolabe::engine::testing
