// hda_star: the same answers on any number of threads, within every limit, and with one thread the search of astar.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"
#include "tests/daemon/engine/threads.h"

namespace astrolabe::engine::testing {
namespace {

TEST(HdaStar, OnOneThreadExpandsWhatAStarExpands) {
  const TileSpace space(KorfSpec(12));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  for (const char* ties : {"high_g", "low_g"}) {
    SearchRequest request = MakeRequest(space, "astar", &h);
    request.params["ties"] = std::string(ties);
    const SearchResult astar = Solve(request);
    request.algorithm = "hda_star";
    const SearchResult hda = Solve(request);
    EXPECT_EQ(hda.path, astar.path);
    EXPECT_EQ(hda.statistics.expanded, astar.statistics.expanded);
    EXPECT_EQ(hda.statistics.generated, astar.statistics.generated);
    EXPECT_EQ(hda.statistics.stored, astar.statistics.stored);
    EXPECT_EQ(hda.statistics.duplicates, astar.statistics.duplicates);
  }
}

TEST(HdaStar, SolvesTheSameOnAnyNumberOfThreads) {
  for (const int id : {12, 55, 79}) {
    for (const size_t state_size : {8u, 16u, 32u, 40u}) {
      TileSpec spec = KorfSpec(id);
      spec.state_size = state_size;
      const TileSpace space(spec);
      const TileHeuristic h(space, TileHeuristicKind::kManhattan);
      for (const int threads : {1, 2, 3}) {
        SearchRequest request = MakeRequest(space, "hda_star", &h);
        StdThreads starter;
        UseThreads(request, threads, starter);
        const SearchResult result = Solve(request);
        EXPECT_EQ(result.cost, Korf(id).length);
        EXPECT_EQ(result.proof, Proof::kOptimal);
        EXPECT_TRUE(result.verified);
        EXPECT_EQ(starter.runs(), threads > 1 ? 1 : 0);
      }
#ifdef ASTROLABE_SANITIZED
      return;
#endif
    }
  }
}

TEST(HdaStar, GoesOnAloneWhenNoThreadsStart) {
  const TileSpace space(KorfSpec(12));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = MakeRequest(space, "hda_star", &h);
  const SearchResult one = Solve(request);
  NoThreads starter;
  UseThreads(request, 3, starter);
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.path, one.path);
  EXPECT_EQ(result.statistics.expanded, one.statistics.expanded);
}

TEST(HdaStar, NeverPassesALimitOfCounts) {
  const TileSpace space(KorfSpec(1));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  for (const int threads : {1, 2, 3}) {
    for (const int64_t limit : {1, 2, 3, 64, 1000, 54321}) {
      SearchRequest request = MakeRequest(space, "hda_star", &h);
      StdThreads starter;
      UseThreads(request, threads, starter);
      request.limits.max_expansions = limit;
      const SearchResult expanded = Solve(request);
      EXPECT_EQ(expanded.limit, LimitKind::kExpansions);
      EXPECT_LE(expanded.statistics.expanded, limit);
      EXPECT_TRUE(threads > 1 || expanded.statistics.expanded == limit);
      EXPECT_GE(*expanded.lower_bound, 41);
      EXPECT_LE(*expanded.lower_bound, 57);
      request.limits.max_expansions = 0;
      request.limits.max_generated = limit;
      const SearchResult generated = Solve(request);
      EXPECT_EQ(generated.limit, LimitKind::kGenerated);
      EXPECT_LE(generated.statistics.generated, limit);
    }
  }
}

TEST(HdaStar, KeepsItsMemoryUnderTheCap) {
  const TileSpace space(KorfSpec(1));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  for (const int threads : {1, 2, 3}) {
    for (const int64_t cap : {int64_t{4000}, int64_t{1} << 20, int64_t{8} << 20}) {
      SearchRequest request = MakeRequest(space, "hda_star", &h);
      StdThreads starter;
      UseThreads(request, threads, starter);
      request.limits.max_memory_bytes = cap;
      const SearchResult result = Solve(request);
      EXPECT_EQ(result.limit, LimitKind::kMemory);
      EXPECT_LE(result.statistics.peak_memory_bytes, cap);
      if (cap < 10000) continue;
      EXPECT_GE(*result.lower_bound, 41);
      EXPECT_LE(*result.lower_bound, 57);
      EXPECT_GT(result.statistics.stored, 0);
    }
  }
}

TEST(HdaStar, ACostLimitIsExactAboveAndBelowTheOptimum) {
  ForSeeds(kCases / 12, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 40);
    const Cost best = c.distance[c.spec.start];
    if (best == kInfinity || best == 0) return;
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h, i % 2 == 0);
    SearchRequest request = MakeRequest(space, "hda_star", &h);
    StdThreads starter;
    UseThreads(request, 1 + i % 3, starter);
    ExpectExactCostLimit(request, best);
  });
}

