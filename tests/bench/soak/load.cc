#include "tests/bench/soak/load.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <thread>
#include <utility>

namespace astrolabe::bench {
namespace {

using client::Outcome;

// Nobody solves it in a second; hours with hamming.
constexpr char kHard[] = "4\n0 15 14 13\n12 11 10 9\n8 7 6 5\n4 3 2 1\n";

// One load's connection and its luck.
class Caller {
 public:
  Caller(const SoakWorld& world, std::string kind, uint64_t seed)
      : world_(world), kind_(std::move(kind)), random_(seed) {
    auto connected = client::Client::Connect(world.server);
    if (connected.ok()) client_.emplace(*std::move(connected));
    if (!client_) Wrong("cannot connect: " + std::string(connected.status().message()));
  }

  bool GoesOn() const { return client_ && !*world_.stop; }
  client::Client& client() { return *client_; }
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  EightPuzzle::Entry Board() { return world_.boards->at(Below(world_.boards->size())); }
  void Wrong(const std::string& what) { world_.ledger->Wrong(kind_ + ": " + what); }

  // A job that was started ends with a Result, or that is a fault.
  std::optional<client::EventStream> Start(const client::SolveRequest& request) {
    auto stream = client_->Solve(request);
    if (!stream.ok()) {
      Wrong("not accepted: " + std::string(stream.status().message()));
      return std::nullopt;
    }
    world_.ledger->Started(kind_);
    return *std::move(stream);
  }
  std::optional<client::Result> End(client::EventStream& stream) {
    auto result = stream.Wait();
    if (!result.ok()) {
      Wrong("no result: " + std::string(result.status().message()));
      return std::nullopt;
    }
    world_.ledger->Ended(kind_);
    return *std::move(result);
  }
  void Expect(const client::Result& result, Outcome outcome) {
    if (result.outcome != outcome) Wrong("ended " + client::Name(result.outcome) + ": " + result.explanation);
  }

 private:
  const SoakWorld& world_;
  const std::string kind_;
  std::mt19937_64 random_;
  std::optional<client::Client> client_;
};

client::SolveRequest RequestOf(const std::string& instance, const std::string& algorithm,
                               const std::string& heuristic) {
  client::SolveRequest request;
  request.spec.problem = "sliding_tile";
  request.spec.instance = instance;
  request.spec.algorithm.id = algorithm;
  if (!heuristic.empty()) request.spec.heuristics.push_back({.id = heuristic, .params = {}, .weight = {}});
  return request;
}

// Boards whose depth is known, by several searches.
void Solves(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "solve", seed);
  constexpr const char* kAlgorithms[] = {"astar", "idastar", "bidirectional", "hda_star", "anytime_astar"};
  while (caller.GoesOn()) {
    const EightPuzzle::Entry board = caller.Board();
    // The plugin that is reloaded meanwhile, or one that is not.
    const std::string heuristic = caller.Below(2) == 0 ? world.reloaded_heuristic : "manhattan";
    client::SolveRequest request =
        RequestOf(board.instance, kAlgorithms[caller.Below(std::size(kAlgorithms))], heuristic);
    if (caller.Below(4) == 0) request.spec.events.kinds = {client::NodeKind::kExpanding};
    auto stream = caller.Start(request);
    if (!stream) continue;
    const auto result = caller.End(*stream);
    if (!result) continue;
    caller.Expect(*result, Outcome::kSolved);
    if (result->cost != board.depth) {
      caller.Wrong("cost " + std::to_string(result->cost.value_or(-1)) + " instead of " + std::to_string(board.depth));
    }
  }
}

void Cancels(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "cancel", seed);
  while (caller.GoesOn()) {
    auto stream = caller.Start(RequestOf(kHard, caller.Below(2) == 0 ? "idastar" : "astar", "hamming"));
    if (!stream) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(caller.Below(100)));
    if (const absl::Status status = stream->Cancel(); !status.ok()) caller.Wrong(std::string(status.message()));
    if (const auto result = caller.End(*stream)) caller.Expect(*result, Outcome::kCancelled);
  }
}

// The client goes away; the next call must find a server that goes on.
void Leaves(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "leave", seed);
  while (caller.GoesOn()) {
    auto stream = caller.Start(RequestOf(kHard, "idastar", "hamming"));
    if (!stream) continue;
    const std::string name = stream->job();
    std::this_thread::sleep_for(std::chrono::milliseconds(caller.Below(100)));
    stream->Abort();
    while (caller.client().GetJob(name).ok() && caller.GoesOn()) {
      const auto job = caller.client().GetJob(name);
      if (job.ok() && job->state == client::JobState::kDone) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    world.ledger->Ended("leave");
  }
}

