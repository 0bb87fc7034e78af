// Searches on several threads: the same answers, and where it is promised the same counts, as on one.
#include "tests/daemon/engine/threads.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/cpu_time.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

std::string Seed(int i) { return "seed " + std::to_string(kSeed) + " + " + std::to_string(i); }

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

// --- idastar ----------------------------------------------------------------------------------------------------

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
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE(Seed(i));
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(i));
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
  }
}

// --- hda_star ------------------------------------------------------------------------------------------------------

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
  for (int i = 0; i < kCases / 12; ++i) {
    SCOPED_TRACE(Seed(i));
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, 40);
    const Cost best = c.distance[c.spec.start];
    if (best == kInfinity || best == 0) continue;
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h, i % 2 == 0);
    SearchRequest request = MakeRequest(space, "hda_star", &h);
    StdThreads starter;
    UseThreads(request, 1 + i % 3, starter);
    ExpectExactCostLimit(request, best);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(HdaStar, AnInadmissibleHeuristicStillGivesATruePath) {
  for (int i = 0; i < kCases / 12; ++i) {
    SCOPED_TRACE(Seed(i));
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(i));
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
    if (best == kInfinity) continue;
    EXPECT_GE(*result.cost, best);
    EXPECT_EQ(result.proof, Proof::kFeasible);
    EXPECT_TRUE(result.verified);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(HdaStar, LowerBoundsNeverPassTheOptimumWhateverTheLimit) {
  for (int i = 0; i < kCases / 12; ++i) {
    SCOPED_TRACE(Seed(i));
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(i));
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
    if (::testing::Test::HasFailure()) return;
  }
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

// --- all -----------------------------------------------------------------------------------------------------------

const char* const kThreaded[] = {"idastar", "hda_star"};

TEST(Threads, RandomGraphsGetTheDistanceOfDijkstra) {
  for (int i = 0; i < kCases / 6; ++i) {
    SCOPED_TRACE(Seed(i));
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const size_t aux = i % 5 == 0 ? 8 : i % 5 == 1 ? 3 : 0;
    const TableHeuristic h(space, c.h, true, i % 3 != 0, aux);
    for (const char* algorithm : kThreaded) {
      SearchRequest request = MakeRequest(space, algorithm, &h);
      StdThreads starter;
      UseThreads(request, 1 + i % 3, starter);
      ExpectRight(c, Solve(request));
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Threads, ACancelIsSeenSoon) {
  for (const char* algorithm : kThreaded) {
    for (const bool kernel : {false, true}) {
      TileSpec spec = KorfSpec(1);
      spec.kernel = spec.kernel_roots = kernel;
      const TileSpace space(spec);
      const TileHeuristic h(space, TileHeuristicKind::kManhattan);
      SearchRequest request = MakeRequest(space, algorithm, &h);
      StdThreads starter;
      UseThreads(request, 2, starter);
      request.progress_interval = milliseconds(1);
      class CancelWhenUnderWay final : public SearchObserver {
       public:
        CancelWhenUnderWay(StopToken& stop, const StdThreads& starter) : stop_(stop), starter_(starter) {}
        void OnProgress(const Progress& progress) override {
          EXPECT_GE(progress.expanded, expanded_);
          expanded_ = progress.expanded;
          if (starter_.runs() == 0 || stop_.cause() != StopCause::kNone) return;
          stop_.Request(StopCause::kCancel);
          asked_ = ProcessCpuTime();
        }
        std::chrono::nanoseconds asked() const { return asked_; }

       private:
        StopToken& stop_;
        const StdThreads& starter_;
        int64_t expanded_ = 0;
        std::chrono::nanoseconds asked_{};
      };
      StopToken stop;
      CancelWhenUnderWay observer(stop, starter);
      const SearchResult result = RunSearch(request, observer, stop);
      const auto delay = ProcessCpuTime() - observer.asked();
      EXPECT_EQ(result.outcome, Outcome::kCancelled) << algorithm;
      EXPECT_LT(delay, milliseconds(1000));  // 10 ms on a machine of its own
      EXPECT_GE(*result.lower_bound, 41);
      EXPECT_LE(*result.lower_bound, 57);
    }
  }
}

// Breaks its contract after many calls, on whatever thread that is.
class Breaking final : public Evaluator {
 public:
  enum Way { kNegative, kThrow, kNoMemory };
  Breaking(const TileHeuristic& good, Way way) : good_(good), way_(way) {
    id_ = "breaking";
    info_.admissible = true;
    calls_.context = this;
    calls_.eval = [](const void* context, const void* state) {
      const EvaluatorCalls& calls = static_cast<const Breaking*>(context)->good_.calls();
      return calls.eval(calls.context, state);
    };
    calls_.eval_batch = [](const void* context, uint64_t n, const void* states, uint64_t stride, Cost* out) {
      const auto& self = *static_cast<const Breaking*>(context);
      const EvaluatorCalls& calls = self.good_.calls();
      calls.eval_batch(calls.context, n, states, stride, out);
      if (self.calls_made_.fetch_add(1) < 60'000) return;
      if (self.way_ == kThrow) throw std::runtime_error("from the plugin");
      if (self.way_ == kNoMemory) throw std::bad_alloc();
      out[0] = -1;
    };
  }

 private:
  const TileHeuristic& good_;
  const Way way_;
  mutable std::atomic<int> calls_made_{0};
};

TEST(Threads, ABrokenContractEndsAll) {
  for (const char* algorithm : kThreaded) {
    for (const auto way : {Breaking::kNegative, Breaking::kThrow, Breaking::kNoMemory}) {
      const TileSpace space(KorfSpec(1));
      const TileHeuristic good(space, TileHeuristicKind::kManhattan);
      const Breaking h(good, way);
      SearchRequest request = MakeRequest(space, algorithm, &h);
      StdThreads starter;
      UseThreads(request, 3, starter);
      const SearchResult result = Solve(request);
      EXPECT_GT(starter.runs(), 0);
      if (way == Breaking::kNoMemory) {
        EXPECT_EQ(result.limit, LimitKind::kMemory);
        continue;
      }
      EXPECT_EQ(result.outcome, Outcome::kPluginFailed);
      const char* expected = way == Breaking::kThrow ? "from the plugin" : "negative h";
      EXPECT_NE(result.contract_violation.find(expected), std::string::npos) << result.contract_violation;
    }
  }
}

}  // namespace
}  // namespace astrolabe::engine::testing
