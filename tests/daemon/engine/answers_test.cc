// What the engine makes of an answer: replay, claims, proofs; and of plugins that break their contract.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

// 0 -1-> 1 -1-> 2 -1-> 3, and 0 -4-> 3.
GraphSpec Line() {
  return {.vertices = 4,
          .edges = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {0, 3, 4}},
          .start = 0,
          .goals = {3},
          .zero_costs = false};
}

constexpr const char* kAlgorithms[] = {"astar", "idastar"};

TEST(Claims, AHeuristicThatCountsTheBlankIsFoundOut) {
  const TileSpace space(EightPuzzle({2, 7, 3, 1, 5, 6, 8, 0, 4}, BlankLast(9)));
  const TileHeuristic right(space, TileHeuristicKind::kManhattan);
  const TileHeuristic wrong(space, TileHeuristicKind::kManhattanWithBlank);
  for (const char* algorithm : kAlgorithms) {
    const SearchResult good = Solve(MakeRequest(space, algorithm, &right));
    EXPECT_EQ(good.cost, 13);
    EXPECT_EQ(good.proof, Proof::kOptimal);
    EXPECT_TRUE(good.refuted_claims.empty());

    const SearchResult bad = Solve(MakeRequest(space, algorithm, &wrong));
    EXPECT_EQ(bad.outcome, Outcome::kSolved);
    EXPECT_TRUE(bad.verified);
    EXPECT_GE(*bad.cost, 13);
    EXPECT_EQ(bad.proof, Proof::kFeasible);
    EXPECT_FALSE(bad.lower_bound.has_value());
    ASSERT_EQ(bad.refuted_claims.size(), 1u);
    const ClaimRefuted& claim = bad.refuted_claims[0];
    EXPECT_EQ(claim.heuristic, "manhattan_with_blank");
    EXPECT_EQ(claim.claim, "admissible");
    EXPECT_GT(claim.h, claim.remaining_cost);
    EXPECT_EQ(claim.state.size(), std::string("2 7 3 / 1 5 6 / 8 0 4").size());
    EXPECT_NE(bad.explanation.find("manhattan_with_blank"), std::string::npos);
  }
}

TEST(Claims, OnlyClaimingHeuristicsAreHeldAgainstThePath) {
  const GraphSpace space(Line());
  const TableHeuristic honest(space, {9, 9, 9, 9}, false);
  const SearchResult result = Solve(MakeRequest(space, "astar", &honest));
  EXPECT_EQ(result.outcome, Outcome::kSolved);
  EXPECT_EQ(result.proof, Proof::kFeasible);
  EXPECT_TRUE(result.refuted_claims.empty());
}

TEST(Claims, ADeadEndOnTheWayToTheGoalIsRefuted) {
  const GraphSpace space(Line());
  // Both ways are open to a search that tries vertex 3 first; at vertex 0 h was never a dead end.
  const TableHeuristic wrong(space, {5, kInfinity, kInfinity, 0});
  const SearchResult result = Solve(MakeRequest(space, "astar", &wrong));
  ASSERT_EQ(result.outcome, Outcome::kSolved);
  EXPECT_EQ(result.cost, 4);
  EXPECT_EQ(result.proof, Proof::kFeasible);
  ASSERT_EQ(result.refuted_claims.size(), 1u);
  EXPECT_EQ(result.refuted_claims[0].state, "v0");
  EXPECT_EQ(result.refuted_claims[0].h, 5);
  EXPECT_EQ(result.refuted_claims[0].remaining_cost, 4);
}

TEST(Claims, AStartThatIsADeadEndIsUnsolvable) {
  const GraphSpace space(Line());
  const TableHeuristic dead(space, {kInfinity, 0, 0, 0});
  for (const char* algorithm : kAlgorithms) {
    const SearchResult result = Solve(MakeRequest(space, algorithm, &dead));
    EXPECT_EQ(result.outcome, Outcome::kUnsolvable);
    EXPECT_EQ(result.proof, Proof::kUnsolvableExhausted);
    EXPECT_EQ(result.statistics.expanded, 0);
  }
}

TEST(Replay, ACostThatTheProblemLiedAboutIsCaught) {
  class Liar final : public GraphSpace {
   public:
    using GraphSpace::GraphSpace;
    std::optional<Cost> ApplyInPlace(void* state, Op op) const override {
      const std::optional<Cost> cost = GraphSpace::ApplyInPlace(state, op);
      return cost ? std::optional<Cost>(*cost + 1) : std::nullopt;
    }
  };
  const Liar space(Line());
  for (const char* algorithm : kAlgorithms) {
    const SearchResult result = Solve(MakeRequest(space, algorithm));
    EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
    EXPECT_EQ(result.proof, Proof::kNone);
    EXPECT_FALSE(result.has_path);
    EXPECT_FALSE(result.verified);
    EXPECT_NE(result.contract_violation.find("costs 6"), std::string::npos) << result.contract_violation;
  }
}

