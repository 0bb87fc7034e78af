// NodeArray: nodes by number: state, parent, operator, g and whether it is closed, packed in blocks.
// A node never moves inside its block; numbers are dense from 0.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_ARRAY_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/prefetch.h"

namespace astrolabe::engine {

class NodeArray {
 public:
  using Id = uint32_t;
  static constexpr Id kNone = std::numeric_limits<Id>::max();

  NodeArray(size_t state_bytes, MemoryAccount& memory) : memory_(memory), state_bytes_(state_bytes) { SetWidth(4); }

  Id size() const { return size_; }
  const std::byte* State(Id id) const { return At(id); }
  Id Parent(Id id) const { return Read<Id>(At(id) + state_bytes_); }
  Op LastOp(Id id) const { return Read<Op>(At(id) + state_bytes_ + 4); }
  Cost G(Id id) const { return static_cast<Cost>(Meta(id) / 2); }
  bool Closed(Id id) const { return (Meta(id) & 1) != 0; }
  ASTROLABE_ENGINE_INLINE void Prefetch(Id id) const {
    engine::Prefetch<1>(At(id));
    engine::Prefetch<1>(At(id) + record_bytes_ - 1);
  }

  // Appends an open node. Throws std::bad_alloc, also when there are no numbers left.
  Id Add(const std::byte* state, Id parent, Op op, Cost g) {
    if (g > max_g_) [[unlikely]]
      Widen();
    if (size_ == kNone) throw std::bad_alloc();
    if ((size_ >> shift_) == blocks_.size()) AddBlock();
    const Id id = size_++;
    std::memcpy(At(id), state, state_bytes_);
    Set(id, parent, op, g);
    return id;
  }
  // Gives a node a cheaper way and opens it. g is at most the one it had.
  void Set(Id id, Id parent, Op op, Cost g) {
    std::byte* record = At(id) + state_bytes_;
    std::memcpy(record, &parent, 4);
    std::memcpy(record + 4, &op, 4);
    WriteMeta(id, static_cast<uint64_t>(g) * 2);
  }
  void Close(Id id) { WriteMeta(id, Meta(id) | 1); }

 private:
  static constexpr size_t kBlockBytes = size_t{256} << 10;

  template <typename T>
  static T Read(const std::byte* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
  }
  std::byte* At(Id id) const { return blocks_[id >> shift_].data() + (id & mask_) * record_bytes_; }
  uint64_t Meta(Id id) const {
    const std::byte* p = At(id) + state_bytes_ + 8;
    return meta_bytes_ == 4 ? Read<uint32_t>(p) : Read<uint64_t>(p);
  }
  void WriteMeta(Id id, uint64_t meta) {
    std::byte* p = At(id) + state_bytes_ + 8;
    const auto narrow = static_cast<uint32_t>(meta);
    if (meta_bytes_ == 4) {
      std::memcpy(p, &narrow, 4);
    } else {
      std::memcpy(p, &meta, 8);
    }
  }

  void SetWidth(size_t meta_bytes) {
    meta_bytes_ = meta_bytes;
    record_bytes_ = state_bytes_ + 8 + meta_bytes;
    max_g_ = meta_bytes == 4 ? Cost{std::numeric_limits<int32_t>::max()} : kInfinity;
    shift_ = 0;
    while (shift_ < 16 && (record_bytes_ << (shift_ + 1)) <= kBlockBytes) ++shift_;
    mask_ = (Id{1} << shift_) - 1;
  }
  void AddBlock() { blocks_.emplace_back(memory_, record_bytes_ << shift_); }

  // Block by block: memory stays near what is needed.
  void Widen() {
    std::vector<Block> narrow = std::move(blocks_);
    const uint32_t shift = shift_;
    const Id mask = mask_;
    const size_t record_bytes = record_bytes_;
    blocks_.clear();
    SetWidth(8);
    for (Id id = 0; id < size_; ++id) {
      if ((id >> shift_) == blocks_.size()) AddBlock();
      const std::byte* from = narrow[id >> shift].data() + (id & mask) * record_bytes;
      std::memcpy(At(id), from, state_bytes_ + 8);
      WriteMeta(id, Read<uint32_t>(from + state_bytes_ + 8));
      if ((id & mask) == mask) narrow[id >> shift] = Block();
    }
  }

  MemoryAccount& memory_;
  const size_t state_bytes_;
  size_t meta_bytes_ = 4;
  size_t record_bytes_ = 0;
  Cost max_g_ = 0;
  uint32_t shift_ = 0;
  Id mask_ = 0;
  Id size_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_ARRAY_H_
