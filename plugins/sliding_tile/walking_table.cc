#include "plugins/sliding_tile/walking_table.h"

#include <bit>
#include <cassert>

namespace sliding_tile {
namespace {

constexpr int kBlankBits = 3;
constexpr uint32_t kCheckEvery = 4096;

}  // namespace

WalkingTable::WalkingTable(const WalkingShape& shape, const astro::Host& host)
    : shape_(shape),
      lines_(static_cast<size_t>(shape.lines)),
      bits_(std::bit_width(static_cast<unsigned>(shape.length))) {
  assert(shape.lines <= kMaxLines && shape.lines + shape.length <= kMaxSides);
  slots_.assign(1024, kNone);
  Counts goal;
  for (int line = 0; line < shape.lines; ++line) goal.tiles[line][line] = shape.length;
  --goal.tiles[shape.blank_home][shape.blank_home];
  goal.blank_line = shape.blank_home;
  FindOrAdd(KeyOf(goal), 0);
  for (uint32_t index = 0; index < keys_.size(); ++index) {
    if (index % kCheckEvery == 0) {
      host.CheckCancelled();
      host.Progress("walking distance, breadth-first", -1);
    }
    Expand(index);
  }
}

// All counts but those of the last line and the last home, which follow from the others; then the blank.
uint64_t WalkingTable::KeyOf(const Counts& counts) const {
  uint64_t key = 0;
  for (int line = 0; line + 1 < shape_.lines; ++line) {
    for (int home = 0; home + 1 < shape_.lines; ++home) {
      key = key << bits_ | static_cast<uint64_t>(counts.tiles[line][home]);
    }
  }
  return key << kBlankBits | static_cast<uint64_t>(counts.blank_line);
}

WalkingTable::Counts WalkingTable::CountsOf(uint64_t key) const {
  const int last = shape_.lines - 1;
  Counts counts;
  counts.blank_line = static_cast<int>(key & ((1u << kBlankBits) - 1));
  key >>= kBlankBits;
  for (int home = 0; home < last; ++home)
    counts.tiles[last][home] = shape_.length - (home == shape_.blank_home ? 1 : 0);
  int corner = shape_.length - (last == counts.blank_line ? 1 : 0);
  for (int line = last - 1; line >= 0; --line) {
    int rest = shape_.length - (line == counts.blank_line ? 1 : 0);
    for (int home = last - 1; home >= 0; --home, key >>= bits_) {
      const int count = static_cast<int>(key & ((uint64_t{1} << bits_) - 1));
      counts.tiles[line][home] = count;
      counts.tiles[last][home] -= count;
      rest -= count;
    }
    counts.tiles[line][last] = rest;
  }
  for (int home = 0; home < last; ++home) corner -= counts.tiles[last][home];
  counts.tiles[last][last] = corner;
  return counts;
}

size_t WalkingTable::SlotOf(uint64_t key) const {
  size_t slot = (key * 0x9E3779B97F4A7C15u) >> (64 - std::bit_width(slots_.size() - 1));
  while (slots_[slot] != kNone && keys_[slots_[slot]] != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

uint32_t WalkingTable::FindOrAdd(uint64_t key, int moves) {
  if (2 * keys_.size() >= slots_.size()) Grow();
  uint32_t& slot = slots_[SlotOf(key)];
  if (slot == kNone) {
    slot = static_cast<uint32_t>(keys_.size());
    keys_.push_back(key);
    moves_.push_back(static_cast<uint16_t>(moves));
    links_.resize(links_.size() + 2 * lines_, kNone);
  }
  return slot;
}

void WalkingTable::Grow() {
  slots_.assign(2 * slots_.size(), kNone);
  for (uint32_t index = 0; index < keys_.size(); ++index) slots_[SlotOf(keys_[index])] = index;
}

void WalkingTable::Expand(uint32_t index) {
  Counts counts = CountsOf(keys_[index]);
  const int blank = counts.blank_line;
  for (const bool forward : {false, true}) {
    const int line = forward ? blank + 1 : blank - 1;
    if (line < 0 || line >= shape_.lines) continue;
    for (int home = 0; home < shape_.lines; ++home) {
      if (counts.tiles[line][home] == 0) continue;
      --counts.tiles[line][home];
      ++counts.tiles[blank][home];
      counts.blank_line = line;
      const uint32_t next = FindOrAdd(KeyOf(counts), moves_[index] + 1);
      links_[(size_t{index} * 2 + (forward ? 1 : 0)) * lines_ + static_cast<size_t>(home)] = next;
      ++counts.tiles[line][home];
      --counts.tiles[blank][home];
    }
  }
}

}  // namespace sliding_tile
