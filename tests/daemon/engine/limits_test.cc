// Limits, cancelling, memory: when a search ends early, and with what.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/cpu_time.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Korf #1: minutes of work for these domains, so every limit comes first.
class Limits : public ::testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  Limits() : spec_(KorfSpec(1)) {
    spec_.kernel = std::get<1>(GetParam());
    space_.emplace(spec_);
    manhattan_.emplace(*space_, TileHeuristicKind::kManhattan);
    request_ = MakeRequest(*space_, std::get<0>(GetParam()), &*manhattan_);
  }

  TileSpec spec_;
  std::optional<TileSpace> space_;
  std::optional<TileHeuristic> manhattan_;
  SearchRequest request_;
};

TEST_P(Limits, ExpansionsAreExact) {
  for (int64_t limit : {1, 2, 63, 64, 65, 1000, 54321}) {
    request_.limits.max_expansions = limit;
    const SearchResult result = Solve(request_);
    EXPECT_EQ(result.outcome, Outcome::kLimitReached);
    EXPECT_EQ(result.limit, LimitKind::kExpansions);
    EXPECT_EQ(result.statistics.expanded, limit);
    EXPECT_EQ(result.proof, Proof::kNone);
    EXPECT_FALSE(result.has_path);
    EXPECT_GE(*result.lower_bound, 41);
    EXPECT_LE(*result.lower_bound, 57);
  }
}

TEST_P(Limits, GeneratedNodesAreExact) {
  for (int64_t limit : {1, 2, 3, 4, 64, 1000, 54321}) {
    request_.limits.max_generated = limit;
    const SearchResult result = Solve(request_);
    EXPECT_EQ(result.outcome, Outcome::kLimitReached);
    EXPECT_EQ(result.limit, LimitKind::kGenerated);
    EXPECT_EQ(result.statistics.generated, limit);
    EXPECT_LE(*result.lower_bound, 57);
  }
}

TEST_P(Limits, AnExpansionLimitThatSufficesChangesNothing) {
  TileSpec easy = EightPuzzle({7, 2, 4, 5, 0, 6, 8, 3, 1}, BlankFirst(9));
  easy.kernel = spec_.kernel;
  const TileSpace space(easy);
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = MakeRequest(space, request_.algorithm, &h);
  const SearchResult free = Solve(request);
  request.limits.max_expansions = free.statistics.expanded;
  request.limits.max_generated = free.statistics.generated;
  const SearchResult exact = Solve(request);
  EXPECT_EQ(exact.outcome, Outcome::kSolved);
  EXPECT_EQ(exact.path, free.path);
  request.limits.max_expansions = free.statistics.expanded - 1;
  EXPECT_EQ(Solve(request).limit, LimitKind::kExpansions);
}

TEST_P(Limits, TheDeadlineEndsIt) {
  const auto start = Clock::now();
  const auto start_cpu = ProcessCpuTime();
  request_.limits.deadline = start + milliseconds(60);
  const SearchResult result = Solve(request_);
  EXPECT_EQ(result.outcome, Outcome::kLimitReached);
  EXPECT_EQ(result.limit, LimitKind::kWallTime);
  EXPECT_GE(Clock::now() - start, milliseconds(60));
  EXPECT_LT(ProcessCpuTime() - start_cpu, milliseconds(1000));  // not wall time, which is the machine's affair
  EXPECT_GT(result.statistics.expanded, 0);
}

class FirstProgress final : public SearchObserver {
 public:
  explicit FirstProgress(std::function<void()> act) : act_(std::move(act)) {}
  void OnProgress(const Progress& progress) override {
    EXPECT_GE(progress.expanded, last_.expanded);
    EXPECT_GE(progress.generated, last_.generated);
    EXPECT_GE(progress.f_bound, last_.f_bound);
    last_ = progress;
    if (act_) act_();
  }
  const Progress& last() const { return last_; }

 private:
  std::function<void()> act_;
  Progress last_;
};

TEST_P(Limits, EveryCauseOfAStopIsTold) {
  const std::pair<StopCause, Outcome> causes[] = {{StopCause::kCancel, Outcome::kCancelled},
                                                  {StopCause::kInterrupt, Outcome::kInterrupted},
                                                  {StopCause::kWallTime, Outcome::kLimitReached}};
  for (const auto& [cause, outcome] : causes) {
    StopToken stop;
    FirstProgress observer([&stop, cause = cause] { stop.Request(cause); });
    request_.progress_interval = milliseconds(0);
    const SearchResult result = RunSearch(request_, observer, stop);
    EXPECT_EQ(result.outcome, outcome);
    EXPECT_GE(*result.lower_bound, 41);
  }
}

