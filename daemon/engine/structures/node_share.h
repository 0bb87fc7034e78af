// NodeShare: the nodes that one of several threads owns, open and closed. A node's parent may be another thread's.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_SHARE_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_SHARE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "daemon/engine/structures/best_first.h"
#include "daemon/engine/structures/bucket_open_list.h"
#include "daemon/engine/structures/message_batch.h"
#include "daemon/engine/structures/node_array.h"
#include "daemon/engine/structures/node_index.h"
#include "daemon/engine/structures/share_counts.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

// kSlotBytes: of a padded state, if 8, 16 or 32; 0: any.
template <size_t kSlotBytes>
class NodeShare {
 public:
  static constexpr size_t kSlot = kSlotBytes;
  static constexpr bool kLinked = true;
  using Batch = MessageBatch<kSlot, kLinked>;
  using Id = NodeArray::Id;

  // Of a padded state.
  static uint64_t HashOf(const void* slot, size_t bytes) {
    if constexpr (kSlot != 0) {
      return HashSlot<kSlot>(slot);
    } else {
      return HashBytes(slot, bytes);
    }
  }

  // `slot`: bytes of a padded state. `shares`: of one search.
  NodeShare(size_t slot, Ties ties, MemoryAccount& memory, uint32_t shares)
      : slot_(kSlot != 0 ? kSlot : slot),
        sign_(ties == Ties::kHighG ? -1 : 1),
        nodes_(slot, memory),
        index_(memory, slot_, shares),
        open_(memory) {}

  // Stores and opens what is new or cheaper than known and has f < below. Throws std::bad_alloc; open nodes
  // may not be asked for then.
  void Store(const Batch& batch, Cost below) {
    uint64_t hashes[Batch::kMost];
    for (uint32_t i = 0; i < batch.size(); ++i) {
      hashes[i] = HashOf(batch.State(i), slot_);
      index_.Prefetch(hashes[i]);
    }
    for (uint32_t i = 0; i < batch.size(); ++i) {
      const auto node = batch[i];
      if (node.f < below) counts_.Add(Put(node, hashes[i]));
    }
  }

  // As BestFirstNodes::Pop.
  uint32_t Pop(ParentBatch& batch) {
    batch.count = 0;
    while (batch.count == 0 && !open_.empty()) {
      batch.f = open_.best_f();
      batch.g = sign_ * open_.best_tie();
      Id ids[kMaxBatch];
      const uint32_t n = open_.Pop(ids, batch.capacity);
      for (uint32_t i = 0; i < n; ++i) nodes_.Prefetch(ids[i]);
      for (uint32_t i = 0; i < n; ++i) {
        const Id id = ids[i];
        if (nodes_.Closed(id) || nodes_.G(id) != batch.g) continue;
        nodes_.Close(id);
        std::memcpy(batch.State(batch.count), nodes_.State(id), slot_);
        batch.op[batch.count] = nodes_.LastOp(id);
        batch.node[batch.count++] = id;
      }
    }
    return batch.count;
  }

  Cost best_f() const { return open_.empty() ? kInfinity : open_.best_f(); }
  size_t open() const { return open_.size(); }
  size_t stored() const { return nodes_.size(); }
  const ShareCounts& counts() const { return counts_; }
  Op LastOp(Id id) const { return nodes_.LastOp(id); }
  uint32_t Parent(Id id) const { return nodes_.Parent(id); }

 private:
  Verdict Put(const typename Batch::Message& node, uint64_t hash) {
    bool added = false;
    const Id id = index_.FindOrAdd(
        hash, [&](Id candidate) { return std::memcmp(nodes_.State(candidate), node.state, slot_) == 0; },
        [&] { return nodes_.Add(node.state, node.parent, node.op, node.g); },
        [&](Id other) { return HashOf(nodes_.State(other), slot_); }, added);
    Verdict verdict = Verdict::kNew;
    if (!added) {
      if (nodes_.G(id) <= node.g) return Verdict::kDuplicate;
      verdict = nodes_.Closed(id) ? Verdict::kReopened : Verdict::kUpdated;
      nodes_.Set(id, node.parent, node.op, node.g);
    }
    open_.Push(node.f, sign_ * node.g, id);
    return verdict;
  }

  const size_t slot_;
  const Cost sign_;
  NodeArray nodes_;
  NodeIndex index_;
  BucketOpenList<Id> open_;
  ShareCounts counts_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_SHARE_H_
