// Nodes on their way from one thread to another: in batches, so that a lock is taken once for many.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BOX_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BOX_H_

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

// A generated node.
struct NodeMessage {
  Cost f;
  Cost g;
  uint64_t hash;
  uint32_t parent;
  Op op;
  std::byte* state() { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* state() const { return reinterpret_cast<const std::byte*>(this + 1); }
};

// Some of them, of one size. States are in slots that stay padded with zeros.
class MessageBatch {
 public:
  MessageBatch() = default;
  // Throws std::bad_alloc.
  MessageBatch(size_t slot, MemoryAccount& memory)
      : record_bytes_(sizeof(NodeMessage) + RoundUp(slot, alignof(NodeMessage))),
        capacity_(static_cast<uint32_t>(std::clamp<size_t>(kBytes / record_bytes_, 1, kMost))),
        block_(memory, capacity_ * record_bytes_) {}

  bool valid() const { return capacity_ > 0; }
  uint32_t size() const { return size_; }
  bool full() const { return size_ == capacity_; }
  Cost least_f() const { return least_f_; }
  NodeMessage& operator[](uint32_t i) const {
    return *reinterpret_cast<NodeMessage*>(block_.data() + i * record_bytes_);
  }
  // Precondition: not full. The caller writes the state.
  NodeMessage& Append(Cost f) {
    least_f_ = std::min(least_f_, f);
    NodeMessage& message = (*this)[size_++];
    message.f = f;
    return message;
  }
  void Clear() {
    size_ = 0;
    least_f_ = kInfinity;
  }

 private:
  static constexpr size_t kBytes = size_t{16} << 10;
  static constexpr size_t kMost = 64;

  size_t record_bytes_ = 0;
  uint32_t capacity_ = 0;
  uint32_t size_ = 0;
  Cost least_f_ = kInfinity;
  Block block_;
};

// What others have sent to one thread.
class MessageBox {
 public:
  // Any thread.
  void Put(MessageBatch batch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    batches_.push_back(std::move(batch));
    empty_.store(false, std::memory_order_relaxed);
    arrived_.notify_one();
  }
  // Nobody waits any more.
  void Close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    arrived_.notify_one();
  }

  // --- the owner ---
  // May be wrong for a moment after a Put.
  bool seems_empty() const { return empty_.load(std::memory_order_relaxed); }
  // `out` is empty.
  void TakeAll(std::vector<MessageBatch>& out) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::swap(out, batches_);
    empty_.store(true, std::memory_order_relaxed);
  }
  // Until something is there. False: it was closed.
  bool Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    arrived_.wait(lock, [this] { return closed_ || !batches_.empty(); });
    return !closed_;
  }
  // When no thread is at work: smallest f of all.
  Cost least_f() const {
    Cost least = kInfinity;
    for (const MessageBatch& batch : batches_) least = std::min(least, batch.least_f());
    return least;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<MessageBatch> batches_;  // guarded by mutex_
  bool closed_ = false;                // guarded by mutex_
  std::atomic<bool> empty_{true};
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BOX_H_
