// Solves Korf's 100 instances with IDA* and Manhattan distance through the daemon and compares every length and every
// count of generated nodes with what is known.
//   bench_korf100 [--state FILE] [--only LO[-HI]] [--threads N]
// Results go to FILE (korf100.state) as they come; killed and started again, it goes on there. Exit code 1: a result is
// not what it should be. 2: wrong arguments or a state file of another run.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/bench/korf100/instances.h"
#include "tests/bench/korf100/state_file.h"
#include "tests/bench/service/bench_support.h"

namespace astrolabe::bench {
namespace {

struct Options {
  std::string state = "korf100.state";
  int first = 1;
  int last = 100;
  int threads = 1;
};

int Usage(const std::string& what) {
  std::cerr << "bench_korf100: " << what
            << "\nusage: bench_korf100 [--state FILE] [--only LO[-HI]] [--threads N]   1 <= LO <= HI <= 100, N >= 1\n";
  return 2;
}

bool Parse(int argc, char** argv, Options& options, std::string& error) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (i + 1 == argc) {
      error = name + " has no value, or is not known";
      return false;
    }
    const char* value = argv[++i];
    char rest = 0;
    if (name == "--state") {
      options.state = value;
    } else if (name == "--only") {
      const bool range = std::sscanf(value, "%d-%d%c", &options.first, &options.last, &rest) == 2;
      const bool one = !range && std::sscanf(value, "%d%c", &options.first, &rest) == 1;
      if (one) options.last = options.first;
      if ((!range && !one) || options.first < 1 || options.first > options.last || options.last > 100) {
        error = "--only " + std::string(value) + " is not a range";
        return false;
      }
    } else if (name == "--threads") {
      if (std::sscanf(value, "%d%c", &options.threads, &rest) != 1 || options.threads < 1) {
        error = "--threads " + std::string(value) + " is not a number from 1 on";
        return false;
      }
    } else {
      error = name + " is not known";
      return false;
    }
  }
  return true;
}

Solved Solve(client::Client& client, const KorfInstance& instance, int threads) {
  client::SolveRequest request = Request(instance.board, "idastar", "manhattan");
  request.spec.threads = threads;
  const client::Result result = SolveOrDie(client, request);
  return {.number = instance.number,
          .length = static_cast<int>(result.cost.value_or(-1)),
          .generated = result.statistics.generated,
          .seconds = Seconds(result.statistics.search_time)};
}

void PrintResult(const Solved& solved, const KorfInstance& instance, const char* note) {
  std::printf("%4d %7d %14lld %9.3f s %10.1f  %s%s\n", solved.number, solved.length,
              static_cast<long long>(solved.generated), solved.seconds,
              static_cast<double>(solved.generated) / solved.seconds / 1e6,
              solved.length == instance.length && solved.generated == instance.generated ? "exact" : "WRONG", note);
  std::fflush(stdout);
}

int Main(const Options& options) {
  std::string error;
  const std::vector<KorfInstance> instances = ReadInstances(KORF100_FILE, error);
  StateFile state;
  const std::string run = "korf100 idastar manhattan threads " + std::to_string(options.threads);
  if (instances.empty() || !state.Open(options.state, run, error)) return Usage(error);

  testing::LiveDaemon daemon({"--warm-workers", "1"});
  client::Client client = ConnectOrDie(daemon);
  std::printf("%4s %7s %14s %11s %10s\n", "#", "length", "generated", "time", "M gen/s");
  int wrong = 0;
  int exact = 0;
  int64_t generated = 0;
  double seconds = 0;
  for (const KorfInstance& instance : instances) {
    if (instance.number < options.first || instance.number > options.last) continue;
    const auto known = state.solved().find(instance.number);
    const bool fresh = known == state.solved().end();
    const Solved solved = fresh ? Solve(client, instance, options.threads) : known->second;
    PrintResult(solved, instance, fresh ? "" : ", from the state file");
    if (solved.length != instance.length || solved.generated != instance.generated) {
      std::printf("     expected %d, %lld\n", instance.length, static_cast<long long>(instance.generated));
      ++wrong;
      continue;
    }
    if (fresh && !state.Append(solved, error)) {
      std::cerr << error << "\n";
      return 1;
    }
    ++exact;
    generated += solved.generated;
    seconds += solved.seconds;
  }
  std::printf("%d exact, %d wrong; %lld generated in %.3f s of search on %d thread%s\n", exact, wrong,
              static_cast<long long>(generated), seconds, options.threads, options.threads == 1 ? "" : "s");
  if (exact == 100) PrintRow("all 100 instances, search time", seconds, "s", "<= 40");
  if (exact > 0) PrintRow("generated", static_cast<double>(generated) / seconds / 1e6, "M/s", ">= 1000 (AVX2)");
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char** argv) {
  astrolabe::bench::Options options;
  std::string error;
  if (!astrolabe::bench::Parse(argc, argv, options, error)) return astrolabe::bench::Usage(error);
  return astrolabe::bench::Main(options);
}