void Limits(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "limit", seed);
  while (caller.GoesOn()) {
    client::SolveRequest request = RequestOf(kHard, "astar", "hamming");
    if (caller.Below(2) == 0) {
      request.spec.limits.wall_time = std::chrono::milliseconds(20 + caller.Below(100));
    } else {
      request.spec.limits.max_memory_bytes = 20 << 20;
    }
    auto stream = caller.Start(request);
    if (!stream) continue;
    if (const auto result = caller.End(*stream)) caller.Expect(*result, Outcome::kLimitReached);
  }
}

void Crashes(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "crash", seed);
  while (caller.GoesOn()) {
    auto stream = caller.Start(RequestOf(kHard, "idastar", world.crashing_heuristic));
    if (!stream) continue;
    if (const auto result = caller.End(*stream)) caller.Expect(*result, Outcome::kPluginFailed);
  }
}

void Refusals(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "refuse", seed);
  while (caller.GoesOn()) {
    client::SolveRequest request = RequestOf("3\n1 2 3\n4 5 6\n7 8 8\n", "astar", "manhattan");
    auto stream = caller.Start(request);
    if (!stream) continue;
    if (const auto result = caller.End(*stream)) caller.Expect(*result, Outcome::kRejected);
  }
}

// Takes an event now and then, of far more than it can take: the search must not wait for it, and it must end.
void SlowReads(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "slow reader", seed);
  while (caller.GoesOn()) {
    client::SolveRequest request = RequestOf(kHard, "astar", "hamming");
    request.spec.events.kinds = {client::NodeKind::kExpanding, client::NodeKind::kGenerating};
    request.spec.limits.wall_time = std::chrono::seconds(1);
    request.watch.overflow = client::Overflow::kDrop;
    auto stream = caller.Start(request);
    if (!stream) continue;
    client::Event event;
    for (int i = 0; i < 20 && stream->Next(&event); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (const auto result = caller.End(*stream)) caller.Expect(*result, Outcome::kLimitReached);
  }
}

// Jobs that go on without their client, found again by name and deleted.
void Detaches(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "detached", seed);
  while (caller.GoesOn()) {
    const EightPuzzle::Entry board = caller.Board();
    client::CreateJobRequest request;
    request.spec = RequestOf(board.instance, "astar", "manhattan").spec;
    request.request_id = std::to_string(caller.Below(UINT64_MAX));
    const auto job = caller.client().CreateJob(request);
    if (!job.ok()) {
      caller.Wrong(std::string(job.status().message()));
      continue;
    }
    world.ledger->Started("detached");
    const auto again = caller.client().CreateJob(request);
    if (!again.ok() || again->name != job->name) caller.Wrong("the same request is not the same job");
    auto stream = caller.client().WatchJob(job->name);
    if (!stream.ok()) {
      caller.Wrong(std::string(stream.status().message()));
      continue;
    }
    const auto result = caller.End(*stream);
    if (result && result->cost != board.depth) caller.Wrong("another cost");
    const absl::Status deleted = caller.client().DeleteJob(job->name);
    if (!deleted.ok()) caller.Wrong(std::string(deleted.message()));
  }
}

// The same plugin with other bytes behind it: a new generation each time.
void Reloads(const SoakWorld& world, uint64_t seed) {
  Caller caller(world, "reload", seed);
  const std::string original = [&] {
    std::ifstream in(world.reloaded_file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  for (int i = 0; caller.GoesOn(); ++i) {
    const std::string fresh = world.reloaded_file + ".new";
    std::ofstream(fresh, std::ios::binary | std::ios::trunc) << original << "reload " << i << "\n";
    std::error_code error;
    std::filesystem::rename(fresh, world.reloaded_file, error);
    world.ledger->Started("reload");
    const auto plugins = caller.client().ReloadPlugin(world.reloaded_id);
    if (!plugins.ok() || plugins->empty() || plugins->front().error) {
      caller.Wrong(plugins.ok() ? "not loaded" : std::string(plugins.status().message()));
    }
    world.ledger->Ended("reload");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
}

}  // namespace

void Ledger::Wrong(const std::string& what) {
  const std::lock_guard lock(mutex_);
  ++faults_[what];
}

void Ledger::Add(const std::string& kind, int64_t started, int64_t ended) {
  const std::lock_guard lock(mutex_);
  counts_[kind].started += started;
  counts_[kind].ended += ended;
}

std::map<std::string, Ledger::Count> Ledger::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::map<std::string, int64_t> Ledger::faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

std::vector<Load> SoakLoads() {
  return {{"solve", Solves},      {"solve", Solves},  {"cancel", Cancels},  {"leave", Leaves},
          {"limit", Limits},      {"crash", Crashes}, {"refuse", Refusals}, {"slow reader", SlowReads},
          {"detached", Detaches}, {"reload", Reloads}};
}

}  // namespace astrolabe::bench
