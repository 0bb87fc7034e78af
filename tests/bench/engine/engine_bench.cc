// Measures the engine alone against the monolithic programs of monolith.cc, in interleaved pairs; prints
// one table. The engine reaches its domain through function pointers, as it does through plugins.
//   engine_bench [--pairs N] [--hard]      --hard: also A* on Korf #1 (25 million states)
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "daemon/engine/search.h"
#include "tests/bench/engine/monolith.h"
#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::bench {
namespace {

using testing::TileHeuristic;
using testing::TileHeuristicKind;
using testing::TileSpace;

// Processor time of this thread: what others do on the machine falls out, but for their use of its caches.
double Now() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int64_t ResidentBytes() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * ::sysconf(_SC_PAGESIZE);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Resident memory when the search is over and its stores still stand.
class AtTheEnd final : public SearchObserver {
 public:
  void OnFinishing() override { resident = ResidentBytes(); }
  int64_t resident = 0;
};

class CountingSink final : public NodeSink {
 public:
  CountingSink() { wanted = 1u << static_cast<int>(NodeKind::kExpanding); }
  bool Record(const NodeRecord& record) override {
    sum += record.node ^ record.parent;
    ++count;
    return true;
  }
  uint64_t sum = 0;
  int64_t count = 0;
};

void Row(const std::string& what, const SearchResult& result, const std::vector<double>& engine,
         const std::vector<double>& monolith, double resident_per_state, bool same) {
  std::vector<double> ratios;
  for (size_t i = 0; i < engine.size(); ++i) ratios.push_back(monolith[i] / engine[i]);
  const double seconds = Median(engine);
  std::printf("%-34s %4lld %12lld %12lld %8.3f s %8.1f %8.3f s  x%.2f", what.c_str(),
              static_cast<long long>(result.cost.value_or(-1)), static_cast<long long>(result.statistics.expanded),
              static_cast<long long>(result.statistics.generated), seconds,
              static_cast<double>(result.statistics.generated) / seconds / 1e6, Median(monolith), Median(ratios));
  if (resident_per_state > 0) {
    const double accounted = static_cast<double>(result.statistics.peak_memory_bytes);
    std::printf("  %5.1f  %5.1f", resident_per_state, accounted / static_cast<double>(result.statistics.stored));
  }
  std::printf("%s\n", same ? "" : "  DIFFERENT COUNTS");
  std::fflush(stdout);
}

void AStar(int id, int pairs, bool ids) {
  const testing::KorfInstance& korf = testing::Korf(id);
  const TileSpace space(testing::KorfSpec(id));
  const TileHeuristic manhattan(space, TileHeuristicKind::kManhattan);
  SearchRequest request = testing::MakeRequest(space, "astar", &manhattan);
  CountingSink sink;
  if (ids) request.sink = &sink;
  std::vector<double> engine;
  std::vector<double> monolith;
  SearchResult result;
  double per_state = 0;
  for (int i = 0; i < pairs; ++i) {
    AtTheEnd observer;
    const int64_t before = ResidentBytes();
    const double start = Now();
    result = RunSearch(request, observer, StopToken());
    engine.push_back(Now() - start);
    per_state = static_cast<double>(observer.resident - before) / static_cast<double>(result.statistics.stored);
    const double monolith_start = Now();
    const MonolithResult other = MonolithAStar(korf.cells);
    monolith.push_back(Now() - monolith_start);
    if (other.length != korf.length || result.cost != korf.length) std::printf("WRONG LENGTH\n");
  }
  Row("A* Korf #" + std::to_string(id) + (ids ? ", ids of expanded" : ""), result, engine, monolith, per_state, true);
}

void IdaStar(int id, int pairs) {
  const testing::KorfInstance& korf = testing::Korf(id);
  const TileSpace space(testing::KorfSpec(id));
  const TileHeuristic manhattan(space, TileHeuristicKind::kManhattan);
  const SearchRequest request = testing::MakeRequest(space, "idastar", &manhattan);
  std::vector<double> engine;
  std::vector<double> monolith;
  SearchResult result;
  bool same = true;
  for (int i = 0; i < pairs; ++i) {
    const double start = Now();
    result = testing::Solve(request);
    engine.push_back(Now() - start);
    const double monolith_start = Now();
    const MonolithResult other = MonolithIdaStar(korf.cells);
    monolith.push_back(Now() - monolith_start);
    same = same && other.generated == result.statistics.generated && other.generated == korf.generated;
  }
  Row("IDA* Korf #" + std::to_string(id) + ", generic tier", result, engine, monolith, 0, same);
}

}  // namespace
}  // namespace astrolabe::engine::bench

int main(int argc, char** argv) {
  using namespace astrolabe::engine::bench;  // NOLINT: the table of contents
  int pairs = 3;
  bool hard = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--hard") == 0) hard = true;
    if (std::strcmp(argv[i], "--pairs") == 0 && i + 1 < argc) pairs = std::max(1, std::atoi(argv[++i]));
  }
  std::printf(
      "Engine through function pointers against a monolithic program (x: speed relative to it), processor seconds\n");
  std::printf("%-34s %4s %12s %12s %10s %8s %10s  %5s  %5s  %5s\n", "", "cost", "expanded", "generated", "engine",
              "M gen/s", "monolith", "", "B/st", "acct");
  AStar(12, pairs, false);
  AStar(38, pairs, false);
  AStar(38, pairs, true);
  if (hard) AStar(1, 1, false);
  if (hard) AStar(1, 1, true);
  IdaStar(9, pairs);
  IdaStar(2, pairs);
  return 0;
}
