// What holds for every local search algorithm: right answers, limits, equal seeds, misuse, node events.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/local/expect.h"
#include "tests/daemon/engine/local/local_domains.h"
#include "tests/daemon/engine/local/rows_of.h"
#include "tests/daemon/engine/queens_domain.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

std::vector<size_t> LocalIndices() {
  std::vector<size_t> all;
  for (size_t i = 0; i < Algorithms().size(); ++i) {
    if (Algorithms()[i].local) all.push_back(i);
  }
  return all;
}

class EveryLocal : public ::testing::TestWithParam<size_t> {
 protected:
  const AlgorithmDescription& algorithm() const { return Algorithms()[GetParam()]; }
  SearchRequest Request(const StateSpace& space, const Evaluator& objective, uint64_t seed = 1) const {
    SearchRequest request = MakeRequest(space, algorithm().id, &objective);
    request.params["restarts"] = int64_t{-1};
    request.seed = seed;
    return request;
  }
};

TEST_P(EveryLocal, PlacesQueensByTrailAndByStates) {
  for (uint32_t n : {1, 4, 8, 20, 50}) {
    for (bool trail : {true, false}) {
      if (n == 50 && !trail) continue;  // a second or more
      SCOPED_TRACE(n);
      const QueensSpace space(n);
      const QueensObjective objective(space, trail);
      ExpectBoard(Solve(Request(space, objective)), n);
    }
  }
}

TEST_P(EveryLocal, ColoursARing) {
  const RingSpace space(12);
  const RingObjective objective(space);
  const SearchResult result = Solve(Request(space, objective));
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  EXPECT_EQ(space.Clashes(result.final_state.data()), 0);
}

TEST_P(EveryLocal, TellsTheTourAsASolutionWithoutAGoalTest) {
  if (algorithm().needs_factored) GTEST_SKIP() << "tours are no values of variables";
  const TourSpace space(10);
  const TourLength length(space);
  SearchRequest request = Request(space, length);
  request.params["restarts"] = int64_t{20};
  request.params["steps"] = int64_t{500};
  SearchResult result = Solve(request);
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  EXPECT_EQ(result.proof, Proof::kFeasible);
  EXPECT_EQ(result.cost, result.objective);
  EXPECT_EQ(result.objective, space.Length(result.final_state.data()));
  EXPECT_EQ(result.objective, 18);  // the best there is: 21 climbs find it
  EXPECT_EQ(result.statistics.local->climbs, 21);
  request.params["target"] = int64_t{18};
  result = Solve(request);
  EXPECT_EQ(result.outcome, Outcome::kSolved);
  EXPECT_LE(result.statistics.local->climbs, 21);
  request.params["target"] = int64_t{17};
  result = Solve(request);
  EXPECT_EQ(result.outcome, Outcome::kExhaustedLocal) << result.explanation;
  request.params["target"] = int64_t{-1};
  request.params["restarts"] = int64_t{-1};
  EXPECT_EQ(Solve(request).outcome, Outcome::kRejected);
}

// A target is good enough besides the goals, but proves nothing.
TEST_P(EveryLocal, EndsAtATargetThatIsNoGoal) {
  const QueensSpace space(20);
  const QueensObjective objective(space);
  SearchRequest request = Request(space, objective);
  request.params["target"] = int64_t{4};
  const SearchResult result = Solve(request);
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  ASSERT_TRUE(result.objective.has_value());
  EXPECT_LE(*result.objective, 4);
  EXPECT_GT(*result.objective, 0) << "no algorithm comes to a solution before it comes to the target";
  EXPECT_EQ(AttackingPairs(RowsOf(result).data(), 20), *result.objective);
  EXPECT_EQ(result.proof, Proof::kNone);
  EXPECT_TRUE(result.verified);
  EXPECT_NE(result.explanation.find("target"), std::string::npos) << result.explanation;
  EXPECT_EQ(result.statistics.local->solved, 1);
}

TEST_P(EveryLocal, TakesTheOperatorsOfASlidingPuzzle) {
  const TileSpace space(EightPuzzle({1, 2, 3, 4, 5, 6, 0, 7, 8}, BlankLast(9)));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = Request(space, h);
  SearchResult result = Solve(request);
  ASSERT_EQ(result.outcome, Outcome::kRejected);
  EXPECT_EQ(result.violations[0].field, algorithm().needs_factored ? "algorithm" : "algorithm.params.restarts");
  if (algorithm().needs_factored) return;
  request.params["restarts"] = int64_t{0};
  result = Solve(request);
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  EXPECT_EQ(result.objective, 0);
}

TEST_P(EveryLocal, GivesTheSameRunForTheSameSeed) {
  const QueensSpace space(20);
  const QueensObjective objective(space);
  const SearchResult first = Solve(Request(space, objective, 7));
  const SearchResult again = Solve(Request(space, objective, 7));
  const SearchResult other = Solve(Request(space, objective, 8));
  ExpectBoard(first, 20);
  EXPECT_EQ(first.final_state, again.final_state);
  EXPECT_EQ(first.statistics.generated, again.statistics.generated);
  EXPECT_NE(first.final_state, other.final_state);
}

