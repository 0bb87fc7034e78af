// The largest board: a random 127 x 127 is solved by construction, replayed by the engine, and its whole path streamed
// to this client and replayed here. Where the processor is shared, its seconds (client, daemon and workers together)
// say more than those of the clock.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "tests/bench/service/bench_support.h"

namespace astrolabe::bench {
namespace {

constexpr int kSide = 127;

std::vector<int> RandomTiles(uint32_t seed) {
  std::vector<int> tiles(kSide * kSide);
  std::iota(tiles.begin(), tiles.end() - 1, 1);
  tiles.back() = 0;
  std::mt19937 random(seed);
  bool odd = false;
  for (size_t i = tiles.size() - 2; i > 0; --i) {
    const size_t k = random() % (i + 1);
    odd ^= k != i;
    std::swap(tiles[i], tiles[k]);
  }
  if (odd) std::swap(tiles[0], tiles[1]);
  return tiles;
}

std::string Text(const std::vector<int>& tiles) {
  std::string text = std::to_string(kSide) + "\n";
  for (size_t i = 0; i < tiles.size(); ++i) text += std::to_string(tiles[i]) + ((i + 1) % kSide == 0 ? "\n" : " ");
  return text;
}

// The client's own knowledge of the moves: blank * 4 + {up, left, right, down}.
class Replay {
 public:
  explicit Replay(std::vector<int> tiles) : tiles_(std::move(tiles)), blank_(static_cast<int>(tiles_.size()) - 1) {}
  bool Move(uint32_t op) {
    constexpr int kStep[] = {-kSide, -1, 1, kSide};
    const int to = blank_ + kStep[op % 4];
    if (static_cast<int>(op / 4) != blank_ || to < 0 || to >= static_cast<int>(tiles_.size())) return false;
    std::swap(tiles_[static_cast<size_t>(blank_)], tiles_[static_cast<size_t>(to)]);
    blank_ = to;
    return true;
  }
  bool solved() const {
    for (size_t i = 0; i + 1 < tiles_.size(); ++i) {
      if (tiles_[i] != static_cast<int>(i) + 1) return false;
    }
    return true;
  }

 private:
  std::vector<int> tiles_;
  int blank_;
};

// Of a process, all its threads and the children it has waited for; 0 when it is gone.
double ProcessorSeconds(pid_t pid) {
  std::string stat = testing::ReadFile("/proc/" + std::to_string(pid) + "/stat");
  // Behind the name, which may hold anything; the times are fields 14 to 17 of all.
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 2, stat.size())));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double ticks = 0;
  for (int field = 14; field < 18; ++field) {
    double value = 0;
    if (fields >> value) ticks += value;
  }
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double ProcessorSeconds(testing::LiveDaemon& daemon) {
  const pid_t pid = daemon.process().pid();
  double seconds = ProcessorSeconds(::getpid()) + ProcessorSeconds(pid);
  for (const pid_t child : testing::ChildrenOf(pid)) seconds += ProcessorSeconds(child);
  return seconds;
}

int Main(int rounds) {
  testing::LiveDaemon daemon;
  client::Client client = ConnectOrDie(daemon);
  std::vector<double> first, whole, processor;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> tiles = RandomTiles(static_cast<uint32_t>(round) + 1);
    client::SolveRequest request;
    request.spec.problem = "sliding_tile";
    request.spec.instance = Text(tiles);
    request.spec.algorithm.id = "construct";
    client::Result result;
    std::string job;
    const double processor_before = ProcessorSeconds(daemon);
    const double to_result = SecondsOf([&] {
      auto stream = client.Solve(request);
      if (!stream.ok()) Die(std::string(stream.status().message()));
      auto waited = stream->Wait();
      if (!waited.ok() || waited->outcome != client::Outcome::kSolved || !waited->verified) Die("not solved");
      result = *std::move(waited);
      job = stream->job();
    });
    Replay replay(tiles);
    int64_t moves = 0;
    const double to_end = SecondsOf([&] {
      const auto read = client.ReadPath(job, [&](std::span<const uint32_t> ops) {
        for (const uint32_t op : ops) {
          if (!replay.Move(op)) Die("move " + std::to_string(moves) + " is not possible");
          ++moves;
        }
        return true;
      });
      if (!read.ok()) Die(std::string(read.message()));
    });
    if (!replay.solved() || moves != result.path.length) Die("the path does not lead to the goal");
    if (round == 0) std::cout << "A random 127 x 127 board: " << moves << " moves; median of " << rounds << "\n";
    first.push_back(to_result);
    whole.push_back(to_result + to_end);
    processor.push_back(ProcessorSeconds(daemon) - processor_before);
  }
  PrintRow("127 x 127 board, solved and replayed", Median(first), "s", "-");
  PrintRow("127 x 127 board, its path streamed and replayed by the client", Median(whole), "s", "<= 2");
  PrintRow("  processor seconds of that, all processes", Median(processor), "s", "-");
  return 0;
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char** argv) { return astrolabe::bench::Main(argc > 1 ? std::atoi(argv[1]) : 3); }