TEST(HdaStar, AnInadmissibleHeuristicStillGivesATruePath) {
  ForSeeds(kCases / 12, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 40);
    const GraphSpace space(c.spec);
    std::vector<Cost> wild;
    for (Cost d : c.distance) wild.push_back(d == kInfinity ? 5 : static_cast<Cost>(random() % 4000));
    const TableHeuristic h(space, wild, false);
    SearchRequest request = MakeRequest(space, "hda_star", &h);
    StdThreads starter;
    UseThreads(request, 1 + i % 3, starter);
    const SearchResult result = Solve(request);
    const Cost best = c.distance[c.spec.start];
    ASSERT_EQ(result.outcome, best == kInfinity ? Outcome::kUnsolvable : Outcome::kSolved) << result.explanation;
    if (best == kInfinity) return;
    EXPECT_GE(*result.cost, best);
    EXPECT_EQ(result.proof, Proof::kFeasible);
    EXPECT_TRUE(result.verified);
  });
}

TEST(HdaStar, LowerBoundsNeverPassTheOptimumWhateverTheLimit) {
  ForSeeds(kCases / 12, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h);
    const Cost best = c.distance[c.spec.start];
    for (const int64_t limit : {1, 3, 8, 21}) {
      SearchRequest request = MakeRequest(space, "hda_star", &h);
      StdThreads starter;
      UseThreads(request, 1 + i % 3, starter);
      (i % 2 == 0 ? request.limits.max_generated : request.limits.max_expansions) = limit;
      const SearchResult result = Solve(request);
      if (result.outcome != Outcome::kLimitReached) {
        ExpectRight(c, result);
        continue;
      }
      ASSERT_TRUE(result.lower_bound.has_value());
      EXPECT_LE(*result.lower_bound, best);
      EXPECT_LE(i % 2 == 0 ? result.statistics.generated : result.statistics.expanded, limit);
      EXPECT_TRUE(!result.has_path || *result.cost >= best);  // an incumbent
    }
  });
}

// A goal next to the start that costs much, one far away that costs little. Its way is a line that goes from thread to
// thread: whoever owns the dear goal waits now and then, and expands it meanwhile.
TEST(HdaStar, AStoppedSearchHasItsIncumbent) {
  GraphSpec spec;
  spec.vertices = 302;
  spec.zero_costs = false;
  for (uint32_t v = 0; v < 300; ++v) spec.edges.push_back({v, v + 1, 1});
  spec.edges.push_back({0, 301, 5000});
  spec.goals = {300, 301};
  const GraphSpace space(spec);
  const TableHeuristic none(space, std::vector<Cost>(spec.vertices, 0));
  SearchRequest request = MakeRequest(space, "hda_star", &none);
  StdThreads starter;
  UseThreads(request, 2, starter);
  EXPECT_EQ(Solve(request).cost, 300);
  request.limits.max_expansions = 150;
  const SearchResult stopped = Solve(request);
  EXPECT_EQ(stopped.limit, LimitKind::kExpansions);
  ASSERT_TRUE(stopped.has_path);
  EXPECT_TRUE(stopped.verified);
  EXPECT_EQ(stopped.cost, 5000);
  EXPECT_EQ(stopped.proof, Proof::kBounded);
  EXPECT_LE(*stopped.lower_bound, 151);
  EXPECT_GT(*stopped.lower_bound, 0);
}

}  // namespace
}  // namespace astrolabe::engine::testing
