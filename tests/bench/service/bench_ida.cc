// IDA* through the daemon, in every tier and with heuristics as users write them, against monolithic programs run in
// turn with it (A B A B ..., median of the ratios).
//   bench_ida [ROUNDS]
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "tests/bench/service/bench_support.h"

namespace astrolabe::bench {
namespace {

// 36 moves from the goal.
constexpr Board kForHamming = {2, 8, 3, 7, 13, 9, 10, 5, 4, 1, 0, 6, 14, 15, 12, 11};

struct Baseline {
  std::string name;
  std::string goal;  // of its own speed, in M gen/s
  SearchCount (*solve)(const Board&);
  std::vector<double> seconds;
};

struct Gate {
  size_t baseline;   // index
  std::string goal;  // of the ratio to it
};

struct Row {
  std::string name;
  client::SolveRequest request;
  std::string goal;
  std::vector<Gate> gates;
  std::vector<double> seconds;
};

struct Table {
  std::string title;
  Board board;
  int64_t generated;  // exact, of every program
  std::vector<Baseline> baselines;
  std::vector<Row> rows;
};

client::SolveRequest Ida(const Board& board, const std::string& heuristic,
                         client::EngineTier tier = client::EngineTier::kDefault) {
  client::SolveRequest request = Request(board, "idastar", heuristic);
  request.spec.tier = tier;
  return request;
}

// A limit that is never reached: nodes must be visited in depth-first order then, which the batched kernel does not.
client::SolveRequest InOrder(client::SolveRequest request) {
  request.spec.limits.max_generated = int64_t{1} << 50;
  return request;
}

client::SolveRequest PlainC(const Board& board) {
  client::SolveRequest request = Ida(board, "plain_c_manhattan");
  request.spec.problem = "plain_c";
  request.spec.params.clear();
  return request;
}

void RunRound(client::Client& client, Table& table) {
  for (Baseline& baseline : table.baselines) {
    SearchCount count;
    baseline.seconds.push_back(SecondsOf([&] { count = baseline.solve(table.board); }));
    if (count.generated == table.generated) continue;
    Die(baseline.name + " counts " + std::to_string(count.generated) + ", expected " + std::to_string(table.generated));
  }
  for (Row& row : table.rows) {
    const client::Result result = SolveOrDie(client, row.request);
    row.seconds.push_back(Seconds(result.statistics.search_time));
    if (result.statistics.generated == table.generated) continue;
    Die(row.name + " counts " + std::to_string(result.statistics.generated) + ", expected " +
        std::to_string(table.generated));
  }
}

void Print(const Table& table, int rounds) {
  const auto speed = [&](const std::vector<double>& seconds) {
    return static_cast<double>(table.generated) / Median(seconds) / 1e6;
  };
  std::cout << table.title << ", " << table.generated << " generated, exact; median of " << rounds << " rounds\n";
  for (const Baseline& baseline : table.baselines) {
    PrintRow("baseline: " + baseline.name, speed(baseline.seconds), "M gen/s", baseline.goal);
  }
  for (const Row& row : table.rows) {
    PrintRow(row.name, speed(row.seconds), "M gen/s", row.goal);
    for (const Gate& gate : row.gates) {
      const Baseline& baseline = table.baselines[gate.baseline];
      PrintRatio(MedianRatio(baseline.seconds, row.seconds), gate.goal, baseline.name);
    }
  }
}

int Main(int rounds) {
  using client::EngineTier;
  constexpr size_t kBytes = 0, kRegister = 1;
  testing::LiveDaemon daemon({"--warm-workers", "1", "--plugin-dir", BENCH_PLUGIN_DIR});
  client::Client client = ConnectOrDie(daemon);
  std::vector<Table> tables = {
      {"IDA*, Manhattan distance, Korf #1",
       kKorf1,
       276361933,
       {{"byte array, inlined", ">= 110", SolveWithByteArray, {}},
        {"register kernel, inlined", ">= 284", SolveWithRegister, {}}},
       {{"additive table (batched kernel)",
         Ida(kKorf1, "manhattan", EngineTier::kAdditive),
         ">= 1000 (AVX2)",
         {{kRegister, "-"}},
         {}},
        {"additive table, in depth-first order (register kernel)",
         InOrder(Ida(kKorf1, "manhattan", EngineTier::kAdditive)),
         ">= 300",
         {{kRegister, ">= 0.95"}},
         {}},
        {"eval_ops an expansion (register kernel)",
         Ida(kKorf1, "manhattan", EngineTier::kKernel),
         ">= 120",
         {{kRegister, ">= 0.35"}, {kBytes, ">= 0.95"}},
         {}},
        {"SDK heuristic with EvaluateMove", Ida(kKorf1, "sdk_move"), ">= 120", {{kRegister, "-"}, {kBytes, "-"}}, {}},
        {"SDK heuristic with Evaluate alone",
         Ida(kKorf1, "sdk_evaluate"),
         ">= 50",
         {{kRegister, "-"}, {kBytes, "-"}},
         {}},
        {"T1: the engine's own loop",
         Ida(kKorf1, "manhattan", EngineTier::kGeneric),
         ">= 65",
         {{kBytes, ">= 0.65"}},
         {}},
        {"T1: problem and heuristic in plain C", PlainC(kKorf1), ">= 65", {{kBytes, ">= 0.65"}}, {}}}},
      {"IDA*, misplaced tiles, a 15-puzzle of 36 moves",
       kForHamming,
       404616065,
       {{"register kernel with misplaced tiles, inlined", "-", SolveHammingWithRegister, {}}},
       {{"hamming (additive table, register kernel)", Ida(kForHamming, "hamming"), ">= 294", {{0, ">= 0.95"}}, {}}}}};
  for (Table& table : tables) {
    for (int round = 0; round < rounds; ++round) RunRound(client, table);
    Print(table, rounds);
  }
  return 0;
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char** argv) { return astrolabe::bench::Main(argc > 1 ? std::atoi(argv[1]) : 3); }
