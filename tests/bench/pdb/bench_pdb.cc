// Pattern databases on the 15-puzzle: how long the tables take to build, how good h is over random boards, and how fast
// a search with them is, beside manhattan by the same calls.
//   bench_pdb [--boards N] [--searches N] [--heavy] [--hardest]
//     --boards    for the mean of h; 10,000
//     --searches  how many of them are solved; 100, and with 7-8 all
//     --heavy     7-8 too (600 MB of memory for the tables, as much again to build them)
//     --hardest   with --heavy: boards that need 80 moves, the most there is, are solved too
// Fails when the mean of h, of at least 5,000 boards, is further than 0.2 from the published one, or when, over at
// least 1,000 boards, more than a quarter more nodes are generated. Fewer are no fault: other patterns of the same
// sizes may be better ones.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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
  double mean_h;
  double mean_generated;  // published, over 1,000 boards; 0: not
  bool heavy;
};

// Published, over 1,000 boards, by Korf and Felner 2002; 6-6-3 without the mirror is exact, from the tables.
constexpr Row kRows[] = {
    {"5-5-5", "off", "<= 0.5 s", 41.562, 3090405, false},
    {"6-6-3", "off", "<= 1 s", 42.24, 0, false},
    {"6-6-3", "on", "cached", 42.924, 617555, false},
    {"7-8", "on", "<= 20 s", 45.632, 36710, true},
};
constexpr double kNearH = 0.2;
constexpr double kMostGenerated = 1.25;
constexpr size_t kEnoughBoards = 5000;
constexpr size_t kEnoughSearches = 1000;

constexpr uint64_t kSeed = 2002;

// Of the 17 boards that need 80 moves, goal blank-first.
constexpr const char* kHardest[] = {
    "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", "15 11 13 12 14 10 8 9 2 6 5 1 3 7 4 0",
    "15 11 13 12 14 10 9 5 2 6 8 1 3 7 4 0", "15 11 9 12 14 10 13 8 2 6 5 1 3 7 4 0",
    "15 11 8 12 14 10 9 13 2 6 5 1 3 7 4 0", "15 11 8 12 14 10 9 13 2 6 4 5 3 7 1 0",
};
constexpr int64_t kHardestLength = 80;

struct Options {
  size_t boards = 10'000;
  size_t searches = 0;  // 0: the default
  bool heavy = false;
  bool hardest = false;
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
  std::mt19937_64 random(kSeed);
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
  int64_t length = 0;  // of a path that leads to the goal
  uint64_t generated = 0;
  double seconds = 0;
};

// Of this thread alone: what else runs on the machine counts less.
double CpuNow() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void CheckPath(const ProblemUnderTest& problem, const IdaIteration& found) {
  astro::testing::StateBytes state = problem.Initial();
  for (const astro::Op op : found.path) state = problem.Apply(state, op);
  if (problem.IsGoal(state) && found.path_cost == static_cast<int64_t>(found.path.size())) return;
  std::fprintf(stderr, "a path does not lead to the goal:\n%s", problem.CanonicalText().c_str());
  std::exit(1);
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
    if (iteration.end == ASTRO_IDA_FOUND) CheckPath(problem, iteration);
    if (iteration.end != ASTRO_IDA_EXHAUSTED) break;
    bound = iteration.next_bound;
  }
  solved.seconds = CpuNow() - start;
  return solved;
}

bool Near(double value, double published, double difference, const char* what) {
  if (std::abs(value - published) <= difference) return true;
  std::printf("  FAILED: %s is %.3f, expected %.3f +- %.3f\n", what, value, published, difference);
  return false;
}

std::unique_ptr<HeuristicUnderTest> MakeTables(const Row& row, FakeHost& host, const ProblemUnderTest& board) {
  FakeParams params;
  params.SetText("patterns", row.patterns);
  params.SetText("mirror", row.mirror);
  auto made = std::make_unique<HeuristicUnderTest>(Plugin("pattern_database").Heuristic(), host, board, &params);
  if (made->ok()) return made;
  std::fprintf(stderr, "%s\n", made->faults.Text().c_str());
  std::exit(1);
}

