// MessageBatch: generated nodes on their way to the thread that owns them, packed: for states of 8 bytes, 20 bytes
// each.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BATCH_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BATCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

// kSlot: bytes of a padded state, if known when compiled, else 0. kLinked: messages name the node's parent.
// f and g are kept as differences from those of the first node.
template <size_t kSlot, bool kLinked>
class MessageBatch {
 public:
  static constexpr size_t kMost = 256;

  MessageBatch() = default;
  // slot: bytes of a padded state. Throws std::bad_alloc.
  MessageBatch(size_t slot, MemoryAccount& memory)
      : slot_(slot),
        capacity_(static_cast<uint32_t>(std::clamp<size_t>(kBytes / record_bytes(), 1, kMost))),
        block_(memory, capacity_ * record_bytes()) {}

  bool valid() const { return capacity_ > 0; }
  uint32_t size() const { return size_; }
  // Of all that are in it; kInfinity: none.
  Cost least_f() const { return least_f_; }
  bool Takes(Cost f, Cost g) const {
    return size_ < capacity_ && (size_ == 0 || (Fits(f - first_f_) && Fits(g - first_g_)));
  }
  // Precondition: Takes(f, g). `parent` is kept where kLinked.
  void Append(const std::byte* state, Cost f, Cost g, Op op, uint32_t parent) {
    if (size_ == 0) {
      first_f_ = f;
      first_g_ = g;
    }
    least_f_ = std::min(least_f_, f);
    std::byte* const record = block_.data() + size_++ * record_bytes();
    Tail tail;
    tail.f = static_cast<int32_t>(f - first_f_);
    tail.g = static_cast<int32_t>(g - first_g_);
    tail.op = op;
    if constexpr (kLinked) tail.parent = parent;
    std::memcpy(record, state, slot());
    std::memcpy(record + slot(), &tail, sizeof tail);
  }

  struct Message {
    const std::byte* state;  // padded with zeros
    Cost f;
    Cost g;
    Op op;
    uint32_t parent;
  };
  Message operator[](uint32_t i) const {
    const std::byte* const record = block_.data() + i * record_bytes();
    Tail tail;
    std::memcpy(&tail, record + slot(), sizeof tail);
    Message message{record, first_f_ + tail.f, first_g_ + tail.g, tail.op, 0};
    if constexpr (kLinked) message.parent = tail.parent;
    return message;
  }
  const std::byte* State(uint32_t i) const { return block_.data() + i * record_bytes(); }

  void Clear() {
    size_ = 0;
    least_f_ = kInfinity;
  }

 private:
  struct Unlinked {
    int32_t f;
    int32_t g;
    Op op;
  };
  struct Linked : Unlinked {
    uint32_t parent;
  };
  using Tail = std::conditional_t<kLinked, Linked, Unlinked>;
  static constexpr size_t kBytes = size_t{16} << 10;

  static bool Fits(Cost difference) { return difference == static_cast<int32_t>(difference); }
  size_t slot() const { return kSlot != 0 ? kSlot : slot_; }
  size_t record_bytes() const { return slot() + sizeof(Tail); }

  size_t slot_ = 0;
  uint32_t capacity_ = 0;
  uint32_t size_ = 0;
  Cost first_f_ = 0;
  Cost first_g_ = 0;
  Cost least_f_ = kInfinity;
  Block block_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_MESSAGE_BATCH_H_
