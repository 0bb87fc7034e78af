// LineNodes: the open and closed states of a best-first search that keeps no parents: a LineTable and an open list of
// (state, operator).
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_NODES_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_NODES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "daemon/engine/structures/best_first.h"
#include "daemon/engine/structures/bucket_open_list.h"
#include "daemon/engine/structures/line_table.h"
#include "daemon/engine/structures/prefetch.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

// States are in slots of kSlot bytes, padded with zeros; their hash is HashSlot<kSlot>.
template <size_t kSlot>
class LineNodes {
 public:
  // `shares`: of how many, together holding the states of one search, this is one.
  LineNodes(Ties ties, bool reopen, MemoryAccount& memory, uint32_t shares = 1)
      : sign_(ties == Ties::kHighG ? -1 : 1), table_(memory, reopen, shares), open_(memory) {}

  ASTROLABE_ENGINE_INLINE void Prefetch(uint64_t hash) const { table_.Prefetch(hash); }

  // Stores and opens a state reached at cost g, unless it is known as cheaply. Throws std::bad_alloc; only Get is
  // allowed then.
  ASTROLABE_ENGINE_INLINE Verdict Put(const std::byte* state, uint64_t hash, Cost f, Cost g, Op op) {
    const Verdict verdict = table_.Put(state, hash, g);
    if (verdict == Verdict::kDuplicate) return verdict;
    Entry entry;
    std::memcpy(entry.state, state, kSlot);
    std::memcpy(entry.op, &op, sizeof op);
    open_.Push(f, sign_ * g, entry);
    return verdict;
  }

  // As BestFirstNodes::Pop.
  uint32_t Pop(ParentBatch& batch) {
    batch.count = 0;
    while (batch.count == 0 && !open_.empty()) {
      batch.f = open_.best_f();
      batch.g = sign_ * open_.best_tie();
      Entry entries[kMaxBatch];
      uint64_t hashes[kMaxBatch];
      const uint32_t n = open_.Pop(entries, batch.capacity);
      for (uint32_t i = 0; i < n; ++i) {
        hashes[i] = HashSlot<kSlot>(entries[i].state);
        table_.Prefetch(hashes[i]);
      }
      for (uint32_t i = 0; i < n; ++i) {
        if (!table_.Close(entries[i].state, hashes[i], batch.g)) continue;
        std::memcpy(batch.State(batch.count), entries[i].state, kSlot);
        std::memcpy(&batch.op[batch.count++], entries[i].op, sizeof(Op));
      }
    }
    return batch.count;
  }

  // The cheapest g known; negative: the state was never stored.
  Cost Get(const std::byte* state) const { return table_.Get(state, HashSlot<kSlot>(state)); }

  Cost best_f() const { return open_.empty() ? kInfinity : open_.best_f(); }
  size_t open() const { return open_.size(); }
  size_t stored() const { return table_.size(); }

 private:
  struct Entry {
    std::byte state[kSlot];
    std::byte op[sizeof(Op)];
  };

  const Cost sign_;
  LineTable<kSlot> table_;
  BucketOpenList<Entry> open_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_NODES_H_
