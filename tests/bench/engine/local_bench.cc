// Local search: climbs of 8 queens a second, against the same climbs with all of it inlined, in interleaved pairs; and
// the time and memory of min-conflicts on a million queens.
//   local_bench [PAIRS] [QUEENS]
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "daemon/engine/search.h"
#include "daemon/engine/structures/random.h"
#include "tests/daemon/engine/queens_domain.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::bench {
namespace {

using testing::QueensObjective;
using testing::QueensSpace;

constexpr int64_t kClimbs = 300'000;

// Processor time of this thread.
double Now() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Steepest ascent on 8 queens as one would write it for nothing else.
int64_t InlinedClimbs(int64_t climbs, uint64_t seed) {
  constexpr int kN = 8;
  Random random(seed);
  int64_t solved = 0;
  for (int64_t i = 0; i < climbs; ++i) {
    int rows[kN];
    int row[kN] = {};
    int up[2 * kN] = {};
    int down[2 * kN] = {};
    int pairs = 0;
    const auto add = [&](int v, int w, int by) {
      row[w] += by;
      up[v + w] += by;
      down[v - w + kN] += by;
    };
    for (int v = 0; v < kN; ++v) {
      rows[v] = static_cast<int>(random.Below(kN));
      pairs += row[rows[v]] + up[v + rows[v]] + down[v - rows[v] + kN];
      add(v, rows[v], 1);
    }
    for (;;) {
      int best = 0;
      uint64_t ties = 0;
      int at_v = 0;
      int at_w = 0;
      for (int v = 0; v < kN; ++v) {
        const int now = row[rows[v]] + up[v + rows[v]] + down[v - rows[v] + kN] - 3;
        for (int w = 0; w < kN; ++w) {
          if (w == rows[v]) continue;
          const int change = row[w] + up[v + w] + down[v - w + kN] - now;
          if (change >= 0 || change > best) continue;
          if (change < best) ties = 0;
          best = change;
          if (++ties > 1 && random.Below(ties) != 0) continue;
          at_v = v;
          at_w = w;
        }
      }
      if (ties == 0) break;
      add(at_v, rows[at_v], -1);
      add(at_v, at_w, 1);
      rows[at_v] = at_w;
      pairs += best;
    }
    solved += pairs == 0;
  }
  return solved;
}

void Climbs(int pairs) {
  const QueensSpace space(8);
  const QueensObjective objective(space);
  SearchRequest request = testing::MakeRequest(space, "hill_climbing", &objective);
  request.params = {{"restarts", kClimbs - 1}, {"stop_at_solution", false}};
  std::vector<double> rates;
  std::vector<double> ratios;
  for (int i = 0; i < pairs; ++i) {
    request.seed = static_cast<uint64_t>(i);
    const double start = Now();
    const SearchResult result = testing::Solve(request);
    const double middle = Now();
    const int64_t inlined = InlinedClimbs(kClimbs, request.seed);
    const double end = Now();
    rates.push_back(static_cast<double>(kClimbs) / (middle - start));
    ratios.push_back((end - middle) / (middle - start));
    std::printf("climbs/s %9.0f  inlined %9.0f  solved %.2f %% %.2f %%\n", rates.back(),
                static_cast<double>(kClimbs) / (end - middle),
                100.0 * static_cast<double>(result.statistics.local->solved) / static_cast<double>(kClimbs),
                100.0 * static_cast<double>(inlined) / static_cast<double>(kClimbs));
  }
  std::printf("median: %.0f climbs/s, x%.2f of the inlined program\n", Median(rates), Median(ratios));
}

void Million(uint32_t n) {
  const QueensSpace space(n);
  const QueensObjective objective(space);
  SearchRequest request = testing::MakeRequest(space, "min_conflicts", &objective);
  for (uint64_t seed : {1, 2, 3}) {
    request.seed = seed;
    const double start = Now();
    const SearchResult result = testing::Solve(request);
    const double seconds = Now() - start;
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf(
        "%u queens, seed %d: %.3f s (search %.3f s, end %.3f s), %lld steps, %lld neighbours, engine %.0f MB, "
        "process %.0f MB: %s\n",
        n, static_cast<int>(seed), seconds, static_cast<double>(result.statistics.search_time.count()) * 1e-9,
        static_cast<double>(result.statistics.extract_time.count()) * 1e-9,
        static_cast<long long>(result.statistics.local ? result.statistics.local->steps : 0),
        static_cast<long long>(result.statistics.generated),
        static_cast<double>(result.statistics.peak_memory_bytes) * 1e-6, static_cast<double>(usage.ru_maxrss) * 1e-3,
        result.explanation.c_str());
  }
}

}  // namespace
}  // namespace astrolabe::engine::bench

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 5;
  const int queens = argc > 2 ? std::atoi(argv[2]) : 1'000'000;
  if (pairs > 0) astrolabe::engine::bench::Climbs(pairs);
  if (queens > 0) astrolabe::engine::bench::Million(static_cast<uint32_t>(queens));
  return 0;
}