TEST_P(EveryLocal, KeepsEveryLimit) {
  const QueensSpace space(50);
  const QueensObjective objective(space);
  for (int64_t limit : {1, 2, 5, 40}) {
    SearchRequest request = Request(space, objective);
    request.limits.max_expansions = limit;
    SearchResult result = Solve(request);
    if (result.outcome != Outcome::kSolved) {
      EXPECT_EQ(result.outcome, Outcome::kLimitReached) << result.explanation << result.contract_violation;
      EXPECT_EQ(result.limit, LimitKind::kExpansions);
      EXPECT_EQ(result.statistics.expanded, limit);
      ASSERT_TRUE(result.objective.has_value());
      EXPECT_EQ(AttackingPairs(RowsOf(result).data(), 50), *result.objective);
    }
    request.limits = {};
    request.limits.max_generated = limit;
    result = Solve(request);
    EXPECT_EQ(result.limit, LimitKind::kGenerated) << result.explanation;
    EXPECT_LE(result.statistics.generated, limit);
  }
  SearchRequest request = Request(space, objective);
  request.limits.max_memory_bytes = 300;
  EXPECT_EQ(Solve(request).limit, LimitKind::kMemory);
  request.limits = {};
  request.limits.max_cost = 3;
  EXPECT_EQ(Solve(request).outcome, Outcome::kRejected);
}

// A step of steepest ascent would value 10^12 neighbours.
TEST_P(EveryLocal, IsCancelledInTheMiddleOfAMillionQueens) {
  const QueensSpace space(1'000'000);
  const QueensObjective objective(space);
  SearchRequest request = Request(space, objective);
  request.params["restarts"] = int64_t{0};
  if (algorithm().id == "local_beam") request.params["width"] = int64_t{2};
  request.progress_interval = std::chrono::milliseconds(0);
  StopAtProgress observer;
  const SearchResult result = RunSearch(request, observer, observer.token);
  EXPECT_EQ(result.outcome, Outcome::kCancelled) << result.explanation;
  EXPECT_LT(result.statistics.generated - observer.generated, 3'000'000);
  ASSERT_TRUE(result.objective.has_value());
  EXPECT_LE(*result.objective, observer.best);
  EXPECT_LT(result.statistics.peak_memory_bytes, 64'000'000);
}

TEST_P(EveryLocal, KnowsWhatHasNoSolution) {
  for (uint32_t n : {2, 3}) {
    const QueensSpace space(n);
    const QueensObjective objective(space);
    const SearchResult result = Solve(Request(space, objective));
    EXPECT_EQ(result.outcome, Outcome::kUnsolvable);
    EXPECT_EQ(result.proof, Proof::kUnsolvableTheory);
  }
}

TEST_P(EveryLocal, RefusesWhatItCannotDo) {
  QueensSpace space(8);
  const QueensObjective objective(space);
  SearchRequest request = Request(space, objective);
  request.evaluators.clear();
  EXPECT_EQ(Solve(request).violations.at(0).field, "heuristics");
  space.set_random(false);
  const SearchResult result = Solve(Request(space, objective));
  ASSERT_EQ(result.outcome, Outcome::kRejected);
  EXPECT_EQ(result.violations.at(0).field, "problem");
  EXPECT_EQ(result.violations.at(1).field, "algorithm.params.restarts");
  request = Request(space, objective);
  request.algorithm = "astar";
  request.params.clear();
  EXPECT_EQ(Solve(request).outcome, Outcome::kRejected);
}

TEST(LocalSearch, ASearchForPathsIsToldThatAFactoredSpaceListsNoOperators) {
  const QueensSpace space(8, {3, 0, 4, 7, 5, 2, 6, 1});  // with a start, so that this alone is wrong
  const QueensObjective objective(space);
  const SearchResult result = Solve(MakeRequest(space, "astar", &objective));
  ASSERT_EQ(result.outcome, Outcome::kRejected);
  ASSERT_EQ(result.violations.size(), 1u);
  EXPECT_EQ(result.violations[0].field, "algorithm");
  EXPECT_NE(result.violations[0].hint.find("min_conflicts"), std::string::npos) << result.violations[0].hint;
}

class QueensRecorder final : public NodeSink {
 public:
  explicit QueensRecorder(uint32_t kinds) { wanted = kinds; }
  bool Record(const NodeRecord& record) override {
    std::vector<uint32_t> rows(8);
    std::memcpy(rows.data(), record.state, 32);
    EXPECT_EQ(AttackingPairs(rows.data(), 8), record.h);
    ++count[record.kind];
    if (record.kind == NodeKind::kGenerating && count[NodeKind::kExpanding] == 1) first_neighbours.push_back(record);
    return true;
  }
  std::map<NodeKind, int64_t> count;
  std::vector<NodeRecord> first_neighbours;
};

