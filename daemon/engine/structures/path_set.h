// PathSet: the states of one depth-first path, to see a cycle when it closes.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_PATH_SET_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_PATH_SET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/engine/structures/memory_account.h"

namespace astrolabe::engine {

// Open addressing over depths, keyed by hash. Entries leave in the reverse of the order they came in, so
// clearing a slot never breaks another's chain.
class PathSet {
 public:
  explicit PathSet(MemoryAccount& memory) : slots_(64, kEmpty, AccountedAllocator<Slot>(memory)) {}

  // True when a depth with this hash is in the set for which equal(depth) holds.
  template <typename Equal>
  bool Contains(uint64_t hash, Equal equal) const {
    for (size_t i = hash & mask(); slots_[i].depth != kNone; i = (i + 1) & mask()) {
      if (slots_[i].hash == hash && equal(slots_[i].depth)) return true;
    }
    return false;
  }

  void Push(uint64_t hash, uint64_t depth) {
    if (2 * (size_ + 1) > slots_.size()) Grow();
    Place(Slot{hash, depth});
    ++size_;
  }

  // Takes out what the last Push put in.
  void Pop(uint64_t hash, uint64_t depth) {
    size_t i = hash & mask();
    while (slots_[i].depth != depth) i = (i + 1) & mask();
    slots_[i] = kEmpty;
    --size_;
  }

  void Clear() {
    std::fill(slots_.begin(), slots_.end(), kEmpty);
    size_ = 0;
  }

 private:
  struct Slot {
    uint64_t hash;
    uint64_t depth;
  };
  static constexpr uint64_t kNone = ~uint64_t{0};
  static constexpr Slot kEmpty{0, kNone};
  using Slots = std::vector<Slot, AccountedAllocator<Slot>>;

  size_t mask() const { return slots_.size() - 1; }
  void Place(Slot slot) {
    size_t i = slot.hash & mask();
    while (slots_[i].depth != kNone) i = (i + 1) & mask();
    slots_[i] = slot;
  }
  // Entries are put back in the order of their depths: the invariant of Pop holds again.
  void Grow() {
    Slots old(slots_.size() * 2, kEmpty, slots_.get_allocator());
    old.swap(slots_);
    std::vector<Slot> entries;
    entries.reserve(size_);
    for (const Slot& slot : old) {
      if (slot.depth != kNone) entries.push_back(slot);
    }
    std::sort(entries.begin(), entries.end(), [](const Slot& a, const Slot& b) { return a.depth < b.depth; });
    for (const Slot& slot : entries) Place(slot);
  }

  Slots slots_;
  size_t size_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_PATH_SET_H_
