// construct and improve: solutions that a problem makes itself, taken, checked and shortened.
#include "daemon/engine/algorithms/construct.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/daemon/engine/constructing.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {
namespace {

using Tiles = Constructing<TileSpace>;
using Graph = Constructing<GraphSpace>;

Tiles WalkedBoard(int rows, int columns, int steps, uint64_t seed) {
  std::mt19937_64 random(seed);
  WalkedBack walk = RandomWalkBack(rows, columns, steps, random);
  return Tiles(walk.spec, std::move(walk.path));
}

Cost Optimum(const Tiles& board) {
  const TileHeuristic manhattan(board, TileHeuristicKind::kManhattan);
  return Solve(MakeRequest(board, "astar", &manhattan)).cost.value_or(-1);
}

TEST(Construct, GivesThePathOfTheProblem) {
  const Tiles board = WalkedBoard(4, 4, 1000, 1);
  const SearchResult result = Solve(MakeRequest(board, "construct"));
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  EXPECT_EQ(result.cost, 1000);
  EXPECT_EQ(result.path.size(), 1000u);
  EXPECT_EQ(result.proof, Proof::kFeasible);
  EXPECT_TRUE(result.verified);
  EXPECT_EQ(result.statistics.expanded, 1000);
  EXPECT_EQ(result.statistics.generated, 1001);
  EXPECT_LE(result.lower_bound.value_or(0), 0);
}

TEST(Construct, AsksNoHeuristic) {
  class Refuses final : public Evaluator {
   public:
    Refuses() {
      info_.admissible = true;
      calls_.context = this;
      calls_.eval = [](const void*, const void*) -> Cost {
        ADD_FAILURE() << "asked";
        return 0;
      };
      calls_.eval_batch = [](const void*, uint64_t, const void*, uint64_t, Cost*) { ADD_FAILURE() << "asked"; };
    }
  };
  const Refuses refuses;
  const Tiles board = WalkedBoard(3, 3, 50, 2);
  for (const char* id : {"construct", "improve"}) {
    EXPECT_EQ(Solve(MakeRequest(board, id, &refuses)).outcome, Outcome::kSolved) << id;
  }
}

TEST(Construct, KeepsLimits) {
  const Tiles board = WalkedBoard(4, 4, 1000, 3);
  for (const char* id : {"construct", "improve"}) {
    for (const int64_t limit : {1, 7, 8, 999}) {
      SearchRequest request = MakeRequest(board, id);
      request.limits.max_expansions = limit;
      const SearchResult expanded = Solve(request);
      EXPECT_EQ(expanded.outcome, Outcome::kLimitReached);
      EXPECT_EQ(expanded.limit, LimitKind::kExpansions);
      EXPECT_EQ(expanded.statistics.expanded, limit);
      EXPECT_FALSE(expanded.has_path);
      request.limits.max_expansions = 0;
      request.limits.max_generated = limit;
      const SearchResult generated = Solve(request);
      EXPECT_EQ(generated.limit, LimitKind::kGenerated);
      EXPECT_EQ(generated.statistics.generated, limit);
    }
    SearchRequest request = MakeRequest(board, id);
    request.limits.max_memory_bytes = 2000;
    EXPECT_EQ(Solve(request).limit, LimitKind::kMemory);
    request.limits.max_memory_bytes = 0;
    request.limits.max_cost = 5;
    const SearchResult refused = Solve(request);
    ASSERT_EQ(refused.outcome, Outcome::kRejected);
    EXPECT_EQ(refused.violations.at(0).field, "limits.max_cost");
  }
  SearchRequest exact = MakeRequest(board, "construct");
  exact.limits.max_expansions = 1000;
  exact.limits.max_generated = 1001;
  EXPECT_EQ(Solve(exact).outcome, Outcome::kSolved);
}

TEST(Construct, StopsWhenItIsTold) {
  for (const bool heeds : {true, false}) {
    Tiles board = WalkedBoard(4, 4, 1000, 4);
    board.heeds_stops = heeds;
    SearchObserver nobody;
    StopToken stop;
    stop.Request(StopCause::kCancel);
    EXPECT_EQ(RunSearch(MakeRequest(board, "construct"), nobody, stop).outcome, Outcome::kCancelled);
  }
}

TEST(Construct, RefusesWhatTheProblemRefuses) {
  Tiles board = WalkedBoard(3, 3, 10, 5);
  board.refusal = "a board of glass";
  for (const char* id : {"construct", "improve"}) {
    const SearchResult result = Solve(MakeRequest(board, id));
    ASSERT_EQ(result.outcome, Outcome::kRejected);
    EXPECT_NE(result.violations.at(0).message.find("a board of glass"), std::string::npos);
  }
  const TileSpace plain(EightPuzzle(BlankLast(9), BlankLast(9)));
  const SearchResult nothing = Solve(MakeRequest(plain, "construct"));
  ASSERT_EQ(nothing.outcome, Outcome::kRejected);
  EXPECT_EQ(nothing.violations.at(0).field, "algorithm");
}

TEST(Construct, FindsOutAWrongPath) {
  std::mt19937_64 random(6);
  for (const char* id : {"construct", "improve"}) {
    WalkedBack cut = RandomWalkBack(3, 3, 31, random);
    cut.path.pop_back();
    const SearchResult short_of_it = Solve(MakeRequest(Tiles(cut.spec, cut.path), id));
    EXPECT_EQ(short_of_it.outcome, Outcome::kPluginFailed) << id;
    EXPECT_NE(short_of_it.contract_violation.find("does not end in a goal"), std::string::npos);
    WalkedBack torn = RandomWalkBack(3, 3, 31, random);
    torn.path.erase(torn.path.begin() + 15);
    const SearchResult impossible = Solve(MakeRequest(Tiles(torn.spec, torn.path), id));
    EXPECT_EQ(impossible.outcome, Outcome::kPluginFailed) << id;
    EXPECT_NE(impossible.contract_violation.find("not possible"), std::string::npos);
  }
}

// Only where the problem constructs, and a limit left nothing in hand that it could help.
TEST(Construct, IsAdvisedWhenALimitEndsASearchWithNothing) {
  const Tiles board = WalkedBoard(4, 4, 1000, 15);
  const TileHeuristic manhattan(board, TileHeuristicKind::kManhattan);
  const TileSpace plain(board.spec());
  for (const char* id : {"astar", "greedy", "weighted_astar", "idastar"}) {
    SearchRequest request = MakeRequest(board, id, &manhattan);
    request.limits.max_expansions = 5;
    const SearchResult advised = Solve(request);
    EXPECT_EQ(advised.limit, LimitKind::kExpansions) << id;
    EXPECT_NE(advised.explanation.find("The algorithm construct gives a solution at once"), std::string::npos)
        << advised.explanation;
    EXPECT_NE(advised.explanation.find("improve makes one cheaper"), std::string::npos) << advised.explanation;
    request.space = &plain;
    EXPECT_EQ(Solve(request).explanation.find("construct"), std::string::npos) << id;
  }
  SearchRequest cheap = MakeRequest(board, "idastar", &manhattan);
  cheap.limits.max_cost = 3;
  const SearchResult too_dear = Solve(cheap);
  EXPECT_EQ(too_dear.limit, LimitKind::kCost);
  EXPECT_EQ(too_dear.explanation.find("construct"), std::string::npos) << too_dear.explanation;
}

class ToldCosts final : public SearchObserver {
 public:
  void OnImprovement(const Improvement& improvement) override {
    if (!costs.empty()) EXPECT_LE(improvement.cost, costs.back());
    costs.push_back(improvement.cost);
  }
  std::vector<Cost> costs;
};

TEST(Improve, ShortensAndTellsEachBetterSolution) {
  const Tiles board = WalkedBoard(3, 4, 1500, 7);
  SearchRequest request = MakeRequest(board, "improve");
  request.params["window"] = int64_t{20};
  ToldCosts told;
  const SearchResult result = RunSearch(request, told, StopToken());
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  EXPECT_TRUE(result.verified);
  EXPECT_EQ(result.proof, Proof::kFeasible);
  EXPECT_LT(*result.cost, 750);
  EXPECT_EQ(*result.cost % 2, 0);
  ASSERT_GE(told.costs.size(), 3u);
  EXPECT_EQ(told.costs.front(), 1500);
  EXPECT_EQ(told.costs.back(), *result.cost);
}

TEST(Improve, LeavesNoWindowThatCouldBeShorter) {
  const Tiles board = WalkedBoard(3, 4, 600, 8);
  SearchRequest request = MakeRequest(board, "improve");
  request.params["window"] = int64_t{16};
  const SearchResult result = Solve(request);
  ASSERT_EQ(result.outcome, Outcome::kSolved);
  ASSERT_GT(result.path.size(), 16u);
  // The windows of its last pass began every eight operators.
  for (size_t at = 0; at + 16 <= result.path.size(); at += 8) {
    TileSpace window(board.spec());
    Board from = window.start();
    for (size_t i = 0; i < at; ++i) ASSERT_TRUE(window.ApplyInPlace(&from, result.path[i]));
    Board to = from;
    for (size_t i = at; i < at + 16; ++i) ASSERT_TRUE(window.ApplyInPlace(&to, result.path[i]));
    TileSpec spec = board.spec();
    for (int cell = 0; cell < 12; ++cell) {
      spec.start[static_cast<size_t>(cell)] = static_cast<int>(from >> (4 * cell) & 15);
      spec.goal[static_cast<size_t>(cell)] = static_cast<int>(to >> (4 * cell) & 15);
    }
    const TileSpace between(spec);
    EXPECT_EQ(Solve(MakeRequest(between, "uniform_cost")).cost, 16) << at;
  }
}

TEST(Improve, ProvesTheSolutionOptimalWhenOneWindowHoldsItAll) {
  for (uint64_t seed = 20; seed < 40; ++seed) {
    const Tiles board = WalkedBoard(3, 3, 40, seed);
    const SearchResult result = Solve(MakeRequest(board, "improve"));
    ASSERT_EQ(result.outcome, Outcome::kSolved);
    EXPECT_EQ(result.cost, Optimum(board));
    EXPECT_EQ(result.proof, Proof::kOptimal);
  }
}

// Directed and undirected, costs of all kinds, zero among them.
TEST(Improve, IsExactOnRandomGraphsThatFitIntoAWindow) {
  int shortened = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const Case c = RandomCase(random, 40, true);
    const GraphSpace plain(c.spec);
    const SearchResult first = Solve(MakeRequest(plain, "breadth_first"));
    if (first.outcome != Outcome::kSolved) continue;
    const Graph graph(c.spec, first.path);
    const SearchResult result = Solve(MakeRequest(graph, "improve"));
    ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
    EXPECT_EQ(*result.cost, c.distance[c.spec.start]);
    EXPECT_EQ(result.proof, Proof::kOptimal);
    shortened += *result.cost < *first.cost ? 1 : 0;
  }
  EXPECT_GT(shortened, 20);
}

