// The kinds of load of the soak, each a loop on a thread of its own until it is told to stop. Each knows what is right
// and counts what is not.
#ifndef ASTROLABE_TESTS_BENCH_SOAK_LOAD_H_
#define ASTROLABE_TESTS_BENCH_SOAK_LOAD_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "astrolabe/client/client.h"
#include "tests/bench/soak/eight_puzzle.h"

namespace astrolabe::bench {

// What the loads found. Thread-safe.
class Ledger {
 public:
  void Started(const std::string& kind) { Add(kind, 1, 0); }
  void Ended(const std::string& kind) { Add(kind, 0, 1); }
  // The first of each are kept.
  void Wrong(const std::string& what);

  struct Count {
    int64_t started = 0;
    int64_t ended = 0;
  };
  std::map<std::string, Count> counts() const;
  std::map<std::string, int64_t> faults() const;

 private:
  void Add(const std::string& kind, int64_t started, int64_t ended);

  mutable std::mutex mutex_;
  std::map<std::string, Count> counts_;
  std::map<std::string, int64_t> faults_;
};

struct SoakWorld {
  client::ClientOptions server;
  const EightPuzzle* boards = nullptr;
  std::string reloaded_file;  // of the plugin that is replaced again and again
  std::string reloaded_id;
  std::string reloaded_heuristic;
  std::string crashing_heuristic;
  Ledger* ledger = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

struct Load {
  std::string kind;
  std::function<void(const SoakWorld&, uint64_t seed)> run;
};
std::vector<Load> SoakLoads();

}  // namespace astrolabe::bench

#endif  // ASTROLABE_TESTS_BENCH_SOAK_LOAD_H_
