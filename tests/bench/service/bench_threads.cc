// What a second thread gains, through the daemon: one thread and two in turn, the median of the ratios.
//   bench_threads [ROUNDS]
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "tests/bench/service/bench_support.h"

namespace astrolabe::bench {
namespace {

struct Pair {
  std::string name;
  client::SolveRequest request;  // its threads are set here
  std::string one_algorithm;     // on one thread; empty: the same
  std::string goal;
};

void Report(client::Client& client, const Pair& pair, int rounds) {
  std::vector<double> one, two, more_generated;
  for (int round = 0; round < rounds; ++round) {
    client::SolveRequest request = pair.request;
    request.spec.threads = 2;
    const client::Result both = SolveOrDie(client, request);
    request.spec.threads = 1;
    if (!pair.one_algorithm.empty()) request.spec.algorithm.id = pair.one_algorithm;
    const client::Result single = SolveOrDie(client, request);
    if (both.cost != single.cost) Die(pair.name + ": two threads found another cost than one");
    two.push_back(Seconds(both.statistics.search_time));
    one.push_back(Seconds(single.statistics.search_time));
    more_generated.push_back(static_cast<double>(both.statistics.generated) /
                             static_cast<double>(single.statistics.generated));
  }
  const std::string against = pair.one_algorithm.empty() ? "one thread" : pair.one_algorithm + ", one thread";
  PrintRow(pair.name + ", one thread", Median(one), "s", "-");
  PrintRow(pair.name + ", two threads", Median(two), "s", "-");
  PrintRatio(MedianRatio(one, two), pair.goal, against);
  PrintRow("  generated against " + against, Median(more_generated), "x", "-");
}

client::SolveRequest InTier(client::SolveRequest request, client::EngineTier tier) {
  request.spec.tier = tier;
  return request;
}

int Main(int rounds) {
  using client::EngineTier;
  testing::LiveDaemon daemon({"--slots", "2"});
  client::Client client = ConnectOrDie(daemon);
  const client::SolveRequest ida = Request(kKorf1, "idastar", "manhattan");
  const std::vector<Pair> pairs = {
      {"IDA* Korf #1, batched kernel", InTier(ida, EngineTier::kAdditive), "", ">= 1.5"},
      {"IDA* Korf #1, eval_ops", InTier(ida, EngineTier::kKernel), "", ">= 1.5"},
      {"IDA* Korf #1, the engine's own loop", InTier(ida, EngineTier::kGeneric), "", ">= 1.5"},
      {"HDA* Korf #38", Request(kKorf38, "hda_star", "manhattan"), "", ">= 1.6"},
      {"HDA* Korf #38 against A*", Request(kKorf38, "hda_star", "manhattan"), "astar", ">= 1.6"},
  };
  std::cout << "A second thread, median of " << rounds << " pairs\n";
  for (const Pair& pair : pairs) Report(client, pair, rounds);
  return 0;
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char** argv) { return astrolabe::bench::Main(argc > 1 ? std::atoi(argv[1]) : 5); }
