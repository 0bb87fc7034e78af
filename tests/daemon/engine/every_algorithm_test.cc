// What holds for every algorithm of the catalogue: right answers on random graphs, on every depth class of the
// 8-puzzle, under every limit.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"
#include "tests/daemon/engine/two_way.h"

namespace astrolabe::engine::testing {
namespace {

// A graph with heuristics both ways.
class GraphProblem {
 public:
  GraphProblem(const Case& c, Cost largest, std::mt19937_64& random, bool admissible = true)
      : space_(c.spec), h_(space_, c.h, admissible, random() % 3 != 0, random() % 3 == 0 ? 8 : 0) {
    if (c.spec.goals.size() != 1) return;
    const GraphSpec reversed = Reversed(c.spec);
    reversed_.emplace(reversed);
    const std::vector<Cost> back = RandomAdmissible(DistancesToGoal(reversed), largest, random);
    reversed_h_.emplace(*reversed_, back, admissible, random() % 3 != 0);
  }

  SearchRequest Request(const AlgorithmDescription& algorithm, bool with_h = true) {
    SearchRequest request = MakeRequest(space_, algorithm.id, with_h ? &h_ : nullptr);
    if (algorithm.needs_reversed && reversed_) {
      request.reversed = &*reversed_;
      if (with_h) request.reversed_evaluators.push_back({&*reversed_h_});
    }
    return request;
  }

 private:
  GraphSpace space_;
  TableHeuristic h_;
  std::optional<GraphSpace> reversed_;
  std::optional<TableHeuristic> reversed_h_;
};

// Those that visit every path, not every state, where nothing forbids it.
bool IsExponential(const std::string& id) { return id == "idastar" || id == "depth_first" || id == "rbfs"; }

Cost CostOf(const GraphSpec& spec, const std::vector<Op>& path) {
  Cost sum = 0;
  uint32_t at = spec.start;
  for (Op op : path) {
    EXPECT_EQ(spec.edges[op].from, at);
    at = spec.edges[op].to;
    sum += spec.edges[op].cost;
  }
  return sum;
}

// A solution that is what it says, against the true distance.
void ExpectHonest(const SearchResult& result, Cost best) {
  EXPECT_TRUE(result.verified);
  EXPECT_FALSE(result.final_state.empty());
  ASSERT_TRUE(result.cost.has_value());
  EXPECT_GE(*result.cost, best);
  if (result.lower_bound) EXPECT_LE(*result.lower_bound, best);
  if (result.proof == Proof::kOptimal) EXPECT_EQ(*result.cost, best);
  if (result.proof == Proof::kBounded) {
    EXPECT_GE(result.bound_factor * 1.0000001 * static_cast<double>(best), static_cast<double>(*result.cost));
  }
}

#ifdef ASTROLABE_SANITIZED
constexpr int kGraphs = 200;
#else
constexpr int kGraphs = 7000;
#endif
constexpr uint64_t kFirstSeed = 20261130;

class EveryAlgorithm : public ::testing::TestWithParam<size_t> {
 protected:
  const AlgorithmDescription& algorithm() const { return Algorithms()[GetParam()]; }
  uint32_t Vertices() const { return IsExponential(algorithm().id) ? 9 : 60; }
};

TEST_P(EveryAlgorithm, AgreesWithDijkstraOnRandomGraphs) {
  int solved = 0;
  for (int i = 0; i < kGraphs; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kFirstSeed) + " + " + std::to_string(i));
    std::mt19937_64 random(kFirstSeed + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, Vertices(), algorithm().needs_reversed && i % 20 != 0);
    GraphProblem problem(c, 1000, random);
    const SearchResult result = Solve(problem.Request(algorithm(), i % 7 != 0));
    const Cost best = c.distance[c.spec.start];
    if (algorithm().needs_reversed && c.spec.goals.size() != 1) {
      ASSERT_EQ(result.outcome, Outcome::kRejected);
      ASSERT_FALSE(result.violations.empty());
      EXPECT_EQ(result.violations[0].field, "algorithm");
      continue;
    }
    if (best == kInfinity) {
      ASSERT_EQ(result.outcome, Outcome::kUnsolvable) << result.explanation << result.contract_violation;
      EXPECT_EQ(result.proof, Proof::kUnsolvableExhausted);
      continue;
    }
    ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
    ++solved;
    ExpectHonest(result, best);
    EXPECT_EQ(CostOf(c.spec, result.path), *result.cost);
    if (algorithm().optimal) {
      EXPECT_EQ(*result.cost, best);
      EXPECT_EQ(result.proof, Proof::kOptimal);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(solved, kGraphs / 5);
}

TEST_P(EveryAlgorithm, GivesATruePathWithAnInadmissibleHeuristic) {
  for (int i = 0; i < kGraphs / 4; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kFirstSeed) + " + " + std::to_string(i));
    std::mt19937_64 random(kFirstSeed + static_cast<uint64_t>(i));
    Case c = RandomCase(random, std::min(Vertices(), 30u), true);
    for (Cost& h : c.h) h = static_cast<Cost>(random() % 4000);
    GraphProblem problem(c, 1000, random, false);
    const SearchResult result = Solve(problem.Request(algorithm()));
    const Cost best = c.distance[c.spec.start];
    ASSERT_EQ(result.outcome, best == kInfinity ? Outcome::kUnsolvable : Outcome::kSolved) << result.explanation;
    if (best == kInfinity) continue;
    ExpectHonest(result, best);
    EXPECT_EQ(CostOf(c.spec, result.path), *result.cost);
    if (HasFailure()) return;
  }
}

