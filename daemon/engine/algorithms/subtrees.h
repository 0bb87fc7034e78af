// Searches subtrees of an iteration on one of several threads.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_SUBTREES_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_SUBTREES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "daemon/engine/algorithms/frontier.h"
#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/algorithms/search_threads.h"

namespace astrolabe::engine {

// Some roots of the frontier that follow each other, and what came of them.
struct Chunk {
  size_t first = 0;
  size_t last = 0;

  SearchEnd end = SearchEnd::kStopped;  // of the first root that did not end with kExhausted
  size_t root = 0;                      // that one; last if there is none
  uint64_t expanded = 0;                // below the roots, up to the end
  uint64_t generated = 0;
  Cost next_bound = kInfinity;
  Solution below;      // with kSolved: from the root; its cost is that from the initial state
  std::string broken;  // with kBroken
};

// Whether a chunk is still wanted.
class ChunkLease {
 public:
  // `ended`: the first chunk that ended the iteration; later ones are not wanted.
  ChunkLease(SearchThreads& threads, const std::atomic<size_t>& ended, size_t chunk)
      : threads_(threads), ended_(ended), chunk_(chunk) {}
  bool GoOn() const { return threads_.GoOn() && ended_.load(std::memory_order_relaxed) > chunk_; }

 private:
  SearchThreads& threads_;
  const std::atomic<size_t>& ended_;
  const size_t chunk_;
};

// Belongs to one thread.
class Subtrees {
 public:
  virtual ~Subtrees() = default;
  // Throws std::bad_alloc.
  virtual void Search(const Frontier& frontier, Cost bound, const ChunkLease& lease, Chunk& chunk) = 0;
  // Smallest h of an entered node; negative: not known.
  virtual Cost best_h() const { return -1; }
  virtual Tier tier() const = 0;
};

// `evaluator` is one of the task's.
std::unique_ptr<Subtrees> MakeSubtrees(const Task& task, const Evaluator& evaluator, SubtreeTier tier, bool any_order);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_SUBTREES_H_