TEST(Replay, AnOperatorThatIsNotPossibleIsCaught) {
  class Liar final : public GraphSpace {
   public:
    using GraphSpace::GraphSpace;
    std::optional<Cost> ApplyInPlace(void* state, Op op) const override {
      return op == 1 ? std::nullopt : GraphSpace::ApplyInPlace(state, op);
    }
  };
  const Liar space(Line());
  for (const char* algorithm : kAlgorithms) {
    const SearchResult result = Solve(MakeRequest(space, algorithm));
    EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
    EXPECT_NE(result.contract_violation.find("operator 1 at step 2 of 3"), std::string::npos)
        << result.contract_violation;
  }
}

TEST(Replay, APathThatEndsElsewhereIsCaught) {
  class Liar final : public GraphSpace {
   public:
    using GraphSpace::GraphSpace;
    std::optional<Cost> ApplyInPlace(void* state, Op op) const override {
      const std::optional<Cost> cost = GraphSpace::ApplyInPlace(state, op);
      if (op == 2) Write(state, 1);
      return cost;
    }
  };
  const Liar space(Line());
  const SearchResult result = Solve(MakeRequest(space, "astar"));
  EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
  EXPECT_NE(result.contract_violation.find("goal"), std::string::npos);
}

TEST(Replay, InverseOperatorsThatLeadAstrayAreCaught) {
  GraphSpec spec = Line();
  spec.undirected = true;  // it is not: edge 0 is not the reverse of edge 1
  const GraphSpace space(spec);
  const SearchResult result = Solve(MakeRequest(space, "astar"));
  EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
  EXPECT_FALSE(result.contract_violation.empty());
}

TEST(Contract, NegativeHIsCaught) {
  const GraphSpace space(Line());
  for (const char* algorithm : kAlgorithms) {
    const TableHeuristic at_root(space, {-1, 0, 0, 0});
    EXPECT_EQ(Solve(MakeRequest(space, algorithm, &at_root)).outcome, Outcome::kPluginFailed);
    for (bool incremental : {false, true}) {
      const TableHeuristic below(space, {0, -3, 0, 0}, true, incremental);
      const SearchResult result = Solve(MakeRequest(space, algorithm, &below));
      EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
      EXPECT_NE(result.contract_violation.find("negative h: -3"), std::string::npos) << result.contract_violation;
    }
  }
}

TEST(Contract, NegativeHInsideACombinationIsCaught) {
  const GraphSpace space(Line());
  const TableHeuristic fine(space, {0, 0, 0, 0});
  const TableHeuristic broken(space, {0, -3, 0, 0});
  SearchRequest request = MakeRequest(space, "astar", &fine);
  request.evaluators.push_back({&broken});
  EXPECT_EQ(Solve(request).outcome, Outcome::kPluginFailed);
}

TEST(Contract, NegativeAndUnannouncedZeroCostsAreCaught) {
  for (Cost cost : {Cost{-1}, Cost{0}}) {
    GraphSpec spec = Line();
    spec.edges[0].cost = cost;
    const GraphSpace space(spec);
    for (const char* algorithm : kAlgorithms) {
      const SearchResult result = Solve(MakeRequest(space, algorithm));
      EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
      EXPECT_NE(result.contract_violation.find("costs " + std::to_string(cost)), std::string::npos);
    }
  }
}

TEST(Contract, MoreOperatorsThanMaxOpsAreCaught) {
  GraphSpace space(Line());
  space.mutable_info().max_ops = 1;
  for (const char* algorithm : kAlgorithms) {
    const SearchResult result = Solve(MakeRequest(space, algorithm));
    EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
    EXPECT_NE(result.contract_violation.find("max_ops"), std::string::npos);
  }
}

TEST(Contract, CostsThatOverflowAreAnErrorAndNeverWrap) {
  GraphSpec spec = Line();
  spec.edges = {{0, 1, kInfinity / 2}, {1, 2, kInfinity / 2}, {2, 3, kInfinity / 2}};
  const GraphSpace space(spec);
  const TableHeuristic huge(space, {0, 0, kInfinity - 1, 0});
  for (const char* algorithm : kAlgorithms) {
    const SearchResult by_g = Solve(MakeRequest(space, algorithm));
    EXPECT_EQ(by_g.outcome, Outcome::kPluginFailed);
    EXPECT_NE(by_g.contract_violation.find("2^63"), std::string::npos) << by_g.contract_violation;
    EXPECT_EQ(Solve(MakeRequest(space, algorithm, &huge)).outcome, Outcome::kPluginFailed);
  }
}