TEST_P(Limits, AStopFromAnotherThreadIsSeenSoon) {
  StopToken stop;
  std::atomic<bool> running{false};
  FirstProgress observer([&running] { running = true; });
  request_.progress_interval = milliseconds(1);
  std::chrono::nanoseconds asked{};
  std::thread canceller([&] {
    while (!running) std::this_thread::yield();
    asked = ProcessCpuTime();
    stop.Request(StopCause::kCancel);
  });
  const SearchResult result = RunSearch(request_, observer, stop);
  const auto delay = ProcessCpuTime() - asked;
  canceller.join();
  EXPECT_EQ(result.outcome, Outcome::kCancelled);
  EXPECT_LT(delay, milliseconds(500));  // 10 ms on a machine of its own
}

TEST_P(Limits, ProgressNeverGoesDownAcrossIterations) {
  FirstProgress observer(nullptr);
  request_.progress_interval = milliseconds(0);
  request_.limits.max_expansions = 300000;
  RunSearch(request_, observer, StopToken());
  EXPECT_GT(observer.last().expanded, 0);
  EXPECT_GT(observer.last().expanded_per_second, 0);
}

INSTANTIATE_TEST_SUITE_P(Engine, Limits,
                         ::testing::Values(std::tuple("astar", false), std::tuple("idastar", false),
                                           std::tuple("idastar", true)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + (std::get<1>(info.param) ? "Kernel" : "Generic");
                         });

TEST(MemoryLimit, IsUsedWellAndNeverPassed) {
  for (size_t state_size : {8u, 16u, 32u, 40u, 600u}) {
    for (int64_t cap : {int64_t{1} << 20, int64_t{5} << 20, int64_t{30} << 20}) {
      SCOPED_TRACE(std::to_string(state_size) + " bytes, cap " + std::to_string(cap));
      TileSpec spec = KorfSpec(1);
      spec.state_size = state_size;
      const TileSpace space(spec);
      const TileHeuristic h(space, TileHeuristicKind::kManhattan);
      SearchRequest request = MakeRequest(space, "astar", &h);
      request.limits.max_memory_bytes = cap;
      const SearchResult result = Solve(request);
      ASSERT_EQ(result.outcome, Outcome::kLimitReached);
      EXPECT_EQ(result.limit, LimitKind::kMemory);
      EXPECT_LE(result.statistics.peak_memory_bytes, cap);
      EXPECT_GE(result.statistics.peak_memory_bytes, cap * 3 / 4);
      EXPECT_GE(*result.lower_bound, 41);
      EXPECT_LE(*result.lower_bound, 57);
      EXPECT_GT(result.statistics.stored, 0);
    }
  }
}

// However early a limit ends it: h of the initial state is known, and a bound.
TEST(FirstBound, IsHOfTheInitialState) {
  const TileSpace space(KorfSpec(1));
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  for (const AlgorithmDescription& algorithm : Algorithms()) {
    if (!algorithm.needs_heuristic || algorithm.needs_reversed || algorithm.local) continue;
    SCOPED_TRACE(algorithm.id);
    for (const int64_t cap : {1, 100, 3000}) {
      SearchRequest request = MakeRequest(space, algorithm.id, &h);
      request.limits.max_memory_bytes = cap;
      const SearchResult result = Solve(request);
      EXPECT_EQ(result.limit, LimitKind::kMemory) << cap;
      EXPECT_EQ(result.lower_bound, 41) << cap;
    }
    SearchRequest request = MakeRequest(space, algorithm.id, &h);
    request.limits.max_cost = 0;
    const SearchResult result = Solve(request);
    EXPECT_EQ(result.limit, LimitKind::kCost);
    EXPECT_EQ(result.lower_bound, 41);
  }
}

TEST(FirstBound, IsNotTakenFromAHeuristicThatPromisesNothing) {
  const TileSpace space(KorfSpec(1));
  TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = MakeRequest(space, "astar", &h);
  request.evaluators[0].weight_numerator = 2;
  request.limits.max_memory_bytes = 100;
  EXPECT_EQ(Solve(request).lower_bound, std::nullopt);
}

}  // namespace
}  // namespace astrolabe::engine::testing
