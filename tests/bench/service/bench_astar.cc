// A* with Manhattan distance through the daemon. The ratio to an inlined search is printed by bench_inlined (the same
// engine) and engine_bench (another program).
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "tests/bench/service/bench_support.h"

namespace astrolabe::bench {
namespace {

void Report(client::Client& client, const std::string& name, const Board& board, int rounds, const std::string& goal) {
  std::vector<double> seconds;
  client::Result result;
  for (int round = 0; round < rounds; ++round) {
    result = SolveOrDie(client, Request(board, "astar", "manhattan"));
    seconds.push_back(Seconds(result.statistics.search_time));
  }
  const auto& s = result.statistics;
  std::cout << name << ": " << result.cost.value_or(-1) << " moves, " << s.expanded << " expanded, " << s.stored
            << " stored, median of " << rounds << "\n";
  PrintRow("  search time", Median(seconds), "s", goal);
  PrintRow("  expanded", static_cast<double>(s.expanded) / Median(seconds) / 1e6, "M/s", "-");
  PrintRow("  memory per stored state", s.bytes_per_node, "bytes", "<= 20");
}

int Main(bool with_large) {
  testing::LiveDaemon daemon;
  client::Client client = ConnectOrDie(daemon);
  Report(client, "A* Korf #12", kKorf12, 5, "-");
  Report(client, "A* Korf #38", kKorf38, 5, "<= 0.32");
  if (with_large) Report(client, "A* Korf #1", kKorf1, 3, "<= 7.5");
  return 0;
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char**) { return astrolabe::bench::Main(argc == 1); }