TEST(Contract, AnExceptionDoesNotComeOut) {
  class Thrower final : public GraphSpace {
   public:
    using GraphSpace::GraphSpace;
    void InitialState(void*) const override { throw std::runtime_error("from the plugin"); }
  };
  const Thrower space(Line());
  const SearchResult result = Solve(MakeRequest(space, "astar"));
  EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
  EXPECT_NE(result.contract_violation.find("from the plugin"), std::string::npos);
}

TEST(Contract, AKernelThatNeverRaisesTheBoundIsCaught) {
  class Stuck final : public TileSpace {
   public:
    using TileSpace::TileSpace;
    KernelIteration RunKernel(const Evaluator&, KernelMode, const KernelRoots&, Cost bound, uint32_t,
                              const KernelControl&, KernelPoll&) const override {
      KernelIteration iteration;
      iteration.next_bound = bound;
      return iteration;
    }
  };
  TileSpec spec = EightPuzzle({7, 2, 4, 5, 0, 6, 8, 3, 1}, BlankFirst(9));
  spec.kernel = true;
  const Stuck space(spec);
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  EXPECT_EQ(Solve(MakeRequest(space, "idastar", &h)).outcome, Outcome::kPluginFailed);
}

TEST(Contract, AHeuristicWhoseNegativeHKeptAKernelFromRaisingTheBoundIsBlamed) {
  class Stuck final : public TileSpace {
   public:
    using TileSpace::TileSpace;
    KernelIteration RunKernel(const Evaluator&, KernelMode, const KernelRoots&, Cost bound, uint32_t,
                              const KernelControl&, KernelPoll&) const override {
      ++kernels;
      KernelIteration iteration;
      iteration.next_bound = bound;
      return iteration;
    }
    mutable int kernels = 0;
  };
  TileSpec spec = EightPuzzle({7, 2, 4, 5, 0, 6, 8, 3, 1}, BlankFirst(9));
  spec.kernel = true;
  const Stuck space(spec);
  // Fine at the root alone, which the engine looks at before the kernel runs.
  class BelowRoot final : public Evaluator {
   public:
    explicit BelowRoot(const TileSpace& space) : root_(space.info().state_size) {
      id_ = "below_root";
      space.InitialState(root_.data());
      calls_.context = this;
      calls_.eval = [](const void* self, const void* state) { return static_cast<const BelowRoot*>(self)->H(state); };
      calls_.eval_batch = [](const void* self, uint64_t n, const void* states, uint64_t stride, Cost* out) {
        for (uint64_t i = 0; i < n; ++i) {
          out[i] = static_cast<const BelowRoot*>(self)->H(static_cast<const std::byte*>(states) + i * stride);
        }
      };
    }
    Cost H(const void* state) const { return std::memcmp(state, root_.data(), root_.size()) == 0 ? 4 : -3; }

   private:
    std::vector<std::byte> root_;
  };
  const BelowRoot h(space);
  const SearchResult result = Solve(MakeRequest(space, "idastar", &h));
  EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
  EXPECT_EQ(space.kernels, 1);
  // By these words the worker knows whose plugin it was.
  EXPECT_NE(result.contract_violation.find("the heuristic"), std::string::npos) << result.contract_violation;
  EXPECT_NE(result.contract_violation.find("negative h: -3"), std::string::npos) << result.contract_violation;
}

TEST(Contract, OfSeveralHeuristicsTheOneThatGaveANegativeHIsNamed) {
  class Named final : public Evaluator {
   public:
    Named(std::string id, Cost h) : h_(h) {
      id_ = std::move(id);
      calls_.context = this;
      calls_.eval = [](const void* self, const void*) { return static_cast<const Named*>(self)->h_; };
      calls_.eval_batch = [](const void* self, uint64_t n, const void*, uint64_t, Cost* out) {
        std::fill_n(out, n, static_cast<const Named*>(self)->h_);
      };
    }

   private:
    Cost h_;
  };
  const GraphSpace space(Line());
  const Named good("good", 0);
  const Named bad("bad", -3);
  for (const AlgorithmDescription& algorithm : Algorithms()) {
    if (!algorithm.needs_heuristic || algorithm.needs_reversed || algorithm.needs_factored) continue;
    SearchRequest request = MakeRequest(space, algorithm.id, &good);
    request.evaluators.push_back({&bad});
    const SearchResult result = Solve(request);
    EXPECT_EQ(result.outcome, Outcome::kPluginFailed) << algorithm.id;
    EXPECT_EQ(result.broken_heuristic, "bad") << algorithm.id;
  }
}

