#include "daemon/engine/structures/transposition_table.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

TranspositionTable::TranspositionTable(size_t state_size, size_t least_bytes, size_t most_bytes, MemoryAccount& memory)
    : memory_(memory), state_size_(state_size), slot_bytes_(sizeof(Slot) + RoundUp(state_size, alignof(Slot))) {
  most_slots_ = most_bytes / slot_bytes_;
  if (most_slots_ < kWays) return;
  count_ = std::clamp(least_bytes / slot_bytes_, kWays, most_slots_);
  slots_ = Block(memory_, count_ * slot_bytes_);
}

void TranspositionTable::BeginIteration() {
  ++iteration_;
  lost_cut_ = kInfinity;
}

TranspositionTable::Slot* TranspositionTable::Find(const void* state, uint64_t hash) const {
  for (size_t i = 0; i < kWays; ++i) {
    Slot& slot = Neighbour(hash, i);
    if (slot.stamp == 0 || std::memcmp(slot.state(), state, state_size_) == 0) return &slot;
  }
  return nullptr;
}

bool TranspositionTable::Enter(const void* state, uint64_t hash, Cost g) {
  if (count_ == 0) return true;
  Slot* slot = Find(state, hash);
  while (slot == nullptr && Grow()) slot = Find(state, hash);
  if (slot == nullptr) slot = &MakeRoom(hash);
  const uint64_t stamp = 2 * iteration_;
  if (slot->stamp != 0 && !slot->cut() && (slot->value < g || (slot->value == g && slot->stamp == stamp))) return false;
  Put(*slot, state, g, stamp);
  return true;
}

void TranspositionTable::Cut(const void* state, uint64_t hash, Cost f) {
  Slot* slot = nullptr;
  if (count_ != 0) {
    slot = Find(state, hash);
    while (slot == nullptr && Grow()) slot = Find(state, hash);
  }
  if (slot == nullptr) {
    lost_cut_ = std::min(lost_cut_, f);
    return;
  }
  const uint64_t stamp = 2 * iteration_ + 1;
  if (slot->stamp != 0 && !slot->cut()) return;  // it is entered at less in this iteration too, sooner or later
  if (slot->stamp != stamp || f < slot->value) Put(*slot, state, f, stamp);
}

Cost TranspositionTable::LeastCut() const {
  Cost least = lost_cut_;
  for (size_t i = 0; i < count_; ++i) {
    if (At(i).stamp == 2 * iteration_ + 1) least = std::min(least, At(i).value);
  }
  return least;
}

TranspositionTable::Slot& TranspositionTable::MakeRoom(uint64_t hash) {
  const auto worth = [](const Slot& slot) { return std::pair(slot.cut() ? 0 : slot.stamp, -slot.value); };
  Slot* victim = &Neighbour(hash, 0);
  for (size_t i = 1; i < kWays; ++i) {
    Slot& slot = Neighbour(hash, i);
    if (worth(slot) < worth(*victim)) victim = &slot;
  }
  if (victim->stamp == 2 * iteration_ + 1) lost_cut_ = std::min(lost_cut_, victim->value);
  victim->stamp = 0;
  return *victim;
}

void TranspositionTable::Put(Slot& slot, const void* state, Cost value, uint64_t stamp) {
  slot.value = value;
  slot.stamp = stamp;
  std::memcpy(slot.state(), state, state_size_);
}

bool TranspositionTable::Grow() {
  const size_t wanted = std::min(2 * count_, most_slots_);
  if (wanted <= count_) return false;
  Block old;
  try {
    old = Block(memory_, wanted * slot_bytes_);
  } catch (const std::bad_alloc&) {
    most_slots_ = count_;
    return false;
  }
  std::swap(old, slots_);
  const size_t count = std::exchange(count_, wanted);
  for (size_t i = 0; i < count; ++i) {
    const auto& slot = *reinterpret_cast<const Slot*>(old.data() + i * slot_bytes_);
    if (slot.stamp == 0) continue;
    const uint64_t hash = HashBytes(slot.state(), state_size_);
    Slot* to = Find(slot.state(), hash);
    Put(to != nullptr ? *to : MakeRoom(hash), slot.state(), slot.value, slot.stamp);
  }
  return true;
}

}  // namespace astrolabe::engine
