// idastar on several threads is the same search as on one.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"
#include "tests/daemon/engine/threads.h"

namespace astrolabe::engine::testing {
namespace {

void ExpectSameSearch(const SearchResult& one, const SearchResult& other) {
  EXPECT_EQ(one.outcome, other.outcome) << other.explanation << other.contract_violation;
  EXPECT_EQ(one.cost, other.cost);
  EXPECT_EQ(one.path, other.path);
  EXPECT_EQ(one.statistics.expanded, other.statistics.expanded);
  EXPECT_EQ(one.statistics.generated, other.statistics.generated);
  ASSERT_EQ(one.statistics.iterations.size(), other.statistics.iterations.size());
  for (size_t i = 0; i < one.statistics.iterations.size(); ++i) {
    EXPECT_EQ(one.statistics.iterations[i].bound, other.statistics.iterations[i].bound);
    EXPECT_EQ(one.statistics.iterations[i].expanded, other.statistics.iterations[i].expanded) << i;
    EXPECT_EQ(one.statistics.iterations[i].generated, other.statistics.iterations[i].generated) << i;
  }
}

class ParallelIdaStar : public ::testing::TestWithParam<bool> {
 protected:
  static TileSpec Spec(int id) {
    TileSpec spec = KorfSpec(id);
    spec.kernel = spec.kernel_roots = GetParam();
    return spec;
  }
};

TEST_P(ParallelIdaStar, CountsAreKorfsWhateverTheThreads) {
#ifdef ASTROLABE_SANITIZED
  const std::vector<int> ids = {12, 79};
#else
  const std::vector<int> ids = {9, 12, 19, 42, 47, 55, 79, 93, 94, 97};
#endif
  for (const int id : ids) {
    const TileSpace space(Spec(id));
    const TileHeuristic h(space, TileHeuristicKind::kManhattan);
    SearchRequest request = MakeRequest(space, "idastar", &h);
    const SearchResult one = Solve(request);
    EXPECT_EQ(one.statistics.generated, Korf(id).generated);
    for (const int threads : {2, 3}) {
      SCOPED_TRACE("#" + std::to_string(id) + ", " + std::to_string(threads) + " threads");
      StdThreads starter;
      UseThreads(request, threads, starter);
      const SearchResult several = Solve(request);
      ExpectSameSearch(one, several);
      EXPECT_EQ(several.proof, Proof::kOptimal);
      EXPECT_GT(starter.runs(), 0);
    }
  }
}

TEST_P(ParallelIdaStar, ModeFastFindsTheSameLength) {
  for (const int id : {12, 79}) {
    const TileSpace space(Spec(id));
    const TileHeuristic h(space, TileHeuristicKind::kManhattan);
    SearchRequest request = MakeRequest(space, "idastar", &h);
    const SearchResult korf = Solve(request);
    request.params["mode"] = std::string("fast");
    for (const int threads : {1, 2, 3}) {
      StdThreads starter;
      UseThreads(request, threads, starter);
      const SearchResult fast = Solve(request);
      EXPECT_EQ(fast.cost, korf.cost);
      EXPECT_EQ(fast.proof, Proof::kOptimal);
      EXPECT_NE(fast.explanation.find("not visited in the order"), std::string::npos);
      ASSERT_EQ(fast.statistics.iterations.size(), korf.statistics.iterations.size());
      for (size_t i = 0; i + 1 < korf.statistics.iterations.size(); ++i) {
        EXPECT_EQ(fast.statistics.iterations[i].generated, korf.statistics.iterations[i].generated);
      }
    }
  }
}

TEST_P(ParallelIdaStar, LimitsOfCountsAreExact) {
  const TileSpace space(Spec(12));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = MakeRequest(space, "idastar", &h);
  StdThreads starter;
  UseThreads(request, 2, starter);
  request.limits.max_expansions = 123456;
  EXPECT_EQ(Solve(request).statistics.expanded, 123456);
  request.limits.max_expansions = 0;
  request.limits.max_generated = 123456;
  EXPECT_EQ(Solve(request).statistics.generated, 123456);
}

TEST_P(ParallelIdaStar, GoesOnAloneWhenNoThreadsStart) {
  const TileSpace space(Spec(79));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = MakeRequest(space, "idastar", &h);
  const SearchResult one = Solve(request);
  NoThreads starter;
  UseThreads(request, 2, starter);
  ExpectSameSearch(one, Solve(request));
}

INSTANTIATE_TEST_SUITE_P(Engine, ParallelIdaStar, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Kernel" : "Generic"; });

// A graph large enough for several threads: costs differ, h carries aux, paths are long.
GraphSpec Lattice(uint32_t side, std::mt19937_64& random) {
  GraphSpec spec;
  spec.vertices = side * side;
  spec.zero_costs = false;
  spec.solvable = Solvable::kYes;
  for (uint32_t y = 0; y < side; ++y) {
    for (uint32_t x = 0; x < side; ++x) {
      const uint32_t at = y * side + x;
      if (x + 1 < side) spec.edges.push_back({at, at + 1, 5 + static_cast<Cost>(random() % 3)});
      if (y + 1 < side) spec.edges.push_back({at, at + side, 5 + static_cast<Cost>(random() % 3)});
    }
  }
  spec.goals = {spec.vertices - 1};
  return spec;
}

TEST(ParallelIdaStar, IsTheSameSearchWithCostsAndAux) {
  ForSeeds(4, [&](int i, std::mt19937_64& random) {
    const GraphSpace space(Lattice(12, random));
    std::vector<Cost> h;
    for (const Cost d : DistancesToGoal(space.spec())) h.push_back(d == kInfinity ? kInfinity : d * 3 / 4);
    const TableHeuristic table(space, h, true, i % 2 == 0, 8);
    SearchRequest request = MakeRequest(space, "idastar", &table);
    const SearchResult one = Solve(request);
    EXPECT_GT(one.statistics.expanded, 50'000);
    for (const int threads : {2, 3}) {
      StdThreads starter;
      UseThreads(request, threads, starter);
      ExpectSameSearch(one, Solve(request));
      EXPECT_GT(starter.runs(), 0);
    }
  });
}

}  // namespace
}  // namespace astrolabe::engine::testing