TEST_P(EveryAlgorithm, ReportsBoundsAndSolutionsThatHoldAtEveryLimit) {
  int stopped = 0;
  for (int i = 0; i < kGraphs / 10; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kFirstSeed) + " + " + std::to_string(i));
    std::mt19937_64 random(kFirstSeed + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, Vertices(), true);
    const Cost best = c.distance[c.spec.start];
    for (int64_t limit : {1, 2, 3, 5, 8, 13, 21, 34}) {
      GraphProblem problem(c, 1000, random);
      SearchRequest request = problem.Request(algorithm());
      (i % 3 == 0 ? request.limits.max_generated : request.limits.max_expansions) = limit;
      const SearchResult result = Solve(request);
      EXPECT_LE(i % 3 == 0 ? result.statistics.generated : result.statistics.expanded, limit);
      if (result.has_path) ExpectHonest(result, best);
      if (result.outcome != Outcome::kLimitReached) continue;
      ++stopped;
      ASSERT_TRUE(result.lower_bound.has_value());
      EXPECT_LE(*result.lower_bound, best);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(stopped, kGraphs / 20);
}

TEST_P(EveryAlgorithm, KeepsACostLimit) {
  int none = 0;
  for (int i = 0; i < kGraphs / 4; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kFirstSeed) + " + " + std::to_string(i));
    std::mt19937_64 random(kFirstSeed + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, 9, true);
    const Cost best = c.distance[c.spec.start];
    if (best == kInfinity || best == 0) continue;
    const bool admissible = i % 2 == 0;
    GraphProblem problem(c, 1000, random, admissible);
    SearchRequest request = problem.Request(algorithm());
    request.limits.max_cost = best;
    const SearchResult found = Solve(request);
    if (algorithm().counts_operators) {
      ASSERT_EQ(found.outcome, Outcome::kRejected);
      EXPECT_EQ(found.violations[0].field, "limits.max_cost");
      continue;
    }
    ASSERT_EQ(found.outcome, Outcome::kSolved) << found.explanation << found.contract_violation;
    EXPECT_EQ(found.cost, best);
    request.limits.max_cost = best - 1;
    const SearchResult nothing = Solve(request);
    ASSERT_EQ(nothing.outcome, Outcome::kLimitReached) << nothing.explanation;
    EXPECT_EQ(nothing.limit, LimitKind::kCost);
    EXPECT_EQ(nothing.lower_bound, best);
    ++none;
    if (HasFailure()) return;
  }
  if (!algorithm().counts_operators) EXPECT_GT(none, kGraphs / 20);
}

// A board of every distance of the 8-puzzle from the goal (blank last), 0 to 31.
const std::vector<Board>& BoardOfEveryDepth() {
  static const auto* const boards = [] {
    const TileSpace space(EightPuzzle(BlankLast(9), BlankLast(9)));
    auto* all = new std::vector<Board>{space.goal()};
    std::map<Board, bool> met{{space.goal(), true}};
    for (std::vector<Board> layer{space.goal()}; !layer.empty();) {
      std::vector<Board> next;
      for (Board board : layer) {
        const TileSpace::Moves& moves = space.moves(TileSpace::Blank(board, 9));
        for (uint32_t i = 0; i < moves.count; ++i) {
          const Board child = TileSpace::Move(board, TileSpace::Blank(board, 9), moves.target[i]);
          if (met.emplace(child, true).second) next.push_back(child);
        }
      }
      // Not the first: they are all alike.
      if (!next.empty()) all->push_back(next[next.size() * 2 / 3]);
      layer = std::move(next);
    }
    return all;
  }();
  return *boards;
}

std::vector<int> Cells(Board board) {
  std::vector<int> cells;
  for (int i = 0; i < 9; ++i) cells.push_back(static_cast<int>(board >> (4 * i) & 15));
  return cells;
}

