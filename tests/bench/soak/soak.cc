// A server under mixed load for a given time: solves, cancels, clients that leave, limits, crashes, reloads, slow
// readers. Prints what was done and what the server held, and ends with 1 when a job was lost, a result was wrong or
// something grew.
//
//   soak [MINUTES [LOAD...]]    10 by default, and all loads; else those named, to find what it is that grows
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/soak/eight_puzzle.h"
#include "tests/bench/soak/load.h"
#include "tests/bench/soak/process_figures.h"
#include "tests/support/live_daemon.h"

namespace astrolabe::bench {
namespace {

namespace fs = std::filesystem;

int Report(const Ledger& ledger, const std::vector<ProcessFigures>& samples, bool alive) {
  bool good = alive;
  std::printf("%-22s %12s %12s\n", "load", "started", "ended");
  for (const auto& [kind, count] : ledger.counts()) {
    std::printf("%-22s %12lld %12lld%s\n", kind.c_str(), static_cast<long long>(count.started),
                static_cast<long long>(count.ended), count.started == count.ended ? "" : "   LOST");
    good = good && count.started == count.ended;
  }
  std::printf("%-22s %12s %12s\n", "of the server", "early", "late");
  for (const Growth& growth : GrowthOf(samples)) {
    std::printf("%-22s %12.1f %12.1f%s\n", growth.name.c_str(), growth.early, growth.late,
                growth.grew() ? "   GREW" : "");
    good = good && !growth.grew();
  }
  for (const auto& [what, times] : ledger.faults()) {
    std::printf("WRONG, %lld times: %s\n", static_cast<long long>(times), what.c_str());
    good = false;
  }
  if (!alive) std::printf("WRONG: the server ended\n");
  std::printf(good ? "clean\n" : "NOT CLEAN\n");
  return good ? 0 : 1;
}

int Main(double minutes, const std::set<std::string>& wanted) {
  testing::TempFolder plugins;
  fs::copy_file(SOAK_CRASHING, plugins / "crashing.so");
  fs::copy_file(SOAK_RELOADED, plugins / "reloaded.so");
  testing::LiveDaemon daemon(
      {"--plugin-dir", plugins / "", "--slots", "4", "--log-level", "error", "--event-budget", "64MiB"});
  const EightPuzzle boards;
  Ledger ledger;
  std::atomic<bool> stop{false};
  SoakWorld world;
  world.server.address = daemon.address();
  world.boards = &boards;
  world.reloaded_file = plugins / "reloaded.so";
  world.reloaded_id = "org.astrolabe.sdk_move";
  world.reloaded_heuristic = "sdk_move";
  world.crashing_heuristic = "tile_abort";
  world.ledger = &ledger;
  world.stop = &stop;

  std::vector<std::thread> threads;
  uint64_t seed = 1;
  for (const Load& load : SoakLoads()) {
    if (!wanted.empty() && !wanted.contains(load.kind)) continue;
    threads.emplace_back([&world, load, seed = seed++] { load.run(world, seed); });
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(minutes * 60);
  std::vector<ProcessFigures> samples;
  while (std::chrono::steady_clock::now() < end && daemon.process().running()) {
    samples.push_back(FiguresOf(daemon.process().pid()));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  return Report(ledger, samples, daemon.process().running());
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char** argv) {
  const double minutes = argc > 1 ? std::atof(argv[1]) : 10;
  if (minutes <= 0) {
    std::fprintf(stderr, "usage: soak [MINUTES [LOAD...]]\n");
    return 2;
  }
  return astrolabe::bench::Main(minutes, std::set<std::string>(argv + std::min(argc, 2), argv + argc));
}
