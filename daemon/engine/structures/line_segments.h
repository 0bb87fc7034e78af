// LineSegments: the memory of an open-addressing hash table: lines in segments that grow alone.
//
// 1. A directory maps the top bits of a hash to a segment, the low 32 bits choose a line of it; a full
//    line overflows into the next one.
// 2. A full segment is rebuilt larger; at its largest size it is split in two by one more bit of the hash
//    (extendible hashing; Fagin and others, 1979). So a rebuild is a matter of milliseconds however large
//    the table is, no table ever needs twice its memory, and a small one costs a few KiB.
// 3. Growth factors differ from time to time, so segments do not all fill up at the same moment.
// 4. Large segments lie on huge pages: a look-up at a random place would miss the TLB nearly every time.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SEGMENTS_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SEGMENTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

template <size_t kLineBytes>
class LineSegments {
 public:
  static constexpr size_t kMostBytes = size_t{8} << 20;

  struct Segment {
    std::byte* data = nullptr;
    uint64_t lines = 0;
    uint64_t used = 0;   // entries
    uint64_t limit = 0;  // entries it grows at
    int depth = 0;       // bits of the hash that all its entries share
    uint32_t slots = 0;  // entries a line
    Block block;

    std::byte* Line(uint64_t i) const { return data + i * kLineBytes; }
    uint64_t First(uint64_t hash) const { return ((hash & 0xffffffffu) * lines) >> 32; }
    uint64_t After(uint64_t i) const { return i + 1 == lines ? 0 : i + 1; }
  };

  // `tables`: how many of them share the states of one search; they are rebuilt at about the same time. `most_bytes`:
  // of a segment, where a rebuild looks at more than its lines.
  LineSegments(MemoryAccount& memory, uint32_t slots_per_line, uint32_t tables = 1, size_t most_bytes = kMostBytes)
      : memory_(memory), slots_(slots_per_line) {
    // Rebuilds must stay a small part of the whole, under a cap and where several are under way; but no segment of a
    // large table may be too small for huge pages.
    const size_t most = tables == 1 ? kMostBytes : kMostBytes / 2;
    most_lines_ = std::clamp<uint64_t>(memory.cap_bytes() / 64 / tables, kLeastBytes, most) / kLineBytes;
    most_lines_ = std::min<uint64_t>(most_lines_, std::max(most_bytes, kFirstBytes) / kLineBytes);
    segments_.push_back(Make(kFirstBytes / kLineBytes, 0));
    directory_.push_back(segments_.back().get());
  }

  Segment& Of(uint64_t hash) { return *directory_[hash >> shift_ >> 1]; }
  const Segment& Of(uint64_t hash) const { return *directory_[hash >> shift_ >> 1]; }
  const std::byte* Place(uint64_t hash) const {
    const Segment& segment = Of(hash);
    return segment.Line(segment.First(hash));
  }

  // Counts one entry more. When that fills the segment it is rebuilt: for_each(old, visit) calls
  // visit(hash, enter) for every entry, and enter(segment) puts it there, uncounted.
  template <typename ForEach>
  void CountEntry(Segment& segment, ForEach for_each) {
    if (++segment.used > segment.limit) [[unlikely]]
      Grow(segment, for_each);
  }

  // Every segment anew, for another kind of line. When that throws std::bad_alloc, some may be rebuilt already: each
  // tells by its `slots`.
  template <typename ForEach>
  void RebuildAll(uint32_t slots_per_line, ForEach for_each) {
    const uint32_t old_slots = std::exchange(slots_, slots_per_line);
    for (std::unique_ptr<Segment>& segment : segments_) {
      std::unique_ptr<Segment> fresh = Make(segment->lines * old_slots / slots_ + 1, segment->depth);
      for_each(std::as_const(*segment), [&](uint64_t, auto enter) { enter(*fresh); });
      fresh->used = segment->used;
      std::swap(*segment, *fresh);
    }
  }

 private:
  static constexpr size_t kFirstBytes = size_t{4} << 10;
  static constexpr size_t kLeastBytes = size_t{16} << 10;
  static constexpr size_t kSmallBytes = size_t{2} << 20;
  static constexpr int kMaxDepth = 24;
  static constexpr uint64_t kLoadPercent = 85;

  std::unique_ptr<Segment> Make(uint64_t lines, int depth) {
    auto segment = std::make_unique<Segment>();
    segment->block = Block(memory_, lines * kLineBytes);
    segment->data = segment->block.data();
    segment->lines = lines;
    segment->limit = lines * slots_ * kLoadPercent / 100;
    segment->depth = depth;
    segment->slots = slots_;
    return segment;
  }

  // Twice while small, then 1.3, 1.4, ... 1.7, over and over.
  uint64_t Larger(uint64_t lines) {
    if (lines < std::min(kSmallBytes / kLineBytes, most_lines_ / 2)) return lines * 2;
    growths_ = (growths_ + 1) % 5;
    return lines * (130 + 10 * growths_) / 100 + 1;
  }

  template <typename ForEach>
  [[gnu::noinline]] void Grow(Segment& segment, ForEach for_each) {
    const uint64_t lines = Larger(segment.lines);
    if (lines > most_lines_ && segment.depth < kMaxDepth) return Split(segment, lines, for_each);
    std::unique_ptr<Segment> fresh = Make(lines, segment.depth);
    for_each(std::as_const(segment), [&](uint64_t, auto enter) { enter(*fresh); });
    fresh->used = segment.used;
    std::swap(segment, *fresh);
  }

  template <typename ForEach>
  [[gnu::noinline]] void Split(Segment& segment, uint64_t lines, ForEach for_each) {
    const int depth = segment.depth + 1;
    if ((size_t{1} << depth) > directory_.size()) DoubleDirectory();
    // Room for the lopsided half: entries fall to the halves by chance.
    std::unique_ptr<Segment> zero = Make(lines / 2 + lines / 64 + 1, depth);
    std::unique_ptr<Segment> one = Make(lines / 2 + lines / 64 + 1, depth);
    segments_.reserve(segments_.size() + 1);
    Segment* const halves[] = {zero.get(), one.get()};
    uint64_t prefix = 0;
    uint64_t ones = 0;
    for_each(std::as_const(segment), [&](uint64_t hash, auto enter) {
      prefix = hash >> (64 - depth);
      ones += prefix & 1;
      enter(*halves[prefix & 1]);
    });
    prefix >>= 1;
    one->used = ones;
    zero->used = segment.used - ones;
    // The directory's entries of the second half.
    const size_t span = directory_.size() >> depth;
    const size_t first = (prefix * 2 + 1) * span;
    std::fill_n(directory_.begin() + static_cast<std::ptrdiff_t>(first), span, one.get());
    std::swap(segment, *zero);
    segments_.push_back(std::move(one));
  }

  void DoubleDirectory() {
    std::vector<Segment*> doubled(directory_.size() * 2);
    for (size_t i = 0; i < doubled.size(); ++i) doubled[i] = directory_[i / 2];
    directory_ = std::move(doubled);
    --shift_;
  }

  MemoryAccount& memory_;
  uint32_t slots_;
  uint64_t most_lines_;
  uint64_t growths_ = 0;
  // 63 less the directory's bits: a shift by 64 would not be defined.
  int shift_ = 63;
  std::vector<Segment*> directory_;
  std::vector<std::unique_ptr<Segment>> segments_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_LINE_SEGMENTS_H_
