// LineTable: states and the cheapest g known of each, in cache lines that hold several keys and their
// packed metas, so that a look-up touches one line: about 12 bytes a state for states of 8 bytes.
//
// A meta is (g + 1) * 2, + 1 when the state is closed; 0 is an empty slot. Metas are as narrow as the
// line allows; the first g that does not fit makes all of them 8 bytes wide.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_TABLE_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "daemon/engine/structures/best_first.h"
#include "daemon/engine/structures/key_match.h"
#include "daemon/engine/structures/line_segments.h"
#include "daemon/engine/structures/prefetch.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

template <size_t kSlot>
class LineTable {
 public:
  // `reopen` false: Put leaves closed states as they are. `tables`: as LineSegments has it.
  explicit LineTable(MemoryAccount& memory, bool reopen = true, uint32_t tables = 1)
      : lines_(memory, Narrow::kSlots, tables), reopen_(reopen) {}

  size_t size() const { return size_; }
  ASTROLABE_ENGINE_INLINE void Prefetch(uint64_t hash) const { engine::Prefetch<kLineBytes>(lines_.Place(hash)); }

  // Enters a state reached at cost g, or lowers its g and opens it again. Throws std::bad_alloc; only Get is allowed
  // then.
  Verdict Put(const std::byte* key, uint64_t hash, Cost g) {
    if (!wide_) [[likely]] {
      if (g <= Narrow::kMaxG) [[likely]]
        return PutIn<Narrow>(key, hash, g);
      Widen();
    }
    return PutIn<Wide>(key, hash, g);
  }

  // Closes a state; false when it is closed or has a cheaper g than this.
  bool Close(const std::byte* key, uint64_t hash, Cost g) {
    return wide_ ? CloseIn<Wide>(key, hash, g) : CloseIn<Narrow>(key, hash, g);
  }

  // The cheapest g known; negative: the state was never entered.
  Cost Get(const std::byte* key, uint64_t hash) const {
    // Not by wide_: there may have been no memory to widen all.
    return lines_.Of(hash).slots == Wide::kSlots ? GetIn<Wide>(key, hash) : GetIn<Narrow>(key, hash);
  }

 private:
  static constexpr size_t kLineBytes = kSlot == 32 ? 128 : 64;
  // 7 x (8 + 1), 3 x (16 + 4), 3 x (32 + 8).
  using NarrowMeta = std::conditional_t<kSlot == 8, uint8_t, std::conditional_t<kSlot == 16, uint32_t, uint64_t>>;

  template <typename M>
  struct Layout {
    using Meta = M;
    static constexpr uint32_t kSlots = kLineBytes / (kSlot + sizeof(Meta));
    static constexpr Cost kMaxG =
        sizeof(Meta) == 8 ? kInfinity - 1 : static_cast<Cost>(std::numeric_limits<Meta>::max() / 2 - 1);

    static Meta Read(const std::byte* line, uint32_t i) {
      Meta meta;
      std::memcpy(&meta, line + kSlots * kSlot + i * sizeof(Meta), sizeof meta);
      return meta;
    }
    static void Write(std::byte* line, uint32_t i, Meta meta) {
      std::memcpy(line + kSlots * kSlot + i * sizeof(Meta), &meta, sizeof meta);
    }
    static Meta Open(Cost g) { return static_cast<Meta>((static_cast<uint64_t>(g) + 1) * 2); }
    static Cost G(Meta meta) { return static_cast<Cost>(static_cast<uint64_t>(meta) / 2 - 1); }

    // Slots fill up in order: how many are.
    static uint32_t Filled(const std::byte* line) {
      if constexpr (sizeof(Meta) == 1) {
        // Seven metas and a byte that is always zero: the position of the first zero byte.
        const uint64_t word = LoadWord(line + kSlots * kSlot);
        const uint64_t zeros = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
        return static_cast<uint32_t>(__builtin_ctzll(zeros)) / 8;  // never 0: the last byte is zero
      } else {
        uint32_t n = 0;
        while (n < kSlots && Read(line, n) != 0) ++n;
        return n;
      }
    }
    // The slot of a key among the first `filled`; `filled` or more: none.
    static uint32_t Find(const std::byte* line, uint32_t filled, const std::byte* key) {
      if constexpr (kSlot == 8) {
        return MatchSlot(line, filled, LoadWord(key));
      } else {
        uint32_t i = 0;
        while (i < filled && std::memcmp(line + i * kSlot, key, kSlot) != 0) ++i;
        return i;
      }
    }
    static void Fill(std::byte* line, uint32_t i, const std::byte* key, Meta meta) {
      std::memcpy(line + i * kSlot, key, kSlot);
      if constexpr (sizeof(Meta) == 1) {
        // All metas at once: a word that is read after one byte of it was written waits for that byte.
        const uint64_t word = LoadWord(line + kSlots * kSlot) | uint64_t{meta} << (8 * i);
        std::memcpy(line + kSlots * kSlot, &word, sizeof word);
      } else {
        Write(line, i, meta);
      }
    }
  };
  using Narrow = Layout<NarrowMeta>;
  using Wide = Layout<uint64_t>;
  using Segments = LineSegments<kLineBytes>;
  using Segment = typename Segments::Segment;

