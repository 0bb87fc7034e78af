// MessageBox: batches of nodes that others have sent to one thread; a lock is taken once for many nodes.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BOX_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BOX_H_

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "daemon/engine/domain.h"

namespace astrolabe::engine {

template <typename Batch>
class MessageBox {
 public:
  // --- any thread ---
  // Gives an empty batch in return, if the owner has left one here; else one that takes nothing.
  Batch Put(Batch batch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    batches_.push_back(std::move(batch));
    waiting_.store(batches_.size());
    if (waits_) changed_.notify_one();
    Batch spare;
    if (!spares_.empty()) {
      spare = std::move(spares_.back());
      spares_.pop_back();
    }
    return spare;
  }
  // The owner, if it waits, asks again whether it still has to.
  void Poke() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (waits_) changed_.notify_one();
  }
  // Nobody waits any more.
  void Close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

  // The owner does not keep up: senders should wait. May be wrong for a moment.
  bool crowded() const { return waiting_.load() >= kCrowd; }

  // --- the owner ---
  // May be wrong for a moment after a Put.
  bool seems_empty() const { return waiting_.load(std::memory_order_relaxed) == 0; }
  // Swaps what is in the box for batches that were taken before and are empty now: those are for the senders.
  void TakeAll(std::vector<Batch>& batches) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (spares_.size() < kMostSpares) std::move(batches.begin(), batches.end(), std::back_inserter(spares_));
    batches.clear();
    std::swap(batches, batches_);
    waiting_.store(0);
  }
  // Until something is there or ready() holds, which is asked again after each Poke. False: the box was closed.
  template <typename Ready>
  bool Wait(Ready ready) {
    std::unique_lock<std::mutex> lock(mutex_);
    waits_ = true;
    changed_.wait(lock, [this, &ready] { return closed_ || !batches_.empty() || ready(); });
    waits_ = false;
    return !closed_;
  }
  // When no thread is at work: smallest f of all.
  Cost least_f() const {
    Cost least = kInfinity;
    for (const Batch& batch : batches_) least = std::min(least, batch.least_f());
    return least;
  }

 private:
  static constexpr size_t kCrowd = 64;
  static constexpr size_t kMostSpares = kCrowd;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Batch> batches_;  // guarded by mutex_, as all that follows but waiting_
  std::vector<Batch> spares_;
  bool waits_ = false;
  bool closed_ = false;
  alignas(64) std::atomic<size_t> waiting_{0};  // batches; written under mutex_
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BOX_H_
