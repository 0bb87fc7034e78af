// TabuList: the last marks that were put on it, so many of them.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_TABU_LIST_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_TABU_LIST_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

// A ring of marks, and a table, with linear probing, of those that are on it.
class TabuList {
 public:
  // Throws std::bad_alloc; nothing else does.
  TabuList(size_t tenure, MemoryAccount& memory)
      : ring_(tenure, AccountedAllocator<uint64_t>(memory)),
        table_(std::bit_ceil(2 * tenure + 2), AccountedAllocator<Slot>(memory)) {}

  void Clear() {
    for (; size_ > 0; --size_) {
      Drop(ring_[oldest_]);
      oldest_ = Next(oldest_);
    }
  }
  bool Contains(uint64_t mark) const { return table_[Find(mark)].times > 0; }
  // The oldest leaves when there are more than `tenure`.
  void Push(uint64_t mark) {
    if (ring_.empty()) return;
    if (size_ == ring_.size()) {
      Drop(ring_[oldest_]);
      oldest_ = Next(oldest_);
      --size_;
    }
    ring_[(oldest_ + size_++) % ring_.size()] = mark;
    Slot& slot = table_[Find(mark)];
    slot.mark = mark;
    ++slot.times;
  }

 private:
  struct Slot {
    uint64_t mark = 0;
    uint32_t times = 0;  // on the list; 0: the slot is free
  };

  size_t Next(size_t i) const { return i + 1 < ring_.size() ? i + 1 : 0; }
  size_t mask() const { return table_.size() - 1; }
  size_t Home(uint64_t mark) const { return FoldMultiply(mark ^ kHashSeed0, kHashSeed1) & mask(); }
  // Where the mark is, or would be.
  size_t Find(uint64_t mark) const {
    size_t i = Home(mark);
    while (table_[i].times > 0 && table_[i].mark != mark) i = (i + 1) & mask();
    return i;
  }
  void Drop(uint64_t mark) {
    size_t hole = Find(mark);
    if (--table_[hole].times > 0) return;
    // What lies behind and could not be at its home moves up.
    for (size_t i = (hole + 1) & mask(); table_[i].times > 0; i = (i + 1) & mask()) {
      const size_t home = Home(table_[i].mark);
      if (((i - home) & mask()) < ((i - hole) & mask())) continue;
      table_[hole] = table_[i];
      table_[i].times = 0;
      hole = i;
    }
  }

  std::vector<uint64_t, AccountedAllocator<uint64_t>> ring_;
  std::vector<Slot, AccountedAllocator<Slot>> table_;
  size_t oldest_ = 0;
  size_t size_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_TABU_LIST_H_
