// What a process holds: memory, descriptors, threads, children. From /proc.
#ifndef ASTROLABE_TESTS_BENCH_SOAK_PROCESS_FIGURES_H_
#define ASTROLABE_TESTS_BENCH_SOAK_PROCESS_FIGURES_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace astrolabe::bench {

struct ProcessFigures {
  double megabytes = 0;  // resident, of its own and shared
  int descriptors = 0;
  int threads = 0;
  int children = 0;
};
// All 0: there is no such process.
ProcessFigures FiguresOf(pid_t pid);

// How a figure developed: medians of the second and of the last quarter of the samples, since the first one is that in
// which caches and pools fill.
struct Growth {
  std::string name;
  double early = 0;
  double late = 0;
  double allowed = 0;  // what `late` may be above `early`
  bool grew() const { return late > early + allowed; }
};
std::vector<Growth> GrowthOf(const std::vector<ProcessFigures>& samples);

}  // namespace astrolabe::bench

#endif  // ASTROLABE_TESTS_BENCH_SOAK_PROCESS_FIGURES_H_
