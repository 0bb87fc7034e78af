// What holds for every algorithm that searches on several threads: right answers, and an end soon after a cancel or a
// broken contract.
#include "tests/daemon/engine/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <random>
#include <stdexcept>
#include <string>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/cpu_time.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

using std::chrono::milliseconds;

const char* const kThreaded[] = {"idastar", "hda_star"};

TEST(Threads, RandomGraphsGetTheDistanceOfDijkstra) {
  ForSeeds(kCases / 6, [&](int i, std::mt19937_64& random) {
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
  });
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
