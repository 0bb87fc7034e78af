// LineSegments: the memory of an open-addressing hash table: cache lines in 64 segments that grow alone.
//
// 1. A hash picks a segment by its top 6 bits and a line of it by the next 32; a full line overflows into
//    the next one.
// 2. A segment that is full grows by 1.3 (by 2 while it is small), so the table never needs twice its
//    memory at once and a memory cap is used nearly to the full. Segments start at different sizes, so
//    they do not grow all at the same time.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SEGMENTS_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SEGMENTS_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

template <size_t kLineBytes>
class LineSegments {
 public:
  struct Segment {
    std::byte* data = nullptr;
    uint32_t lines = 0;
    uint32_t used = 0;   // entries
    uint32_t limit = 0;  // entries it grows at
    Block block;

    std::byte* Line(uint32_t i) const { return data + static_cast<size_t>(i) * kLineBytes; }
    uint32_t First(uint64_t hash) const {
      return static_cast<uint32_t>((((hash << kSegmentBits) >> 32) * lines) >> 32);
    }
    uint32_t After(uint32_t i) const { return i + 1 == lines ? 0 : i + 1; }
  };

  LineSegments(MemoryAccount& memory, uint32_t slots_per_line) : memory_(memory), slots_(slots_per_line) {
    for (size_t i = 0; i < kSegments; ++i) {
      const double stagger = std::exp2(static_cast<double>(i) / kSegments);
      segments_[i] = Make(static_cast<uint32_t>(kFirstLines * stagger));
    }
  }

  Segment& Of(uint64_t hash) { return segments_[hash >> (64 - kSegmentBits)]; }
  const Segment& Of(uint64_t hash) const { return segments_[hash >> (64 - kSegmentBits)]; }
  const std::byte* Place(uint64_t hash) const {
    const Segment& segment = Of(hash);
    return segment.Line(segment.First(hash));
  }

  // Counts one entry more; when that fills the segment, grows it: move(old, new) re-enters all entries.
  template <typename Move>
  void CountEntry(Segment& segment, Move move) {
    if (++segment.used > segment.limit) [[unlikely]] Rebuild(segment, Larger(segment.lines), move);
  }

  // Every segment anew, for another kind of line.
  template <typename Move>
  void RebuildAll(uint32_t slots_per_line, Move move) {
    const uint32_t old_slots = std::exchange(slots_, slots_per_line);
    for (Segment& segment : segments_) {
      const double lines = static_cast<double>(segment.lines) * old_slots / slots_per_line;
      Rebuild(segment, static_cast<uint32_t>(lines) + 1, move);
    }
  }

 private:
  static constexpr int kSegmentBits = 6;
  static constexpr size_t kSegments = size_t{1} << kSegmentBits;
  static constexpr uint32_t kFirstLines = 4;
  static constexpr uint32_t kSmallLines = 1024;
  static constexpr double kLoad = 0.85;

  static uint32_t Larger(uint32_t lines) {
    return lines < kSmallLines ? lines * 2 : static_cast<uint32_t>(lines * 1.3) + 1;
  }

  Segment Make(uint32_t lines) {
    Segment segment;
    segment.block = Block(memory_, static_cast<size_t>(lines) * kLineBytes);
    segment.data = segment.block.data();
    segment.lines = lines;
    segment.limit = static_cast<uint32_t>(lines * slots_ * kLoad);
    return segment;
  }

  template <typename Move>
  void Rebuild(Segment& segment, uint32_t lines, Move move) {
    Segment larger = Make(lines);
    larger.used = segment.used;
    move(static_cast<const Segment&>(segment), larger);
    std::swap(segment, larger);
  }

  MemoryAccount& memory_;
  uint32_t slots_;
  std::array<Segment, kSegments> segments_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SEGMENTS_H_