TEST_P(EveryAlgorithm, SolvesEveryDepthClassOfTheEightPuzzle) {
  ASSERT_EQ(BoardOfEveryDepth().size(), 32u);
  for (size_t depth = 0; depth < BoardOfEveryDepth().size(); ++depth) {
    SCOPED_TRACE("depth " + std::to_string(depth));
    if (algorithm().id == "depth_first" && depth > 24) break;  // tens of millions of nodes, without a heuristic
    const TwoWayBoard board(EightPuzzle(Cells(BoardOfEveryDepth()[depth]), BlankLast(9)));
    const SearchResult result = Solve(board.Request(algorithm().id));
    ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
    const auto best = static_cast<Cost>(depth);
    ExpectHonest(result, best);
    // Where all operators cost the same, fewest is cheapest.
    if (algorithm().optimal || algorithm().counts_operators) {
      EXPECT_EQ(*result.cost, best);
      EXPECT_EQ(result.proof, Proof::kOptimal);
    }
  }
}

class StopAtFirstProgress final : public SearchObserver {
 public:
  void OnProgress(const Progress&) override { token.Request(StopCause::kCancel); }
  StopToken token;
};

TEST_P(EveryAlgorithm, StopsWhenItIsTold) {
  const TwoWayBoard hard(KorfSpec(1));  // no algorithm is through it in an instant
  SearchRequest request = hard.Request(algorithm().id);
  request.progress_interval = std::chrono::milliseconds(0);
  StopAtFirstProgress observer;
  const SearchResult result = RunSearch(request, observer, observer.token);
  EXPECT_EQ(result.outcome, Outcome::kCancelled) << result.explanation;
  ASSERT_TRUE(result.lower_bound.has_value());
  EXPECT_LE(*result.lower_bound, 57);
  if (result.has_path) ExpectHonest(result, 57);
}

TEST_P(EveryAlgorithm, KeepsAMemoryLimit) {
  for (int64_t cap : {int64_t{3000}, int64_t{1} << 20, int64_t{6} << 20}) {
    SCOPED_TRACE(cap);
    const TwoWayBoard hard(KorfSpec(1));
    SearchRequest request = hard.Request(algorithm().id);
    request.limits.max_memory_bytes = cap;
    request.limits.max_expansions = 2'000'000;  // for those that need none
    const SearchResult result = Solve(request);
    EXPECT_LE(result.statistics.peak_memory_bytes, cap);
    if (result.outcome == Outcome::kSolved) {
      ExpectHonest(result, 57);
      continue;
    }
    ASSERT_EQ(result.outcome, Outcome::kLimitReached) << result.explanation;
    ASSERT_TRUE(result.limit == LimitKind::kMemory || IsExponential(algorithm().id)) << result.explanation;
    if (result.limit != LimitKind::kMemory || cap < 100000) continue;
    EXPECT_GE(result.statistics.peak_memory_bytes, cap * 3 / 4);
    if (result.has_path) ExpectHonest(result, 57);
  }
}

TEST_P(EveryAlgorithm, LeavesMemoryThatOutlivesWhatItSearched) {
  std::shared_ptr<const void> remains;
  {
    const TwoWayBoard board(EightPuzzle(Cells(BoardOfEveryDepth()[10]), BlankLast(9)));
    remains = Solve(board.Request(algorithm().id)).remains;
  }
  EXPECT_NE(remains, nullptr);
  remains.reset();  // AddressSanitizer sees what it touches
}

TEST_P(EveryAlgorithm, GivesTheSameSearchAgain) {
  for (size_t depth : {10, 22}) {
    std::optional<SearchResult> first;
    for (int i = 0; i < 2; ++i) {
      const TwoWayBoard board(EightPuzzle(Cells(BoardOfEveryDepth()[depth]), BlankLast(9)));
      const SearchResult result = Solve(board.Request(algorithm().id));
      if (!first) {
        first = result;
        continue;
      }
      EXPECT_EQ(result.path, first->path);
      EXPECT_EQ(result.statistics.expanded, first->statistics.expanded);
      EXPECT_EQ(result.statistics.generated, first->statistics.generated);
      EXPECT_EQ(result.statistics.peak_memory_bytes, first->statistics.peak_memory_bytes);
    }
  }
}

TEST_P(EveryAlgorithm, IsDescribed) {
  EXPECT_FALSE(algorithm().summary.empty());
  EXPECT_GT(algorithm().doc.size(), 40u);
  for (const ParamSpec& param : algorithm().params) {
    EXPECT_GT(param.doc.size(), 10u) << param.name;
    EXPECT_TRUE(param.default_value.has_value()) << param.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Engine, EveryAlgorithm, ::testing::ValuesIn(AlgorithmIndices()),
                         [](const auto& row) { return Algorithms()[row.param].id; });

}  // namespace
}  // namespace astrolabe::engine::testing