TEST_P(EveryLocal, TellsEveryStepWithTheStateAndItsObjective) {
  const QueensSpace space(8);
  const QueensObjective objective(space);
  SearchRequest request = Request(space, objective);
  request.params["steps"] = int64_t{20};
  const SearchResult quiet = Solve(request);
  QueensRecorder recorder(~0u);
  request.sink = &recorder;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.final_state, quiet.final_state);
  const LocalStatistics& local = *result.statistics.local;
  EXPECT_EQ(recorder.count[NodeKind::kSource], 1);
  EXPECT_EQ(recorder.count[NodeKind::kRestart], local.climbs - 1);
  EXPECT_EQ(recorder.count[NodeKind::kGoal], 1);
  EXPECT_EQ(recorder.count[NodeKind::kClosing], local.stuck);
  EXPECT_GE(recorder.count[NodeKind::kExpanding], local.steps);
  EXPECT_EQ(recorder.count[NodeKind::kGenerating], result.statistics.generated - 1);
}

class StepRecorder final : public NodeSink {
 public:
  StepRecorder() { wanted = 1u << static_cast<int>(NodeKind::kExpanding) | 1u << static_cast<int>(NodeKind::kGoal); }
  bool Record(const NodeRecord& record) override {
    if (record.depth == 0) {
      EXPECT_EQ(record.step, nullptr);
    } else {
      EXPECT_EQ(record.op, kNoOp) << "there is none of that number";
      EXPECT_NE(record.step, nullptr);
      if (record.step == nullptr) return true;
      const auto* rows = static_cast<const uint32_t*>(record.state);
      EXPECT_EQ(rows[record.step->variable], record.step->value);
      ++steps;
    }
    return true;
  }
  int64_t steps = 0;
};

// 70,000 queens have more steps than operators have numbers.
TEST(LocalSearch, TellsStepsThatHaveNoNumberByVariableAndValue) {
  const QueensSpace space(70'000);
  const QueensObjective objective(space);
  SearchRequest request = MakeRequest(space, "min_conflicts", &objective);
  request.params["steps"] = int64_t{50};
  StepRecorder recorder;
  request.sink = &recorder;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.statistics.local->steps, 50) << result.explanation;
  EXPECT_GE(recorder.steps, 20);
}

INSTANTIATE_TEST_SUITE_P(Engine, EveryLocal, ::testing::ValuesIn(LocalIndices()),
                         [](const auto& row) { return Algorithms()[row.param].id; });

// Russell and Norvig, figure 4.3: an objective of 17, and best neighbours of 12, eight of them.
TEST(HillClimbingEvents, ShowTheTextbooksBoard) {
  const QueensSpace space(8, {3, 2, 1, 4, 3, 2, 1, 2});
  const QueensObjective objective(space);
  SearchRequest request = MakeRequest(space, "hill_climbing", &objective);
  QueensRecorder recorder(~0u);
  request.sink = &recorder;
  EXPECT_EQ(Solve(request).statistics.initial_h, 17);
  ASSERT_EQ(recorder.first_neighbours.size(), 56u);
  std::map<Cost, int> values;
  for (const NodeRecord& record : recorder.first_neighbours) {
    ++values[record.h];
    EXPECT_LT(record.op, 64u);
  }
  EXPECT_EQ(values.begin()->first, 12);
  EXPECT_EQ(values.begin()->second, 8);
}

// On any machine and with any compiler. Other numbers mean that searches have changed: say so in the commit.
TEST(LocalSearch, GivesTheRunsOfItsSeed) {
  struct Golden {
    std::vector<uint32_t> rows;
    int64_t steps;
    int64_t generated;
  };
  const std::map<std::string, Golden> goldens = {
      {"hill_climbing", {{1, 5, 7, 2, 0, 3, 6, 4}, 44, 3193}},
      {"simulated_annealing", {{5, 2, 6, 3, 0, 7, 1, 4}, 2165, 4604}},
      {"min_conflicts", {{5, 2, 0, 7, 3, 1, 6, 4}, 5, 36}},
      {"tabu", {{1, 6, 2, 5, 7, 4, 0, 3}, 19, 1065}},
      {"local_beam", {{3, 1, 7, 4, 6, 0, 2, 5}, 3, 1569}},
  };
  for (const auto& [id, golden] : goldens) {
    SCOPED_TRACE(id);
    const QueensSpace space(8);
    const QueensObjective objective(space);
    SearchRequest request = MakeRequest(space, id, &objective);
    request.params["restarts"] = int64_t{-1};
    request.seed = 2026;
    const SearchResult result = Solve(request);
    EXPECT_EQ(RowsOf(result), golden.rows);
    EXPECT_EQ(result.statistics.local->steps, golden.steps);
    EXPECT_EQ(result.statistics.generated, golden.generated);
  }
}

}  // namespace
}  // namespace astrolabe::engine::testing
