// Iterative deepening: depth_first, and the options of idastar.
#include <gtest/gtest.h>

#include <random>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

TEST(DepthFirst, FindsTheDistanceOfDijkstraWhateverTheHeuristicClaims) {
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, i % 2 == 0 ? 9 : 60);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h, i % 2 == 0);
    ExpectRight(c, Solve(MakeRequest(space, "depth_first", i % 3 == 0 ? nullptr : &h)));
  });
}

// By hand: the blank leaves the centre in four ways, and the middle of a side in two without going straight back.
TEST(DepthFirst, GoesOneDeeperEachTime) {
  const TileSpec spec = EightPuzzle({1, 4, 2, 3, 0, 5, 6, 7, 8}, BlankFirst(9));
  const TileSpace space(spec);
  const SearchResult result = Solve(MakeRequest(space, "depth_first"));
  EXPECT_EQ(result.cost, 2);
  EXPECT_EQ(result.proof, Proof::kOptimal);
  ASSERT_EQ(result.statistics.iterations.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(result.statistics.iterations[i].bound, static_cast<Cost>(i));
  EXPECT_EQ(result.statistics.iterations[0].expanded, 1);
  EXPECT_EQ(result.statistics.iterations[0].generated, 4);
  EXPECT_EQ(result.statistics.iterations[1].expanded, 5);
  EXPECT_EQ(result.statistics.iterations[1].generated, 4 + 4 * 2);
}

TEST(DepthFirst, KeepsACostLimit) {
  const TileSpec spec = EightPuzzle({7, 2, 4, 5, 0, 6, 8, 3, 1}, BlankFirst(9));
  const TileSpace space(spec);
  SearchRequest request = MakeRequest(space, "depth_first");
  request.limits.max_cost = 10;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.limit, LimitKind::kCost);
  EXPECT_EQ(result.lower_bound, 11);
}

TEST(IdaStarOptions, FindTheDistanceOfDijkstra) {
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const size_t aux = i % 5 == 0 ? 8 : i % 5 == 1 ? 3 : 0;
    const TableHeuristic h(space, c.h, true, i % 3 != 0, aux);
    SearchRequest request = MakeRequest(space, "idastar", &h);
    if (i % 2 == 0) request.params["mode"] = std::string("fast");
    // The smallest there is still holds all of these; a lack of memory makes a tiny one.
    if (i % 4 == 1) request.params["transposition_table"] = int64_t{1};
    ExpectRight(c, Solve(request));
  });
}

// With a limit on counts another loop runs, which counts one by one.
void ExpectEqualCountsUnderALimitThatSuffices(SearchRequest request) {
  const SearchResult lean = Solve(request);
  request.limits.max_generated = int64_t{1} << 40;
  const SearchResult exact = Solve(request);
  EXPECT_EQ(lean.outcome, exact.outcome);
  EXPECT_EQ(lean.path, exact.path);
  EXPECT_EQ(lean.statistics.expanded, exact.statistics.expanded);
  EXPECT_EQ(lean.statistics.generated, exact.statistics.generated);
  ASSERT_EQ(lean.statistics.iterations.size(), exact.statistics.iterations.size());
  for (size_t i = 0; i < lean.statistics.iterations.size(); ++i) {
    EXPECT_EQ(lean.statistics.iterations[i].bound, exact.statistics.iterations[i].bound);
    EXPECT_EQ(lean.statistics.iterations[i].generated, exact.statistics.iterations[i].generated);
  }
}

TEST(LeanLoop, CountsAsTheOtherDoesOnGraphs) {
  int compared = 0;
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    Case c = RandomCase(random, 9);
    if (c.distance[c.spec.start] > 8) return;  // every path is visited, cycles and all
    c.spec.solvable = Solvable::kYes;
    const GraphSpace space(c.spec);
    if (space.info().zero_costs) return;
    const size_t aux = i % 5 == 0 ? 8 : i % 5 == 1 ? 3 : 0;
    const TableHeuristic h(space, c.h, true, i % 3 != 0, aux);
    ExpectEqualCountsUnderALimitThatSuffices(MakeRequest(space, i % 4 == 0 ? "depth_first" : "idastar", &h));
    ++compared;
  });
  EXPECT_GT(compared, kCases / 10);
}

