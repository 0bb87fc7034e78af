// A* with corrections for an h that is not consistent.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {
namespace {

TEST(Pathmax, KeepsAStarOptimal) {
  for (int i = 0; i < kCases / 2; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " + " + std::to_string(i));
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h, true, i % 3 != 0, i % 5 == 0 ? 8 : 0);
    SearchRequest request = MakeRequest(space, "astar", &h);
    request.params["pathmax"] = std::string(i % 2 == 0 ? "pathmax" : "bpmx");
    ExpectRight(c, Solve(request));
    if (HasFailure()) return;
  }
}

// Vertex 2 knows nothing of the goal, but one of its neighbours does: what that one knows holds for the others.
TEST(Pathmax, BpmxSavesExpansionsWhereHIsInconsistent) {
  GraphSpec spec{.vertices = 4, .edges = {}, .start = 0, .goals = {1}, .zero_costs = false, .undirected = true};
  const auto both_ways = [&spec](uint32_t a, uint32_t b, Cost cost) {
    spec.edges.push_back({a, b, cost});
    spec.edges.push_back({b, a, cost});
  };
  both_ways(0, 1, 50);
  both_ways(0, 2, 1);
  both_ways(2, 3, 1);
  for (int strand = 0; strand < 10; ++strand) {
    uint32_t at = 2;
    for (int k = 0; k < 20; ++k) {
      both_ways(at, spec.vertices, 1);
      at = spec.vertices++;
    }
  }
  std::vector<Cost> h(spec.vertices, 0);
  h[3] = DistancesToGoal(spec)[3];
  EXPECT_EQ(h[3], 52);
  const GraphSpace space(spec);
  const TableHeuristic table(space, h);
  SearchRequest request = MakeRequest(space, "astar", &table);
  const SearchResult plain = Solve(request);
  request.params["pathmax"] = std::string("pathmax");
  const SearchResult pathmax = Solve(request);
  request.params["pathmax"] = std::string("bpmx");
  const SearchResult bpmx = Solve(request);
  for (const SearchResult* result : {&plain, &pathmax, &bpmx}) {
    EXPECT_EQ(result->cost, 50);
    EXPECT_EQ(result->proof, Proof::kOptimal);
  }
  EXPECT_EQ(plain.statistics.expanded, 202);
  EXPECT_EQ(pathmax.statistics.expanded, 202);
  EXPECT_EQ(bpmx.statistics.expanded, 2);
}

TEST(Pathmax, ChangesNothingWhereHIsConsistent) {
  for (int i = 0; i < 200; ++i) {
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const TableHeuristic exact(space, c.distance);
    SearchRequest request = MakeRequest(space, "astar", &exact);
    const SearchResult plain = Solve(request);
    request.params["pathmax"] = std::string("bpmx");
    const SearchResult corrected = Solve(request);
    EXPECT_EQ(plain.cost, corrected.cost);
    EXPECT_EQ(plain.statistics.reopened, 0);
    EXPECT_EQ(corrected.statistics.reopened, 0);
  }
}

}  // namespace
}  // namespace astrolabe::engine::testing
