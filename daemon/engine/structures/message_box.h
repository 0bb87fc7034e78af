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
  // Gives an empty batch in return, if the owner has left one here; else one that takes nothing. note(batch) is called
  // while nobody else puts or takes: what is told there and what TakeAll's note tells never contradict what is in here.
  template <typename Note>
  Batch Put(Batch batch, Note note) {
    Batch spare;
    std::unique_lock<std::mutex> lock = Lock();
    note(std::as_const(batch));
    batches_.push_back(std::move(batch));
    waiting_.store(batches_.size());
    if (!spares_.empty()) {
      spare = std::move(spares_.back());
      spares_.pop_back();
    }
    Wake(std::move(lock));
    return spare;
  }
  // The owner, if it waits, asks again whether it still has to.
  void Poke() { Wake(Lock()); }
  // Nobody waits any more.
  void Close() {
    std::unique_lock<std::mutex> lock = Lock();
    closed_ = true;
    Wake(std::move(lock));
  }
  // The owner does not keep up: senders should wait. May be wrong for a moment.
  bool crowded() const { return waiting_.load() >= kCrowd; }

  // --- the owner ---
  // May be wrong for a moment after a Put.
  bool seems_empty() const { return waiting_.load(std::memory_order_relaxed) == 0; }
  // Swaps what is in the box for batches that were taken before and are empty now: those are for the senders. note() is
  // called as in Put.
  template <typename Note>
  void TakeAll(std::vector<Batch>& batches, Note note) {
    const std::unique_lock<std::mutex> lock = Lock();
    if (spares_.size() < kMostSpares) std::move(batches.begin(), batches.end(), std::back_inserter(spares_));
    batches.clear();
    std::swap(batches, batches_);
    note();
    waiting_.store(0);
  }
  // Until something is there or ready() holds, which is asked again after each Poke. False: the box was closed.
  template <typename Ready>
  bool Wait(Ready ready) {
    std::unique_lock<std::mutex> lock = Lock();
    while (!closed_ && batches_.empty() && !ready()) {
      waits_ = true;
      changed_.wait(lock);
    }
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
  static constexpr int kTries = 100;
  static constexpr size_t kCrowd = 64;
  static constexpr size_t kMostSpares = kCrowd;

  // It is held for so short a time that to sleep would take longer.
  std::unique_lock<std::mutex> Lock() {
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    for (int i = 0; i < kTries && !lock.owns_lock(); ++i) lock.try_lock();
    if (!lock.owns_lock()) lock.lock();
    return lock;
  }

  // Notifies once a wait, and outside the lock: who wakes up wants it.
  void Wake(std::unique_lock<std::mutex> lock) {
    const bool waits = std::exchange(waits_, false);
    lock.unlock();
    if (waits) changed_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Batch> batches_;  // guarded by mutex_, as all that follows but waiting_
  std::vector<Batch> spares_;
  bool waits_ = false;  // and has not been notified
  bool closed_ = false;
  alignas(64) std::atomic<size_t> waiting_{0};  // batches; written under mutex_
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BOX_H_