TEST(LeanLoop, CountsAsTheOtherDoesUpToAnHThatIsNegative) {
  int broken = 0;
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    Case c = RandomCase(random, 9);
    if (c.distance[c.spec.start] > 8) return;
    c.spec.solvable = Solvable::kYes;
    c.h[random() % c.h.size()] = -7;
    const GraphSpace space(c.spec);
    if (space.info().zero_costs) return;
    const TableHeuristic h(space, c.h, true, i % 3 != 0);
    const SearchRequest request = MakeRequest(space, "idastar", &h);
    ExpectEqualCountsUnderALimitThatSuffices(request);
    broken += Solve(request).outcome == Outcome::kPluginFailed;
  });
  EXPECT_GT(broken, kCases / 50);
}

TEST(LeanLoop, CountsAsTheOtherDoesUpToItsMemoryLimit) {
  TileSpec spec = KorfSpec(1);
  spec.kernel = false;
  spec.state_size = 600;
  const TileSpace space(spec);
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = MakeRequest(space, "idastar", &h);
  request.limits.max_memory_bytes = 24 << 10;  // not enough for a whole path
  const SearchResult lean = Solve(request);
  ASSERT_EQ(lean.limit, LimitKind::kMemory);
  EXPECT_GT(lean.statistics.generated, 20);
  request.limits.max_generated = int64_t{1} << 40;
  const SearchResult exact = Solve(request);
  EXPECT_EQ(lean.statistics.expanded, exact.statistics.expanded);
  EXPECT_EQ(lean.statistics.generated, exact.statistics.generated);
}

// A cycle of three, and the goal a hundred steps' worth away: 2^100 paths.
TEST(IterativeDeepening, RemembersTheFewStatesOfASmallSpace) {
  GraphSpec spec;
  spec.vertices = 4;
  spec.start = 0;
  spec.goals = {3};
  spec.solvable = Solvable::kYes;
  for (const uint32_t from : {0u, 1u, 2u}) {
    for (const uint32_t to : {0u, 1u, 2u}) {
      if (from != to) spec.edges.push_back({from, to, 1});
    }
  }
  spec.edges.push_back({2, 3, 100});
  GraphSpace space(spec);
  space.mutable_info().few_states = true;
  for (const char* algorithm : {"idastar", "depth_first", "rbfs"}) {
    SearchRequest request = MakeRequest(space, algorithm);
    request.limits.max_expansions = 100'000;
    EXPECT_EQ(Solve(request).cost, 101) << algorithm;
  }
}

TEST(LeanLoop, CountsAsTheOtherDoesOnTiles) {
  for (const int number : {12, 42, 55}) {
    TileSpec spec = KorfSpec(number);
    spec.kernel = false;
    const TileSpace space(spec);
    const TileHeuristic h(space, TileHeuristicKind::kManhattan);
    ExpectEqualCountsUnderALimitThatSuffices(MakeRequest(space, "idastar", &h));
  }
}

// So little memory that the table hardly holds a few states; the path check and the bound do the rest.
TEST(IdaStarOptions, ATinyTableIsRightToo) {
  int solved = 0;
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 9);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h, true);
    SearchRequest request = MakeRequest(space, i % 2 == 0 ? "idastar" : "depth_first", &h);
    request.limits.max_memory_bytes = 40000 + 16 * (i % 64);
    const SearchResult result = Solve(request);
    if (result.limit == LimitKind::kMemory) return;  // states of 100 bytes
    ++solved;
    ExpectRight(c, result);
  });
  EXPECT_GT(solved, kCases / 2);
}

TEST(IdaStarOptions, ACostLimitIsExactWithATable) {
  ForSeeds(kCases / 4, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 40);
    const Cost best = c.distance[c.spec.start];
    if (best == kInfinity || best == 0) return;
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h, i % 2 == 0);
    SearchRequest request = MakeRequest(space, i % 3 == 0 ? "depth_first" : "idastar", &h);
    if (i % 3 == 1) request.params["transposition_table"] = int64_t{1};
    ExpectExactCostLimit(request, best);
  });
}