// Each proven: with the largest bound that has no solution searched in full.
bool SolveHardest(const Row& row, FakeHost& host) {
  bool right = true;
  for (const char* tiles : kHardest) {
    FakeParams goal;
    goal.SetText("goal", "blank-first");
    const ProblemUnderTest board(Plugin("sliding_tile").Problem(), host, std::string("4\n") + tiles, &goal);
    const auto heuristic = MakeTables(row, host, board);
    const Solved solved = Solve(board, *heuristic, UINT64_MAX);
    std::printf("  %s: %lld moves, %llu generated, %.2f s\n", tiles, static_cast<long long>(solved.length),
                static_cast<unsigned long long>(solved.generated), solved.seconds);
    std::fflush(stdout);
    right = right && solved.length == kHardestLength;
  }
  return right;
}

// False: something is not as published.
bool Run(const Row& row, const Options& options, FakeHost& host,
         const std::vector<std::unique_ptr<ProblemUnderTest>>& boards) {
  const double start = Now();
  const std::unique_ptr<HeuristicUnderTest> tables = MakeTables(row, host, *boards[0]);
  const HeuristicUnderTest& heuristic = *tables;
  std::printf("%s%s built on 2 threads in %.2f s, goal %s\n", row.patterns,
              std::string(row.mirror) == "on" ? " mirrored" : "", Now() - start, row.build_goal);
  double h = 0;
  for (const auto& board : boards) h += static_cast<double>(heuristic.Eval(board->Initial()));
  h /= static_cast<double>(boards.size());
  std::printf("  %zu boards: mean h %.3f (%.3f)\n", boards.size(), h, row.mean_h);
  bool right = boards.size() < kEnoughBoards || Near(h, row.mean_h, kNearH, "mean h");

  const HeuristicUnderTest manhattan(Plugin("manhattan").Heuristic(), host, *boards[0]);
  Solved all;
  Solved baseline;
  const size_t searches = std::min(boards.size(), options.searches > 0 ? options.searches : row.heavy ? SIZE_MAX : 100);
  for (size_t i = 0; i < searches; ++i) {
    const Solved one = Solve(*boards[i], heuristic, UINT64_MAX);
    all.length += one.length;
    all.generated += one.generated;
    all.seconds += one.seconds;
    const Solved other = Solve(*boards[i], manhattan, one.generated);
    baseline.generated += other.generated;
    baseline.seconds += other.seconds;
  }
  const auto count = static_cast<double>(searches);
  const double generated = static_cast<double>(all.generated) / count;
  std::printf("  %zu solved: mean length %.2f (52.59), mean generated %.0f (%.0f)\n", searches,
              static_cast<double>(all.length) / count, generated, row.mean_generated);
  if (searches >= kEnoughSearches && row.mean_generated > 0) {
    const double most = row.mean_generated * kMostGenerated;
    if (generated > most) std::printf("  FAILED: mean generated is %.0f, expected at most %.0f\n", generated, most);
    right = right && generated <= most;
  }
  const double speed = static_cast<double>(all.generated) / all.seconds / 1e6;
  const double base = static_cast<double>(baseline.generated) / baseline.seconds / 1e6;
  std::printf("  %.2f ms a board, %.1f M gen/s; manhattan by eval_ops %.1f: ratio %.2f\n", all.seconds / count * 1e3,
              speed, base, speed / base);
  std::fflush(stdout);
  if (row.heavy && options.hardest) right = SolveHardest(row, host) && right;
  return right;
}

// False: they are wrong, and the usage was told.
bool ReadOptions(int argc, char** argv, Options& options) {
  const auto number = [&](int& i, size_t& out) {
    char* end = nullptr;
    out = i + 1 < argc ? std::strtoul(argv[++i], &end, 10) : 0;
    return out > 0 && *end == '\0';
  };
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    bool known = true;
    if (name == "--heavy") {
      options.heavy = true;
    } else if (name == "--hardest") {
      options.hardest = true;
    } else {
      known =
          (name == "--boards" && number(i, options.boards)) || (name == "--searches" && number(i, options.searches));
    }
    if (known) continue;
    std::fprintf(stderr, "usage: bench_pdb [--boards N] [--searches N] [--heavy] [--hardest]\n");
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!ReadOptions(argc, argv, options)) return 2;
  FakeHost host;
  host.threads = 2;
  std::printf("random boards that can be solved, seed %llu\n", static_cast<unsigned long long>(kSeed));
  const auto boards = RandomBoards(host, options.boards);
  bool right = true;
  for (const Row& row : kRows) {
    if (options.heavy || !row.heavy) right = Run(row, options, host, boards) && right;
  }
  return right ? 0 : 1;
}
