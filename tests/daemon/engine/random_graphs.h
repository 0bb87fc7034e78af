// Random graphs with their true distances, and what a right answer for one is.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_RANDOM_GRAPHS_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_RANDOM_GRAPHS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "daemon/engine/search.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {

struct Case {
  GraphSpec spec;
  std::vector<Cost> distance;  // to the nearest goal
  std::vector<Cost> h;
};

// Any values up to the distance: admissible, hardly ever consistent. Dead ends only where there is no way.
inline std::vector<Cost> RandomAdmissible(const std::vector<Cost>& distance, Cost largest, std::mt19937_64& random) {
  std::vector<Cost> h;
  for (Cost d : distance) {
    if (d == kInfinity) {
      h.push_back(random() % 2 == 0 ? kInfinity : static_cast<Cost>(random() % static_cast<uint64_t>(largest)));
    } else {
      h.push_back(random() % 4 == 0 ? d : static_cast<Cost>(random() % (static_cast<uint64_t>(d) + 1)));
    }
  }
  return h;
}

// Costs from small to near 2^62; sizes of states in every store.
inline Case RandomCase(std::mt19937_64& random, uint32_t most_vertices, bool one_goal = false) {
  const auto pick = [&random](uint64_t n) { return random() % n; };
  static constexpr Cost kLargest[] = {1, 3, 50, 1000, Cost{1} << 33, Cost{1} << 55};
  static constexpr size_t kSizes[] = {4, 7, 8, 12, 16, 20, 32, 40, 100};
  Case c;
  GraphSpec& spec = c.spec;
  spec.vertices = 1 + static_cast<uint32_t>(pick(most_vertices));
  spec.start = static_cast<uint32_t>(pick(spec.vertices));
  spec.state_size = kSizes[pick(std::size(kSizes))];
  spec.undirected = pick(2) == 0;
  const Cost largest = kLargest[pick(std::size(kLargest))];
  spec.zero_costs = pick(2) == 0;
  const uint64_t edges = pick(3 * spec.vertices + 1);
  for (uint64_t i = 0; i < edges; ++i) {
    const auto from = static_cast<uint32_t>(pick(spec.vertices));
    const auto to = pick(8) == 0 ? from : static_cast<uint32_t>(pick(spec.vertices));
    Cost cost = static_cast<Cost>(pick(static_cast<uint64_t>(largest))) + 1;
    if (spec.zero_costs && pick(4) == 0) cost = 0;
    spec.edges.push_back({from, to, cost});
    if (spec.undirected) spec.edges.push_back({to, from, cost});
  }
  const uint64_t goals = pick(3);
  for (uint64_t i = 0; i < goals; ++i) spec.goals.push_back(static_cast<uint32_t>(pick(spec.vertices)));
  if (one_goal && spec.goals.empty()) spec.goals.push_back(static_cast<uint32_t>(pick(spec.vertices)));
  if (one_goal) spec.goals.resize(1);
  c.distance = DistancesToGoal(spec);
  c.h = RandomAdmissible(c.distance, largest, random);
  return c;
}

inline void ExpectRight(const Case& c, const SearchResult& result) {
  const Cost best = c.distance[c.spec.start];
  if (best == kInfinity) {
    EXPECT_EQ(result.outcome, Outcome::kUnsolvable) << result.explanation << result.contract_violation;
    EXPECT_EQ(result.proof, Proof::kUnsolvableExhausted);
    return;
  }
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  EXPECT_EQ(result.cost, best);
  EXPECT_EQ(result.proof, Proof::kOptimal);
  EXPECT_EQ(result.lower_bound, best);
  EXPECT_TRUE(result.verified);
  EXPECT_TRUE(result.has_path);
  Cost sum = 0;
  uint32_t at = c.spec.start;
  for (Op op : result.path) {
    ASSERT_EQ(c.spec.edges[op].from, at);
    at = c.spec.edges[op].to;
    sum += c.spec.edges[op].cost;
  }
  EXPECT_EQ(sum, best);
}

// A search with `best`, which is above 0, as max_cost finds it; with one less it proves that there is nothing.
inline void ExpectExactCostLimit(SearchRequest request, Cost best) {
  request.limits.max_cost = best;
  const SearchResult found = Solve(request);
  ASSERT_EQ(found.outcome, Outcome::kSolved) << found.explanation << found.contract_violation;
  EXPECT_EQ(found.cost, best);
  request.limits.max_cost = best - 1;
  const SearchResult none = Solve(request);
  ASSERT_EQ(none.outcome, Outcome::kLimitReached) << none.explanation;
  EXPECT_EQ(none.limit, LimitKind::kCost);
  EXPECT_EQ(none.lower_bound, best);
}

inline constexpr uint64_t kSeed = 20240607;
#ifdef ASTROLABE_SANITIZED
inline constexpr int kCases = 300;
#else
inline constexpr int kCases = 6000;
#endif

// test(i, random) for i below `count`, each with random numbers of its own, until one has failed.
template <class Test>
void ForSeeds(int count, const Test& test) {
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " + " + std::to_string(i));
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(i));
    test(i, random);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_RANDOM_GRAPHS_H_
