// Thousands of random graphs against Dijkstra: zero edges, loops, parallel edges, goals out of reach,
// inconsistent h, dead ends, every store.
#include "tests/daemon/engine/random_graphs.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {
namespace {

TEST(RandomGraphs, AStarFindsTheDistanceOfDijkstra) {
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const size_t aux = i % 5 == 0 ? 8 : i % 5 == 1 ? 3 : 0;
    const TableHeuristic h(space, c.h, true, i % 3 != 0, aux);
    SearchRequest request = MakeRequest(space, "astar", &h);
    if (i % 4 == 1) request.params["ties"] = std::string("low_g");
    if (i % 7 == 0) request.evaluators.clear();
    ExpectRight(c, Solve(request));
  });
}

TEST(RandomGraphs, IdaStarFindsTheDistanceOfDijkstra) {
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 9);
    const GraphSpace space(c.spec);
    const size_t aux = i % 5 == 0 ? 8 : i % 5 == 1 ? 3 : 0;
    const TableHeuristic h(space, c.h, true, i % 3 != 0, aux);
    ExpectRight(c, Solve(MakeRequest(space, "idastar", &h)));
  });
}

TEST(RandomGraphs, UniformCostFindsTheDistanceOfDijkstraWhateverTheHeuristicClaims) {
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h, i % 2 == 0);
    SearchRequest request = MakeRequest(space, "uniform_cost", i % 3 == 0 ? nullptr : &h);
    ExpectRight(c, Solve(request));
  });
}

TEST(RandomGraphs, AWeightedSolutionIsWithinItsBoundAndSoIsTheBound) {
  int bounded = 0;
  ForSeeds(kCases, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 60);
    // Priorities are up to 1,000 times as large: those of costs near 2^62 do not fit, and the bound may be loose.
    bool fits = true;
    for (const auto& edge : c.spec.edges) fits = fits && edge.cost < (Cost{1} << 40);
    for (const Cost h : c.h) fits = fits && (h == kInfinity || h < (Cost{1} << 40));
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h);
    static constexpr double kWeights[] = {1, 1.001, 1.5, 2, 5, 1000};
    SearchRequest request = MakeRequest(space, "weighted_astar", &h);
    const double weight = kWeights[i % std::size(kWeights)];
    request.params["weight"] = weight;
    const SearchResult result = Solve(request);
    const Cost best = c.distance[c.spec.start];
    ASSERT_EQ(result.outcome, best == kInfinity ? Outcome::kUnsolvable : Outcome::kSolved) << result.explanation;
    if (best == kInfinity) return;
    EXPECT_GE(*result.cost, best);
    if (fits) EXPECT_LE(static_cast<double>(*result.cost), weight * static_cast<double>(best));
    ASSERT_TRUE(result.lower_bound.has_value());
    EXPECT_LE(*result.lower_bound, best);
    if (*result.lower_bound == *result.cost) {
      EXPECT_EQ(result.proof, Proof::kOptimal);
    } else if (fits) {
      EXPECT_EQ(result.proof, Proof::kBounded);
    }
    if (result.proof == Proof::kBounded)
      EXPECT_GE(result.bound_factor * 1.0000001, static_cast<double>(*result.cost) / static_cast<double>(best));
    if (fits) EXPECT_LE(result.bound_factor, weight * 1.0000001);
    EXPECT_TRUE(result.verified);
    if (result.proof == Proof::kBounded) ++bounded;
  });
  EXPECT_GT(bounded, kCases / 50);
}

TEST(RandomGraphs, GreedyAndBreadthFirstGiveATruePath) {
  ForSeeds(kCases, [&](int, std::mt19937_64& random) {
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h);
    const Cost best = c.distance[c.spec.start];
    GraphSpec steps = c.spec;  // the same graph with every edge of cost 1
    for (auto& edge : steps.edges) edge.cost = 1;
    const Cost fewest = DistancesToGoal(steps)[c.spec.start];
    for (const char* algorithm : {"greedy", "breadth_first"}) {
      const SearchResult result = Solve(MakeRequest(space, algorithm, &h));
      ASSERT_EQ(result.outcome, best == kInfinity ? Outcome::kUnsolvable : Outcome::kSolved) << result.explanation;
      if (best == kInfinity) continue;
      EXPECT_TRUE(result.verified);
      EXPECT_GE(*result.cost, best);
      EXPECT_NE(result.proof, Proof::kBounded);
      if (result.proof == Proof::kOptimal) EXPECT_EQ(*result.cost, best);
      EXPECT_LE(result.statistics.expanded, c.spec.vertices) << "a state is expanded once";
      if (std::string(algorithm) == "breadth_first") EXPECT_EQ(static_cast<Cost>(result.path.size()), fewest);
    }
  });
}

TEST(RandomGraphs, AnInadmissibleHeuristicStillGivesATruePath) {
  ForSeeds(kCases, [&](int, std::mt19937_64& random) {
    const Case c = RandomCase(random, 30);
    const GraphSpace space(c.spec);
    std::vector<Cost> wild;
    for (Cost d : c.distance) wild.push_back(d == kInfinity ? 5 : static_cast<Cost>(random() % 4000));
    const TableHeuristic h(space, wild, false);
    const SearchResult result = Solve(MakeRequest(space, "astar", &h));
    const Cost best = c.distance[c.spec.start];
    ASSERT_EQ(result.outcome, best == kInfinity ? Outcome::kUnsolvable : Outcome::kSolved) << result.explanation;
    if (best == kInfinity) return;
    EXPECT_GE(*result.cost, best);
    EXPECT_EQ(result.proof, Proof::kFeasible);
    EXPECT_FALSE(result.lower_bound.has_value());
    EXPECT_TRUE(result.verified);
  });
}

TEST(RandomGraphs, LowerBoundsNeverPassTheOptimumWhateverTheLimit) {
  ForSeeds(kCases / 4, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, i % 2 == 0 ? 60 : 9);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h);
    const Cost best = c.distance[c.spec.start];
    for (int64_t limit : {1, 2, 3, 5, 8, 13, 21}) {
      SearchRequest request = MakeRequest(space, i % 2 == 0 ? "astar" : "idastar", &h);
      (i % 3 == 0 ? request.limits.max_generated : request.limits.max_expansions) = limit;
      const SearchResult result = Solve(request);
      if (result.outcome != Outcome::kLimitReached) {
        ExpectRight(c, result);
        continue;
      }
      ASSERT_TRUE(result.lower_bound.has_value());
      EXPECT_LE(*result.lower_bound, best);
      EXPECT_LE(i % 3 == 0 ? result.statistics.generated : result.statistics.expanded, limit);
      EXPECT_FALSE(result.has_path);
    }
  });
}

TEST(RandomGraphs, ACostLimitIsExactAboveAndBelowTheOptimum) {
  ForSeeds(kCases / 4, [&](int i, std::mt19937_64& random) {
    const Case c = RandomCase(random, 9);
    const Cost best = c.distance[c.spec.start];
    if (best == kInfinity || best == 0) return;
    const GraphSpace space(c.spec);
    const bool admissible = i % 2 == 0;
    const TableHeuristic h(space, c.h, admissible);
    SearchRequest request = MakeRequest(space, i % 3 == 0 ? "astar" : "idastar", &h);
    ExpectExactCostLimit(request, best);
  });
}

}  // namespace
}  // namespace astrolabe::engine::testing
