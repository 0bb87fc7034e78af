// The service on small jobs: warm latency, throughput, cancel, crashes of a plugin, idle memory.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/service/bench_support.h"

namespace astrolabe::bench {
namespace {

client::SolveRequest Easy() {
  client::SolveRequest request;
  request.spec.problem = "sliding_tile";
  request.spec.instance = "3\n8 1 3\n4 0 2\n7 6 5\n";
  return request;
}

double ResidentMegabytes(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/status");
  std::string line;
  while (std::getline(in, line)) {
    if (line.rfind("VmRSS:", 0) == 0) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}

void WarmLatency(client::Client& client) {
  std::vector<double> solve, info;
  for (int i = 0; i < 200; ++i) SolveOrDie(client, Easy());
  for (int i = 0; i < 2000; ++i) {
    info.push_back(SecondsOf([&] { (void)client.GetServerInfo().ok(); }) * 1e3);
    solve.push_back(SecondsOf([&] { SolveOrDie(client, Easy()); }) * 1e3);
  }
  PrintRow("warm Solve of an easy 8-puzzle, p50", Median(solve), "ms", "<= 1.5", Median(info) / Median(solve),
           "an empty call");
  PrintRow("warm Solve of an easy 8-puzzle, p99", Quantile(solve, 0.99), "ms", "<= 10");
}

void Throughput(const testing::LiveDaemon& daemon) {
  constexpr int kClients = 8;
  constexpr int kEach = 500;
  std::vector<std::thread> threads;
  const double seconds = SecondsOf([&] {
    for (int c = 0; c < kClients; ++c) {
      threads.emplace_back([&] {
        client::Client client = ConnectOrDie(daemon);
        for (int i = 0; i < kEach; ++i) SolveOrDie(client, Easy());
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  PrintRow("small solves, 8 clients", kClients * kEach / seconds, "1/s", ">= 1500");
}

client::SolveRequest Hard(int round) { return Request(kKorf1, round % 2 == 0 ? "idastar" : "astar", "hamming"); }

client::EventStream Searching(client::Client& client, const client::SolveRequest& request) {
  auto stream = client.Solve(request);
  if (!stream.ok()) Die(std::string(stream.status().message()));
  client::Event event;
  while (stream->Next(&event)) {
    const auto* state = event.As<client::StateChanged>();
    if (state != nullptr && state->state == client::JobState::kSearching) return *std::move(stream);
  }
  Die("the search ended before it was stopped");
}

void WaitUntilNothingRuns(client::Client& client) {
  for (;;) {
    const auto info = client.GetServerInfo();
    if (!info.ok()) Die(std::string(info.status().message()));
    if (info->load.running == 0) return;
  }
}

// Nobody gets a Result then: what counts is that the server runs nothing any more.
void DisconnectAndDeadline(client::Client& client) {
  std::vector<double> disconnect, deadline;
  for (int i = 0; i < 40; ++i) {
    client::EventStream stream = Searching(client, Hard(i));
    disconnect.push_back(SecondsOf([&] {
                           stream.Abort();
                           WaitUntilNothingRuns(client);
                         }) *
                         1e3);
  }
  constexpr std::chrono::milliseconds kDeadline{150};
  for (int i = 0; i < 40; ++i) {
    client::SolveRequest request = Hard(i);
    request.deadline = kDeadline;
    const double all = SecondsOf([&] {
      const client::EventStream stream = Searching(client, request);
      WaitUntilNothingRuns(client);
    });
    deadline.push_back(all * 1e3 - static_cast<double>(kDeadline.count()));
  }
  PrintRow("client gone to nothing running, p99", Quantile(disconnect, 0.99), "ms", "<= 100");
  PrintRow("deadline to nothing running, p99", Quantile(deadline, 0.99), "ms", "<= 100");
}

void Cancel(client::Client& client) {
  std::vector<double> cancel;
  for (int i = 0; i < 40; ++i) {
    client::EventStream stream = Searching(client, Hard(i));
    cancel.push_back(SecondsOf([&] {
                       (void)stream.Cancel();
                       (void)stream.Wait();
                     }) *
                     1e3);
  }
  PrintRow("CancelJob to Result, p50", Median(cancel), "ms", "-");
  PrintRow("CancelJob to Result, p99", Quantile(cancel, 0.99), "ms", "<= 100");
}

// The heuristic aborts after a thousand values: the whole call is more than what passes after the crash.
void Crash(client::Client& client) {
  const auto plugin = client.LoadPlugin(std::string(ASTROLABE_FIXTURE_DIR) + "/tile_abort.so");
  if (!plugin.ok() || plugin->error) Die("the plugin tile_abort cannot be loaded");
  std::vector<double> crashed, next;
  for (int i = 0; i < 40; ++i) {
    crashed.push_back(SecondsOf([&] {
                        auto stream = client.Solve(Request(kKorf1, "astar", "tile_abort"));
                        if (!stream.ok()) Die(std::string(stream.status().message()));
                        const auto result = stream->Wait();
                        if (!result.ok()) Die(std::string(result.status().message()));
                        if (result->outcome != client::Outcome::kPluginFailed) Die(Name(result->outcome));
                      }) *
                      1e3);
    next.push_back(SecondsOf([&] { SolveOrDie(client, Easy()); }) * 1e3);
  }
  PrintRow("Solve whose heuristic aborts, p99", Quantile(crashed, 0.99), "ms", "<= 50");
  PrintRow("the Solve after a crash, p99", Quantile(next, 0.99), "ms", "<= 50");
}

int Main() {
  testing::LiveDaemon daemon;
  client::Client client = ConnectOrDie(daemon);
  PrintRow("daemon, idle", ResidentMegabytes(daemon.process().pid()), "MB", "<= 40");
  for (pid_t worker : testing::ChildrenOf(daemon.process().pid())) {
    PrintRow("worker, idle", ResidentMegabytes(worker), "MB", "<= 15");
  }
  WarmLatency(client);
  Throughput(daemon);
  Cancel(client);
  DisconnectAndDeadline(client);
  Crash(client);
  return 0;
}

}  // namespace
}  // namespace astrolabe::bench

int main() { return astrolabe::bench::Main(); }