TEST(Improve, GivesWhatItHasWhenItIsEnded) {
  const Tiles board = WalkedBoard(4, 4, 4000, 9);
  SearchRequest request = MakeRequest(board, "improve");
  request.limits.max_expansions = 20'000;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.limit, LimitKind::kExpansions);
  EXPECT_EQ(result.statistics.expanded, 20'000);
  ASSERT_TRUE(result.has_path);
  EXPECT_TRUE(result.verified);
  EXPECT_LT(*result.cost, 4000);
  request.limits.max_expansions = 0;
  request.limits.max_memory_bytes = int64_t{1} << 20;  // the path, but no windows
  const SearchResult short_of_memory = Solve(request);
  EXPECT_EQ(short_of_memory.limit, LimitKind::kMemory);
  ASSERT_TRUE(short_of_memory.has_path);
  EXPECT_LE(short_of_memory.statistics.peak_memory_bytes, int64_t{1} << 20);
}

TEST(Improve, LeavesAWindowThatNeedsTooManyNodes) {
  const Tiles board = WalkedBoard(4, 4, 2000, 10);
  SearchRequest request = MakeRequest(board, "improve");
  request.params["nodes"] = int64_t{100};
  const SearchResult few = Solve(request);
  ASSERT_EQ(few.outcome, Outcome::kSolved);
  request.params["nodes"] = int64_t{20'000};
  EXPECT_LT(*Solve(request).cost, *few.cost);
}

}  // namespace
}  // namespace astrolabe::engine::testing
