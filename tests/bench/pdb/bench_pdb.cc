// Pattern databases on the 15-puzzle: how long the tables take to build, how good h is over random boards, and how fast
// a search with them is, beside manhattan by the same calls.
//   bench_pdb [--boards N] [--heavy]     --heavy: 7-8 too (600 MB of memory for the tables, as much again to build
//   them)
#include <time.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/ida.h"
#include "astrolabe/sdk/testing/loaded_plugin.h"
#include "astrolabe/sdk/testing/under_test.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::HeuristicUnderTest;
using astro::testing::IdaIteration;
using astro::testing::LoadedPlugin;
using astro::testing::ProblemUnderTest;

struct Row {
  const char* patterns;
  const char* mirror;
  const char* build_goal;
  double mean_h;          // published, over 1,000 boards
  double mean_generated;  // so too
};

constexpr Row kRows[] = {
    {"5-5-5", "off", "<= 0.5 s", 41.562, 3090405},
    {"6-6-3", "on", "<= 1 s", 42.924, 617555},
    {"7-8", "on", "<= 20 s", 45.632, 36710},
};

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

const LoadedPlugin& Plugin(const std::string& name) {
  static std::map<std::string, LoadedPlugin> loaded;
  const LoadedPlugin& plugin = loaded.try_emplace(name, ASTROLABE_TEST_PLUGIN_DIR "/" + name + ".so").first->second;
  if (plugin.error().empty()) return plugin;
  std::fprintf(stderr, "%s\n", plugin.error().c_str());
  std::exit(1);
}

// Random boards that can be solved, goal blank-last.
std::vector<std::unique_ptr<ProblemUnderTest>> RandomBoards(FakeHost& host, size_t count) {
  std::mt19937_64 random(2002);
  std::vector<std::unique_ptr<ProblemUnderTest>> boards;
  while (boards.size() < count) {
    std::vector<int> tiles(16);
    std::iota(tiles.begin(), tiles.end(), 0);
    for (size_t i = 15; i > 0; --i) std::swap(tiles[i], tiles[random() % (i + 1)]);
    std::string text = "4\n";
    for (const int tile : tiles) text += std::to_string(tile) + " ";
    auto board = std::make_unique<ProblemUnderTest>(Plugin("sliding_tile").Problem(), host, text);
    if (board->Solvable().first == ASTRO_SOLVABLE_YES) boards.push_back(std::move(board));
  }
  return boards;
}

struct Solved {
  int64_t length = 0;
  uint64_t generated = 0;
  double seconds = 0;
};

// Of this thread alone: what else runs on the machine counts less.
double CpuNow() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// By eval_ops, never by an additive table. At most max_generated.
Solved Solve(const ProblemUnderTest& problem, const HeuristicUnderTest& heuristic, uint64_t max_generated) {
  Solved solved;
  const double start = CpuNow();
  int64_t bound = heuristic.Eval(problem.Initial());
  astro::testing::IdaLimits limits;
  while (solved.generated < max_generated) {
    limits.max_generated = max_generated - solved.generated;
    const IdaIteration iteration = astro::testing::RunKernel(problem, heuristic, bound, false, limits);
    solved.generated += iteration.generated;
    solved.length = iteration.path_cost;
    if (iteration.end != ASTRO_IDA_EXHAUSTED) break;
    bound = iteration.next_bound;
  }
  solved.seconds = CpuNow() - start;
  return solved;
}

void Run(const Row& row, FakeHost& host, const std::vector<std::unique_ptr<ProblemUnderTest>>& boards) {
  FakeParams params;
  params.SetText("patterns", row.patterns);
  params.SetText("mirror", row.mirror);
  const double start = Now();
  const HeuristicUnderTest heuristic(Plugin("pattern_database").Heuristic(), host, *boards[0], &params);
  if (!heuristic.ok()) {
    std::fprintf(stderr, "%s\n", heuristic.faults.Text().c_str());
    std::exit(1);
  }
  std::printf("%s%s built on 2 threads in %.2f s, goal %s\n", row.patterns,
              std::string(row.mirror) == "on" ? " mirrored" : "", Now() - start, row.build_goal);
  double h = 0;
  for (const auto& board : boards) h += static_cast<double>(heuristic.Eval(board->Initial()));
  const auto count = static_cast<double>(boards.size());
  const HeuristicUnderTest manhattan(Plugin("manhattan").Heuristic(), host, *boards[0]);
  Solved all;
  Solved baseline;
  for (const auto& board : boards) {
    const Solved one = Solve(*board, heuristic, UINT64_MAX);
    all.length += one.length;
    all.generated += one.generated;
    all.seconds += one.seconds;
    const Solved other = Solve(*board, manhattan, one.generated);
    baseline.generated += other.generated;
    baseline.seconds += other.seconds;
  }
  std::printf("  %zu boards: mean h %.3f (published %.3f), mean length %.2f (52.59), mean generated %.0f (%.0f)\n",
              boards.size(), h / count, row.mean_h, static_cast<double>(all.length) / count,
              static_cast<double>(all.generated) / count, row.mean_generated);
  const double speed = static_cast<double>(all.generated) / all.seconds / 1e6;
  const double base = static_cast<double>(baseline.generated) / baseline.seconds / 1e6;
  std::printf("  %.2f ms a board, %.1f M gen/s; manhattan by eval_ops %.1f: ratio %.2f\n", all.seconds / count * 1e3,
              speed, base, speed / base);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  size_t count = 100;
  bool heavy = false;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    char* end = nullptr;
    if (name == "--heavy") {
      heavy = true;
    } else if (name == "--boards" && i + 1 < argc && (count = std::strtoul(argv[++i], &end, 10)) > 0 && *end == '\0') {
      continue;
    } else {
      std::fprintf(stderr, "usage: bench_pdb [--boards N] [--heavy]\n");
      return 2;
    }
  }
  FakeHost host;
  host.threads = 2;
  const auto boards = RandomBoards(host, count);
  for (const Row& row : kRows) {
    if (heavy || std::string(row.patterns) != "7-8") Run(row, host, boards);
  }
  return 0;
}