  template <typename L>
  Verdict PutIn(const std::byte* key, uint64_t hash, Cost g) {
    Segment& segment = lines_.Of(hash);
    const typename L::Meta open = L::Open(g);
    for (uint64_t at = segment.First(hash);; at = segment.After(at)) {
      std::byte* line = segment.Line(at);
      const uint32_t filled = L::Filled(line);
      const uint32_t i = L::Find(line, filled, key);
      if (i < filled) {
        const typename L::Meta meta = L::Read(line, i);
        if ((meta & ~typename L::Meta{1}) <= open) return Verdict::kDuplicate;
        if ((meta & 1) != 0 && !reopen_) return Verdict::kDuplicate;
        L::Write(line, i, open);
        return (meta & 1) != 0 ? Verdict::kReopened : Verdict::kUpdated;
      }
      if (filled == L::kSlots) continue;
      L::Fill(line, filled, key, open);
      ++size_;
      lines_.CountEntry(segment, Mover<L, L>());
      return Verdict::kNew;
    }
  }

  // The line of a key and its slot there; null: it was never entered.
  template <typename L>
  std::byte* Locate(const std::byte* key, uint64_t hash, uint32_t& slot) const {
    const Segment& segment = lines_.Of(hash);
    for (uint64_t at = segment.First(hash);; at = segment.After(at)) {
      std::byte* line = segment.Line(at);
      const uint32_t filled = L::Filled(line);
      slot = L::Find(line, filled, key);
      if (slot < filled) return line;
      if (filled < L::kSlots) return nullptr;
    }
  }

  template <typename L>
  bool CloseIn(const std::byte* key, uint64_t hash, Cost g) {
    uint32_t slot;
    std::byte* line = Locate<L>(key, hash, slot);
    if (line == nullptr || L::Read(line, slot) != L::Open(g)) return false;
    L::Write(line, slot, static_cast<typename L::Meta>(L::Open(g) | 1));
    return true;
  }

  template <typename L>
  Cost GetIn(const std::byte* key, uint64_t hash) const {
    uint32_t slot;
    const std::byte* line = Locate<L>(key, hash, slot);
    return line != nullptr ? L::G(L::Read(line, slot)) : -1;
  }

  // Streams the entries of one segment into others. Places rise with hashes: both sides go in order.
  template <typename From, typename To>
  struct Mover {
    template <typename Visit>
    void operator()(const Segment& from, Visit visit) const {
      for (uint64_t at = 0; at < from.lines; ++at) {
        const std::byte* line = from.Line(at);
        const uint32_t filled = From::Filled(line);
        for (uint32_t i = 0; i < filled; ++i) {
          const typename From::Meta meta = From::Read(line, i);
          const std::byte* key = line + i * kSlot;
          const uint64_t hash = HashSlot<kSlot>(key);
          visit(hash, [=](Segment& to) { Enter<To>(to, hash, key, static_cast<typename To::Meta>(meta)); });
        }
      }
    }
  };

  template <typename L>
  static void Enter(Segment& segment, uint64_t hash, const std::byte* key, typename L::Meta meta) {
    for (uint64_t at = segment.First(hash);; at = segment.After(at)) {
      std::byte* line = segment.Line(at);
      const uint32_t filled = L::Filled(line);
      if (filled == L::kSlots) continue;
      L::Fill(line, filled, key, meta);
      return;
    }
  }

  void Widen() {
    lines_.RebuildAll(Wide::kSlots, Mover<Narrow, Wide>());
    wide_ = true;
  }

  Segments lines_;
  size_t size_ = 0;
  const bool reopen_;
  bool wide_ = false;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_TABLE_H_
