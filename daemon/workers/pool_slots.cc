// The pool's table of workers: finding, choosing, counting, ending.
#include <algorithm>
#include <tuple>

#include "daemon/workers/pool_core.h"

namespace astrolabe::workers {
PoolCore::Slot* PoolCore::Find(const Worker* worker) {
  for (Slot& slot : slots_) {
    if (slot.worker.get() == worker) return &slot;
  }
  return nullptr;
}

PoolCore::Slot* PoolCore::BestIdle(std::span<const PluginFile> plugins) {
  Slot* best = nullptr;
  std::tuple<int, bool, int> best_rank;
  for (Slot& slot : slots_) {
    if (slot.state != State::kIdle) continue;
    const int score = slot.worker->Score(plugins);
    if (score < 0) continue;
    // Once loading has got stuck, no job waits behind it again.
    if (slot.worker->preloading() && (warm_failures_ > 0 || Clock::now() - slot.warming_since > kLoadPatience))
      continue;
    // Most of the plugins; among equals one that is not loading just now; then the one with the least besides.
    const std::tuple<int, bool, int> rank = {score, !slot.worker->preloading(),
                                             -static_cast<int>(slot.worker->held().size())};
    if (best == nullptr || rank > best_rank) {
      best = &slot;
      best_rank = rank;
    }
  }
  return best;
}

PoolCore::Slot* PoolCore::OldestIdle() {
  Slot* oldest = nullptr;
  for (Slot& slot : slots_) {
    if (slot.state == State::kIdle && (oldest == nullptr || slot.since < oldest->since)) oldest = &slot;
  }
  return oldest;
}

int PoolCore::Count(State state) const {
  return static_cast<int>(
      std::count_if(slots_.begin(), slots_.end(), [&](const Slot& slot) { return slot.state == state; }));
}

int PoolCore::Live() const {
  // A starting slot is still counted in spawning_.
  return spawning_ + Count(State::kIdle) + Count(State::kLeased);
}

void PoolCore::End(Slot* slot, std::string_view why) {
  if (slot->state == State::kEnding) return;
  slot->state = State::kEnding;
  slot->worker->Kill(why);
  Changed();
}

bool PoolCore::Conflicts(const Worker& worker) const { return worker.Score(warm_) < 0; }

}  // namespace astrolabe::workers
