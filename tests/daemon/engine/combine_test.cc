// Several heuristics as one: values, weights, and what they prove.
#include <gtest/gtest.h>

#include <random>

#include "daemon/engine/evaluator_set.h"
#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

GraphSpec Points(uint32_t n) {
  GraphSpec spec{.vertices = n, .edges = {}, .start = 0, .goals = {n - 1}};
  for (uint32_t i = 0; i < n; ++i) spec.edges.push_back({0, i, 1});
  return spec;
}

class Combining : public ::testing::Test {
 protected:
  Combining()
      : space_(Points(4)),
        a_(space_, {7, 0, kInfinity, 3}),
        b_(space_, {5, 9, 1, kMaxCombinedH}),
        liar_(space_, {0, 0, 0, 0}, false) {
    request_ = MakeRequest(space_, "astar");
  }
  void Use(std::vector<EvaluatorUse> uses, Combine combine) {
    request_.evaluators = std::move(uses);
    request_.combine = combine;
  }
  Cost Value(uint32_t vertex) {
    const EvaluatorSet set(request_.evaluators, request_.combine);
    std::vector<std::byte> state(8);
    space_.Write(state.data(), vertex);
    const EvaluatorCalls& calls = set.evaluator().calls();
    Cost batch[2];
    std::vector<std::byte> two(state);
    two.insert(two.end(), state.begin(), state.end());
    calls.eval_batch(calls.context, 2, two.data(), 8, batch);
    EXPECT_EQ(batch[1], calls.eval(calls.context, state.data()));
    return batch[1];
  }
  bool Admissible() { return EvaluatorSet(request_.evaluators, request_.combine).admissible(); }

  GraphSpace space_;
  TableHeuristic a_;
  TableHeuristic b_;
  TableHeuristic liar_;
  SearchRequest request_;
};

TEST_F(Combining, TakesTheLargest) {
  Use({{&a_}, {&b_}}, Combine::kMax);
  EXPECT_EQ(Value(0), 7);
  EXPECT_EQ(Value(1), 9);
}

TEST_F(Combining, AddsUpWeightedFloors) {
  Use({{&a_, 1, 2}, {&b_, 1, 2}}, Combine::kSum);
  EXPECT_EQ(Value(0), 3 + 2);
  EXPECT_EQ(Value(1), 0 + 4);
}

TEST_F(Combining, ADeadEndOfOneIsADeadEndOfAll) {
  Use({{&b_}, {&a_, 1, 3}}, Combine::kSum);
  EXPECT_EQ(Value(2), kInfinity);
  Use({{&a_, 0, 1}}, Combine::kMax);
  EXPECT_EQ(Value(2), kInfinity);
}

TEST_F(Combining, NeverOverflowsIntoADeadEnd) {
  Use({{&a_}, {&b_, 1000, 1}}, Combine::kSum);
  EXPECT_EQ(Value(3), kMaxCombinedH);
  Use({{&b_, INT64_MAX, 1}}, Combine::kMax);
  EXPECT_EQ(Value(3), kMaxCombinedH);
}

TEST_F(Combining, OneOfWeightOneIsUsedItself) {
  Use({{&a_}}, Combine::kSum);
  EXPECT_EQ(&EvaluatorSet(request_.evaluators, request_.combine).evaluator(), &a_);
  EXPECT_TRUE(EvaluatorSet(request_.evaluators, request_.combine).single());
  Use({{&a_, 3, 3}}, Combine::kMax);
  EXPECT_EQ(&EvaluatorSet(request_.evaluators, request_.combine).evaluator(), &a_);
  Use({{&a_, 1, 2}}, Combine::kMax);
  EXPECT_FALSE(EvaluatorSet(request_.evaluators, request_.combine).single());
}

