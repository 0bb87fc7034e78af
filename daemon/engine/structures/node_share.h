// NodeShare: the nodes that one of several threads owns, open and closed. A node's parent may be another thread's.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_SHARE_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_SHARE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "daemon/engine/structures/best_first.h"
#include "daemon/engine/structures/bucket_open_list.h"
#include "daemon/engine/structures/message_box.h"
#include "daemon/engine/structures/node_array.h"
#include "daemon/engine/structures/node_index.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

// kSlot: bytes of a padded state, if 8, 16 or 32; 0: any.
template <size_t kSlot>
class NodeShare {
 public:
  using Id = NodeArray::Id;
  struct Verdicts {
    uint64_t duplicates = 0;
    uint64_t reopened = 0;
  };

  // Of a padded state.
  static uint64_t HashOf(const void* slot, size_t bytes) {
    if constexpr (kSlot != 0) {
      return HashSlot<kSlot>(slot);
    } else {
      return HashBytes(slot, bytes);
    }
  }

  // `slot`: bytes of a padded state.
  NodeShare(size_t slot, Ties ties, MemoryAccount& memory)
      : slot_(kSlot != 0 ? kSlot : slot),
        sign_(ties == Ties::kHighG ? -1 : 1),
        nodes_(slot, memory),
        index_(memory),
        open_(memory) {}

  // Stores and opens what is new or cheaper than known and has f < below. Throws std::bad_alloc; open nodes
  // may not be asked for then.
  void Store(const MessageBatch& batch, Cost below) {
    for (uint32_t i = 0; i < batch.size(); ++i) index_.Prefetch(batch[i].hash);
    for (uint32_t i = 0; i < batch.size(); ++i) {
      if (batch[i].f < below) Store(batch[i]);
    }
  }

  // Takes up to kMaxBatch of the best nodes, of one f and one g, and closes them: copies the states `stride` apart.
  uint32_t Pop(Cost& f, Cost& g, Id* ids, std::byte* states, size_t stride) {
    uint32_t count = 0;
    while (count == 0 && !open_.empty()) {
      f = open_.best_f();
      g = sign_ * open_.best_tie();
      const uint32_t n = open_.Pop(ids, kMaxBatch);
      for (uint32_t i = 0; i < n; ++i) nodes_.Prefetch(ids[i]);
      for (uint32_t i = 0; i < n; ++i) {
        const Id id = ids[i];
        if (nodes_.Closed(id) || nodes_.G(id) != g) continue;
        nodes_.Close(id);
        std::memcpy(states + count * stride, nodes_.State(id), kSlot != 0 ? kSlot : slot_);
        ids[count++] = id;
      }
    }
    return count;
  }

  Cost best_f() const { return open_.empty() ? kInfinity : open_.best_f(); }
  size_t open() const { return open_.size(); }
  size_t stored() const { return nodes_.size(); }
  const Verdicts& verdicts() const { return verdicts_; }
  Op LastOp(Id id) const { return nodes_.LastOp(id); }
  uint32_t Parent(Id id) const { return nodes_.Parent(id); }

 private:
  void Store(const NodeMessage& node) {
    bool added = false;
    const Id id = index_.FindOrAdd(
        node.hash,
        [&](Id candidate) {
          return std::memcmp(nodes_.State(candidate), node.state(), kSlot != 0 ? kSlot : slot_) == 0;
        },
        [&] { return nodes_.Add(node.state(), node.parent, node.op, node.g); },
        [&](Id other) { return HashOf(nodes_.State(other), slot_); }, added);
    if (!added) {
      if (nodes_.G(id) <= node.g) {
        ++verdicts_.duplicates;
        return;
      }
      if (nodes_.Closed(id)) ++verdicts_.reopened;
      nodes_.Set(id, node.parent, node.op, node.g);
    }
    open_.Push(node.f, sign_ * node.g, id);
  }

  const size_t slot_;
  const Cost sign_;
  NodeArray nodes_;
  NodeIndex index_;
  BucketOpenList<Id> open_;
  Verdicts verdicts_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_SHARE_H_