TEST(Requests, AreRefusedWithEveryFault) {
  GraphSpace space(Line());
  const TableHeuristic h(space, {0, 0, 0, 0});
  SearchRequest request = MakeRequest(space, "astar", &h);
  request.evaluators[0].weight_denominator = 0;
  request.params["ties"] = std::string("middle");
  request.params["speed"] = int64_t{9};
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.outcome, Outcome::kRejected);
  ASSERT_EQ(result.violations.size(), 3u);
  EXPECT_EQ(result.violations[0].field, "heuristics[0].weight");
  EXPECT_EQ(result.violations[1].field, "algorithm.params.ties");
  EXPECT_EQ(result.violations[1].expected, "one of high_g, low_g");
  EXPECT_EQ(result.violations[2].field, "algorithm.params.speed");

  request = MakeRequest(space, "a-star", &h);
  const std::string known = Solve(request).violations.at(0).expected;
  EXPECT_EQ(known.rfind("one of astar, weighted_astar, ", 0), 0u) << known;
  for (const AlgorithmDescription& row : Algorithms()) EXPECT_NE(known.find(row.id), std::string::npos);
}

// Of a problem that is not factored it says that no state has an operator, as in a graph without edges.
TEST(Requests, ASpaceThatHasOperatorsThoughItSaysThatItHasNoneBreaksItsContract) {
  GraphSpace space(Line());
  const TableHeuristic h(space, {0, 0, 0, 0});
  space.mutable_info().max_ops = 0;
  EXPECT_EQ(Solve(MakeRequest(space, "astar", &h)).outcome, Outcome::kPluginFailed);
}

TEST(Catalogue, SaysWhichAlgorithmsAreOptimalAndNeedAHeuristic) {
  std::map<std::string, std::pair<bool, bool>> rows;
  for (const AlgorithmDescription& row : Algorithms()) {
    rows[row.id] = {row.optimal, row.needs_heuristic};
    EXPECT_FALSE(row.summary.empty());
    EXPECT_FALSE(row.doc.empty());
  }
  const std::map<std::string, std::pair<bool, bool>> expected = {
      {"astar", {true, true}},          {"weighted_astar", {false, true}},
      {"greedy", {false, true}},        {"breadth_first", {false, false}},
      {"uniform_cost", {true, false}},  {"idastar", {true, true}},
      {"depth_first", {true, false}},   {"rbfs", {true, true}},
      {"anytime_astar", {true, true}},  {"beam", {false, true}},
      {"bidirectional", {true, true}},  {"bidirectional_bfs", {false, false}},
      {"hda_star", {true, true}},       {"construct", {false, false}},
      {"improve", {false, false}},      {"all_solutions", {false, false}},
      {"hill_climbing", {false, true}}, {"simulated_annealing", {false, true}},
      {"min_conflicts", {false, true}}, {"tabu", {false, true}},
      {"local_beam", {false, true}}};
  EXPECT_EQ(rows, expected);
}

TEST(Requests, AWeightBelowOneIsRefused) {
  const GraphSpace space(GraphSpec{});
  for (const double weight : {0.999, 0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1000.5}) {
    SearchRequest request = MakeRequest(space, "weighted_astar");
    request.params["weight"] = weight;
    const SearchResult result = Solve(request);
    ASSERT_EQ(result.outcome, Outcome::kRejected) << weight;
    EXPECT_EQ(result.violations.at(0).field, "algorithm.params.weight");
    EXPECT_EQ(result.violations.at(0).expected, "a number from 1 up to 1000");
  }
}

TEST(Requests, BreadthFirstRefusesACostLimitWhereCostsDiffer) {
  GraphSpec spec;
  spec.vertices = 2;
  spec.edges = {{0, 1, 5}};
  spec.goals = {1};
  const GraphSpace space(spec);
  SearchRequest request = MakeRequest(space, "breadth_first");
  EXPECT_EQ(Solve(request).cost, 5);
  request.limits.max_cost = 4;
  EXPECT_EQ(Solve(request).violations.at(0).field, "limits.max_cost");
}

}  // namespace
}  // namespace astrolabe::engine::testing
