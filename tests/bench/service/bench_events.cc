// A* on Korf #38 with every expanded node streamed, its state included, through worker and daemon to this
// client, which parses every event and checks ordinals, count and a checksum of the states.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "tests/bench/service/bench_support.h"

namespace astrolabe::bench {
namespace {

// Independent of the order of the states; a lost, repeated or damaged one changes it.
uint64_t Mixed(uint64_t x) {
  x ^= x >> 31;
  x *= 0x7fb5d329728ea185ull;
  x ^= x >> 27;
  x *= 0x81dadef4bc2dd44dull;
  return x ^ (x >> 33);
}

struct Received {
  int64_t events = 0;
  uint64_t checksum = 0;
  bool in_order = true;
  client::Result result;
  double seconds = 0;
};

Received Run(client::Client& client) {
  client::SolveRequest request = Request(kKorf38, "astar", "manhattan");
  request.spec.events.kinds = {client::NodeKind::kExpanding};
  request.spec.events.detail = client::NodeDetail::kState;
  Received received;
  received.seconds = SecondsOf([&] {
    auto stream = client.Solve(request);
    if (!stream.ok()) {
      std::cerr << stream.status().message() << "\n";
      std::exit(1);
    }
    int64_t next_ordinal = 0;
    auto result = stream->Run({.accepted = {},
                               .state = {},
                               .preparing = {},
                               .progress = {},
                               .nodes =
                                   [&](const client::Event&, const client::NodeBatch& batch) {
                                     received.in_order = received.in_order && batch.first_ordinal == next_ordinal &&
                                                         batch.count == static_cast<int64_t>(batch.nodes.size());
                                     next_ordinal += batch.count;
                                     for (const client::NodeEvent& node : batch.nodes) {
                                       uint64_t state = 0;
                                       if (node.state.size() == 8) std::memcpy(&state, node.state.data(), 8);
                                       received.checksum += Mixed(state);
                                       ++received.events;
                                     }
                                   },
                               .iteration = {},
                               .improvement = {},
                               .log = {},
                               .gap = [&](const client::Event&, const client::Gap&) { received.in_order = false; },
                               .heartbeat = {},
                               .any = {}});
    if (!result.ok()) {
      std::cerr << result.status().message() << "\n";
      std::exit(1);
    }
    received.result = *std::move(result);
  });
  return received;
}

int Main(int rounds) {
  testing::LiveDaemon daemon;
  client::Client client = ConnectOrDie(daemon);
  std::vector<double> rates, plain, recorded;
  uint64_t checksum = 0;
  for (int round = 0; round < rounds; ++round) {
    plain.push_back(Seconds(SolveOrDie(client, Request(kKorf38, "astar", "manhattan")).statistics.search_time));
    const Received received = Run(client);
    if (!received.in_order || received.events != received.result.statistics.expanded ||
        received.events != received.result.events.recorded || (round > 0 && received.checksum != checksum)) {
      std::cerr << "LOST: " << received.events << " events received, " << received.result.statistics.expanded
                << " expanded, " << received.result.events.recorded << " recorded, in order: " << received.in_order
                << ", checksum " << std::hex << received.checksum << "\n";
      return 1;
    }
    checksum = received.checksum;
    recorded.push_back(received.seconds);
    rates.push_back(static_cast<double>(received.events) / received.seconds / 1e6);
    if (round == 0) {
      std::cout << "Events of A* on Korf #38: " << received.events << " expanded nodes with states, lossless, "
                << "checksum " << std::hex << checksum << std::dec << "; median of " << rounds << "\n";
    }
  }
  PrintRow("expanded-node events, first byte to Result", Median(rates), "M/s", ">= 1", Median(plain) / Median(recorded),
           "the search without events");
  return 0;
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char** argv) { return astrolabe::bench::Main(argc > 1 ? std::atoi(argv[1]) : 5); }
