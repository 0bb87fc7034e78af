// LineShare: the nodes that one of several threads owns, open and closed, without parents: where operators can be
// undone.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SHARE_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SHARE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "daemon/engine/structures/line_nodes.h"
#include "daemon/engine/structures/message_batch.h"
#include "daemon/engine/structures/share_counts.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

template <size_t kSlotBytes>
class LineShare {
 public:
  static constexpr size_t kSlot = kSlotBytes;
  static constexpr bool kLinked = false;
  using Batch = MessageBatch<kSlot, kLinked>;

  static uint64_t HashOf(const void* slot, size_t) { return HashSlot<kSlot>(slot); }

  // `shares`: of one search.
  LineShare(size_t, Ties ties, MemoryAccount& memory, uint32_t shares) : nodes_(ties, true, memory, shares) {}

  // Stores and opens what is new or cheaper than known and has f < below. Throws std::bad_alloc; only Get is allowed
  // then.
  void Store(const Batch& batch, Cost below) {
    const uint32_t size = batch.size();
    uint64_t hashes[Batch::kMost];
    const auto fetch = [&](uint32_t i) __attribute__((always_inline)) {
      hashes[i] = HashOf(batch.State(i), kSlot);
      nodes_.Prefetch(hashes[i]);
    };
    const uint32_t ahead = std::min(size, kMaxBatch);
    for (uint32_t i = 0; i < ahead; ++i) fetch(i);
    for (uint32_t i = 0; i < size; ++i) {
      if (i + ahead < size) fetch(i + ahead);
      const auto node = batch[i];
      if (node.f < below) counts_.Add(nodes_.Put(node.state, hashes[i], node.f, node.g, node.op));
    }
  }

  // As BestFirstNodes::Pop.
  uint32_t Pop(ParentBatch& batch) { return nodes_.Pop(batch); }
  // The cheapest g known; negative: never stored.
  Cost Get(const std::byte* state) const { return nodes_.Get(state); }

  Cost best_f() const { return nodes_.best_f(); }
  size_t open() const { return nodes_.open(); }
  size_t stored() const { return nodes_.stored(); }
  const ShareCounts& counts() const { return counts_; }

 private:
  LineNodes<kSlot> nodes_;
  ShareCounts counts_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SHARE_H_
