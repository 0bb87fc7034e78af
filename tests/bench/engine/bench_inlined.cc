// What the boundary costs A*: the engine's own search through the function pointers of the real plugin libraries,
// against the same template with the domain inlined. Pairs in turn, each search in a process of its own, so that
// neither finds the other's memory; the median of the ratios.
//   bench_inlined [PAIRS]
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "daemon/engine/algorithms/best_first_search.h"
#include "daemon/engine/runner.h"
#include "tests/bench/engine/inlined_tiles.h"
#include "tests/daemon/engine/boards.h"
#include "tests/support/plugins_in_process.h"

namespace astrolabe::engine::bench {
namespace {

constexpr double kGate = 0.85;

// As in astar.cc.
struct ByF {
  static constexpr bool kUsesH = true;
  static constexpr bool kUnitSteps = false;
  static constexpr bool kMonotone = true;

  Cost Priority(Cost g, Cost h) const { return g + h; }
  Cost H(Cost f, Cost g) const { return f - g; }
  Cost LowerBound(Cost f, Cost) const { return f; }
  Guarantee guarantee() const { return {}; }
};

struct Measured {
  double seconds = 0;  // of the processor, for this thread
  int64_t expanded = 0;
  Cost cost = 0;  // not set: no solution
};

double Now() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class NoSolutions final : public Runner::Solutions {
 public:
  bool Take() override { return true; }
  void TellBound() override {}
};

template <class Problem, class Heuristic>
Measured RunAStar(const astrolabe::testing::PreparedSearch& prepared) {
  const SearchRequest request = prepared.Request("astar");
  const Params params;
  SearchObserver nobody;
  const StopToken never;
  MemoryAccount memory;
  NoSolutions solutions;
  const Task task{.space = prepared.space(),
                  .evaluator = prepared.evaluator(),
                  .single = true,
                  .admissible = true,
                  .solvable = Solvable::kYes,
                  .max_cost = {},
                  .params = params,
                  .memory = memory,
                  .thread_evaluators = {}};
  const double start = Now();
  Runner runner(request, nobody, never, memory, solutions);
  BestFirstSearch<ByF, Problem, Heuristic> search(task, ByF(), Ties::kHighG);
  const SearchEnd end = search.Search(runner);
  Measured measured;
  measured.seconds = Now() - start;
  measured.expanded = static_cast<int64_t>(runner.expanded());
  Solution solution;
  if (end == SearchEnd::kSolved && search.Extract(runner, solution)) measured.cost = solution.cost;
  return measured;
}

// Runs `work` in a child process of its own.
Measured InChild(const std::function<Measured()>& work) {
  int fds[2];
  Measured measured;
  if (::pipe(fds) != 0) std::abort();
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) {
    measured = work();
    ::_exit(::write(fds[1], &measured, sizeof measured) == sizeof measured ? 0 : 1);
  }
  ::close(fds[1]);
  const bool complete = ::read(fds[0], &measured, sizeof measured) == sizeof measured;
  ::close(fds[0]);
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0 || !complete) {
    std::fprintf(stderr, "bench_inlined: a search died\n");
    std::exit(1);
  }
  return measured;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void AStar(astrolabe::testing::PluginsInProcess& plugins, int id, int pairs) {
  const testing::KorfInstance& korf = testing::Korf(id);
  std::string text = "4";
  for (const int tile : korf.cells) text.append(" ").append(std::to_string(tile));
  text += "\ngoal\n0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n";
  const auto prepared = plugins.Prepare("sliding_tile", text, "manhattan");
  std::vector<double> pointers, inlined, ratios;
  int64_t expanded = 0;
  for (int i = 0; i < pairs; ++i) {
    const Measured a = InChild([&] { return RunAStar<SpaceCalls, EvaluatorCalls>(prepared); });
    const Measured b = InChild([&] { return RunAStar<InlinedTiles, InlinedManhattan>(prepared); });
    if (a.cost != korf.length || b.cost != korf.length || a.expanded != b.expanded) {
      std::fprintf(stderr, "bench_inlined: costs %lld and %lld, expected %d; expanded %lld and %lld\n",
                   static_cast<long long>(a.cost), static_cast<long long>(b.cost), korf.length,
                   static_cast<long long>(a.expanded), static_cast<long long>(b.expanded));
      std::exit(1);
    }
    expanded = a.expanded;
    pointers.push_back(a.seconds);
    inlined.push_back(b.seconds);
    ratios.push_back(b.seconds / a.seconds);
  }
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  std::printf(
      "A* Korf #%-3d %10lld expanded  plugins %7.3f s  inlined %7.3f s   goal x >= %.2f  x%.2f (%.2f to %.2f)\n", id,
      static_cast<long long>(expanded), Median(pointers), Median(inlined), kGate, Median(ratios), *least, *most);
  std::fflush(stdout);
}

}  // namespace
}  // namespace astrolabe::engine::bench

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  const std::string folder = std::string(PLUGIN_DIR) + "/";
  astrolabe::testing::PluginsInProcess plugins({folder + "sliding_tile.so", folder + "manhattan.so"});
  std::printf("A* through plugins against the same engine with the domain inlined, processor seconds, median of %d\n",
              pairs);
  astrolabe::engine::bench::AStar(plugins, 12, pairs);
  astrolabe::engine::bench::AStar(plugins, 38, pairs);
  return 0;
}
