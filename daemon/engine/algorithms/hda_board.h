// HdaBoard: what the threads of one HDA* have in common.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_BOARD_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_BOARD_H_

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "daemon/engine/algorithms/hda_pace.h"
#include "daemon/engine/algorithms/node_grant.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

// A goal that was expanded.
struct HdaGoal {
  uint32_t owner = 0;
  uint32_t node = 0;  // the owner's name for it, where shares keep parents
  Block state;
};

struct HdaBoard {
  // state_bytes: of a padded state. Throws std::bad_alloc.
  HdaBoard(uint32_t thread_count, uint64_t expansions_left, uint64_t generations_left, size_t state_bytes,
           MemoryAccount& memory)
      : threads(thread_count),
        pace(thread_count),
        expansions(expansions_left, static_cast<int>(thread_count)),
        generations(generations_left, static_cast<int>(thread_count)),
        pending(thread_count) {
    goal.state = Block(memory, state_bytes);
  }

  // The owner of a state, by bits of its hash that depend on those that stores use, but are none of them.
  uint32_t OwnerOf(uint64_t hash) const {
    const uint64_t mixed = FoldMultiply(hash ^ kHashSeed2, kHashSeed0);
    return static_cast<uint32_t>((mixed >> 32) * threads >> 32);
  }

  // --- any thread ---
  // A goal of cost g.
  void Propose(Cost g, uint32_t owner, uint32_t node, const std::byte* state) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (g >= incumbent) return;
    incumbent = g;
    goal.owner = owner;
    goal.node = node;
    std::memcpy(goal.state.data(), state, goal.state.bytes());
  }
  // Why the search ends: the first reason counts. Always false.
  bool Limit(StopReason reason) {
    StopReason none = StopReason::kNone;
    limit.compare_exchange_strong(none, reason);
    return false;
  }
  bool Break(std::string what) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (broken.empty()) broken = std::move(what);
    return false;
  }

  const uint32_t threads;
  Pace pace;
  NodeBudget expansions;
  NodeBudget generations;

  // Written often; on a line of its own, away from what all threads read.
  alignas(64) std::atomic<int64_t> pending;
  alignas(64) std::atomic<bool> done{false};  // nothing is left below the incumbent
  std::atomic<StopReason> limit{StopReason::kNone};
  std::atomic<Cost> incumbent{kInfinity};  // written under mutex
  std::mutex mutex;
  HdaGoal goal;        // guarded by mutex, as broken, while threads are at work
  std::string broken;  // what a plugin did wrong; empty: nothing
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_BOARD_H_