TEST_F(Combining, PromisesOnlyWhatItsPartsAndWeightsDo) {
  Use({}, Combine::kMax);
  EXPECT_TRUE(Admissible());
  Use({{&a_}, {&b_}}, Combine::kMax);
  EXPECT_TRUE(Admissible());
  Use({{&a_}, {&b_, 3, 2}}, Combine::kMax);
  EXPECT_FALSE(Admissible());
  Use({{&a_}, {&liar_}}, Combine::kMax);
  EXPECT_FALSE(Admissible());
  Use({{&a_}, {&b_}}, Combine::kSum);
  EXPECT_FALSE(Admissible());
  Use({{&a_, 1, 3}, {&b_, 2, 3}}, Combine::kSum);
  EXPECT_TRUE(Admissible());
  Use({{&a_, 1, 2}, {&b_, 2, 3}}, Combine::kSum);
  EXPECT_FALSE(Admissible());
  Use({{&a_, 1, 3}, {&b_, 2, 5}}, Combine::kSum);
  EXPECT_TRUE(Admissible());
  Use({{&a_, INT64_MAX, INT64_MAX}, {&b_, 1, INT64_MAX}}, Combine::kSum);
  EXPECT_FALSE(Admissible());
}

TEST(CombinedSearch, ProvesWhatTheCombinationPromises) {
  const TileSpace space(EightPuzzle({7, 2, 4, 5, 0, 6, 8, 3, 1}, BlankFirst(9)));
  const TileHeuristic manhattan(space, TileHeuristicKind::kManhattan);
  const TileHeuristic hamming(space, TileHeuristicKind::kHamming);
  const SearchResult alone = Solve(MakeRequest(space, "astar", &manhattan));
  for (const char* algorithm : {"astar", "idastar"}) {
    SearchRequest request = MakeRequest(space, algorithm, &manhattan);
    request.evaluators.push_back({&hamming});
    const SearchResult max = Solve(request);
    EXPECT_EQ(max.cost, 26);
    EXPECT_EQ(max.proof, Proof::kOptimal);
    request.combine = Combine::kSum;
    const SearchResult sum = Solve(request);
    EXPECT_EQ(sum.outcome, Outcome::kSolved);
    EXPECT_EQ(sum.proof, Proof::kFeasible);
    EXPECT_FALSE(sum.lower_bound.has_value());
    request.evaluators[0].weight_denominator = 2;
    request.evaluators[1].weight_denominator = 2;
    EXPECT_EQ(Solve(request).cost, 26);
    EXPECT_EQ(Solve(request).proof, Proof::kOptimal);
  }
  // Manhattan is never below Hamming: the largest of both is Manhattan, node for node.
  SearchRequest request = MakeRequest(space, "astar", &hamming);
  request.evaluators.push_back({&manhattan});
  EXPECT_EQ(Solve(request).statistics.expanded, alone.statistics.expanded);
}

TEST(CombinedSearch, IncrementalPartsKeepTheirOwnHAndAux) {
  // TableHeuristic spoils its values when its parent's h or aux come back changed.
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    GraphSpec spec{.vertices = 12, .edges = {}, .start = 0, .goals = {11}};
    for (int e = 0; e < 30; ++e) {
      spec.edges.push_back({static_cast<uint32_t>(random() % 12), static_cast<uint32_t>(random() % 12),
                            static_cast<Cost>(random() % 5)});
    }
    const std::vector<Cost> distance = DistancesToGoal(spec);
    const GraphSpace space(spec);
    std::vector<Cost> half;
    for (Cost d : distance) half.push_back(d == kInfinity ? 4 : d / 2);
    std::vector<Cost> whole;
    for (Cost d : distance) whole.push_back(d == kInfinity ? 4 : d);
    const TableHeuristic a(space, half, true, true, 5);
    const TableHeuristic b(space, whole, true, true, 16);
    for (const char* algorithm : {"astar", "idastar"}) {
      SearchRequest request = MakeRequest(space, algorithm, &a);
      request.evaluators.push_back({&b});
      const SearchResult result = Solve(request);
      ASSERT_EQ(result.outcome, distance[0] == kInfinity ? Outcome::kUnsolvable : Outcome::kSolved)
          << result.contract_violation;
      EXPECT_EQ(result.cost.value_or(kInfinity), distance[0]);
    }
  }
}

}  // namespace
}  // namespace astrolabe::engine::testing
