// How fast a worker writes node events as wire bytes, one core: ids alone, costs, states of 8 bytes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/worker/node_encoder.h"

namespace astrolabe::worker {
namespace {

constexpr int kBatch = 512;       // as large as those of a search
constexpr int kBatches = 20'000;  // a round
constexpr int kRounds = 5;

// Million events a second; the bytes are summed, so that none is left out by the compiler.
double Rate(NodeDetail detail, int64_t* bytes) {
  NodeBuffer buffer;
  engine::NodeRecord record{};
  record.kind = engine::NodeKind::kExpanding;
  uint64_t id = 0x9e3779b97f4a7c15ull;
  const auto begin = std::chrono::steady_clock::now();
  for (int batch = 0; batch < kBatches; ++batch) {
    for (int i = 0; i < kBatch; ++i) {
      record.parent = record.node;
      record.node = id *= 6364136223846793005ull;
      record.g = i & 63;
      record.h = 63 - (i & 63);
      record.depth = i & 63;
      const std::string_view state(reinterpret_cast<const char*>(&id), sizeof id);
      buffer.Append(record, detail, detail >= NodeDetail::kState ? state : std::string_view(), {});
    }
    *bytes += static_cast<int64_t>(buffer.bytes().size());
    buffer.Clear();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return 1e-6 * kBatch * kBatches / took.count();
}

int Main() {
  struct Row {
    NodeDetail detail;
    const char* name;
    const char* goal;
  };
  for (const Row& row : {Row{NodeDetail::kIds, "node events encoded, ids", ">= 100"},
                         Row{NodeDetail::kCosts, "node events encoded, costs", "-"},
                         Row{NodeDetail::kState, "node events encoded, states of 8 bytes", "-"}}) {
    std::vector<double> rates;
    int64_t bytes = 0;
    for (int round = 0; round < kRounds; ++round) rates.push_back(Rate(row.detail, &bytes));
    std::sort(rates.begin(), rates.end());
    const double rate = rates[kRounds / 2];
    const bool judged = row.goal[0] == '>';
    std::printf("%-58s %10.3f %-10s goal %-14s%s  (%.1f bytes an event)\n", row.name, rate, "M/s", row.goal,
                !judged       ? ""
                : rate >= 100 ? " met"
                              : " MISSED",
                static_cast<double>(bytes) / kRounds / kBatches / kBatch);
  }
  return 0;
}

}  // namespace
}  // namespace astrolabe::worker

int main() { return astrolabe::worker::Main(); }
