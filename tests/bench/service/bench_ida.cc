// IDA* with Manhattan distance on Korf #1 through the daemon, in every tier, against monolithic programs
// run in turn with it (A B A B ..., median of the ratios).
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "tests/bench/service/bench_support.h"

namespace astrolabe::bench {
namespace {

constexpr int64_t kGenerated = 276361933;

struct Row {
  std::string name;
  client::EngineTier tier;
  std::string heuristic;
  std::string goal;
  std::vector<double> seconds, ratio_to_register, ratio_to_bytes;
};

int Main(int rounds) {
  testing::LiveDaemon daemon({"--warm-workers", "1"});
  client::Client client = ConnectOrDie(daemon);
  std::vector<Row> rows = {
      {"additive table from another library (batched)",
       client::EngineTier::kAdditive,
       "manhattan",
       ">= 1000 (AVX2)",
       {},
       {},
       {}},
      {"eval_ops per expansion (recursive register)", client::EngineTier::kKernel, "manhattan", ">= 120", {}, {}, {}},
      {"T1: the engine's own loop", client::EngineTier::kGeneric, "manhattan", ">= 65", {}, {}, {}},
  };
  std::vector<double> bytes_seconds, register_seconds;
  for (int round = 0; round < rounds; ++round) {
    SearchCount count;
    bytes_seconds.push_back(SecondsOf([&] { count = SolveWithByteArray(kKorf1); }));
    register_seconds.push_back(SecondsOf([&] { count = SolveWithRegister(kKorf1); }));
    if (count.generated != kGenerated) {
      std::cerr << "the baseline counts " << count.generated << "\n";
      return 1;
    }
    for (Row& row : rows) {
      client::SolveRequest request = Request(kKorf1, "idastar", row.heuristic);
      request.spec.tier = row.tier;
      const client::Result result = SolveOrDie(client, request);
      if (result.statistics.generated != kGenerated) {
        std::cerr << row.name << " counts " << result.statistics.generated << ", expected " << kGenerated << "\n";
        return 1;
      }
      const double seconds = Seconds(result.statistics.search_time);
      row.seconds.push_back(seconds);
      row.ratio_to_register.push_back(register_seconds.back() / seconds);
      row.ratio_to_bytes.push_back(bytes_seconds.back() / seconds);
    }
  }
  std::cout << "IDA*, Korf #1, " << kGenerated << " generated, exact; median of " << rounds << " rounds\n";
  PrintRow("baseline: byte array, inlined", kGenerated / Median(bytes_seconds) / 1e6, "M gen/s", ">= 110");
  PrintRow("baseline: register kernel, inlined", kGenerated / Median(register_seconds) / 1e6, "M gen/s", ">= 284");
  for (Row& row : rows) {
    PrintRow(row.name, kGenerated / Median(row.seconds) / 1e6, "M gen/s", row.goal, Median(row.ratio_to_register),
             "register");
    PrintRow("", kGenerated / Median(row.seconds) / 1e6, "M gen/s", row.goal, Median(row.ratio_to_bytes), "byte array");
  }
  return 0;
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char** argv) { return astrolabe::bench::Main(argc > 1 ? std::atoi(argv[1]) : 3); }