// 300 states, some 20 ways out of each, the goal apart: without a table there are more simple paths than atoms.
TEST(Deepening, ADenseGraphWithoutASolutionIsExhaustedSoon) {
  for (const Cost largest : {Cost{1}, Cost{1000}}) {
    for (const char* algorithm : {"idastar", "depth_first"}) {
      std::mt19937_64 random(kSeed);
      GraphSpec spec;
      spec.vertices = 300;
      spec.zero_costs = false;
      for (int i = 0; i < 6000; ++i) {
        const auto from = static_cast<uint32_t>(random() % 299);
        const auto to = static_cast<uint32_t>(random() % 299);
        spec.edges.push_back({from, to, 1 + static_cast<Cost>(random() % static_cast<uint64_t>(largest))});
      }
      spec.goals = {299};
      const GraphSpace space(spec);
      std::vector<Cost> h;
      for (uint32_t v = 0; v < spec.vertices; ++v) h.push_back(static_cast<Cost>(random() % 3));
      const TableHeuristic table(space, h);
      const SearchResult result = Solve(MakeRequest(space, algorithm, &table));
      EXPECT_EQ(result.outcome, Outcome::kUnsolvable) << algorithm;
      EXPECT_EQ(result.proof, Proof::kUnsolvableExhausted);
      // A state is expanded once an iteration, and once more for each better way to it.
      EXPECT_LE(result.statistics.expanded, 300 * 320) << algorithm << " " << largest;
      EXPECT_GE(result.statistics.expanded, 299);
    }
  }
}

TEST(IdaStarOptions, ATableGivesTheSameLengthsWithFewerNodes) {
  const TileSpace space(EightPuzzle({8, 6, 7, 2, 5, 4, 3, 0, 1}, BlankLast(9)));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = MakeRequest(space, "idastar", &h);
  const SearchResult plain = Solve(request);
  EXPECT_EQ(plain.cost, 31);
  for (const int64_t mib : {1, 16}) {
    request.params["transposition_table"] = mib;
    const SearchResult pruned = Solve(request);
    EXPECT_EQ(pruned.cost, 31);
    EXPECT_EQ(pruned.proof, Proof::kOptimal);
    EXPECT_LT(pruned.statistics.generated, plain.statistics.generated);
    EXPECT_GE(pruned.statistics.peak_memory_bytes, (mib << 20) - 64);
    EXPECT_EQ(pruned.statistics.iterations.size(), plain.statistics.iterations.size());
  }
  request.limits.max_memory_bytes = 8 << 20;
  EXPECT_EQ(Solve(request).limit, LimitKind::kMemory);
}

TEST(IdaStarOptions, ModeFastSaysSoAndChangesTheLastIterationAlone) {
  for (const int id : {12, 79}) {
    const TileSpace space(KorfSpec(id));
    const TileHeuristic h(space, TileHeuristicKind::kManhattan);
    SearchRequest request = MakeRequest(space, "idastar", &h);
    const SearchResult korf = Solve(request);
    EXPECT_EQ(korf.explanation.find("not visited in the order"), std::string::npos);
    request.params["mode"] = std::string("fast");
    const SearchResult fast = Solve(request);
    EXPECT_EQ(fast.cost, korf.cost);
    EXPECT_EQ(fast.proof, Proof::kOptimal);
    EXPECT_NE(fast.explanation.find("not visited in the order"), std::string::npos) << fast.explanation;
    ASSERT_EQ(fast.statistics.iterations.size(), korf.statistics.iterations.size());
    for (size_t i = 0; i + 1 < korf.statistics.iterations.size(); ++i) {
      EXPECT_EQ(fast.statistics.iterations[i].generated, korf.statistics.iterations[i].generated);
    }
  }
}

}  // namespace
}  // namespace astrolabe::engine::testing
