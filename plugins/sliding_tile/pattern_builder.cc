#include "plugins/sliding_tile/pattern_builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

namespace sliding_tile {
namespace {

constexpr int kMaxMoves = 254;
constexpr uint64_t kSetTasks = 256;                  // of a level
constexpr uint64_t kClearBytes = uint64_t{1} << 20;  // in one task
// Words of bits that are worked on between two looks at whether the build is cancelled. One block is never cut.
constexpr size_t kWordsAPoll = 2048;

std::vector<uint64_t> Adjacent(int rows, int cols) {
  std::vector<uint64_t> adjacent(static_cast<size_t>(rows * cols));
  for (int square = 0; square < rows * cols; ++square) {
    const int row = square / cols;
    const int col = square % cols;
    uint64_t next = 0;
    if (row > 0) next |= uint64_t{1} << (square - cols);
    if (col > 0) next |= uint64_t{1} << (square - 1);
    if (col + 1 < cols) next |= uint64_t{1} << (square + 1);
    if (row + 1 < rows) next |= uint64_t{1} << (square + cols);
    adjacent[square] = next;
  }
  return adjacent;
}

uint64_t Flood(const std::vector<uint64_t>& adjacent, uint64_t occupied, int from) {
  uint64_t region = 0;
  for (uint64_t open = uint64_t{1} << from; open != 0;) {
    const int square = std::countr_zero(open);
    region |= uint64_t{1} << square;
    open = (open | adjacent[square]) & ~occupied & ~region;
  }
  return region;
}

// Of squares of `set` below `square`.
int RankIn(uint64_t set, int square) { return std::popcount(set & ((uint64_t{1} << square) - 1)); }

}  // namespace

uint64_t BlankRegion(int rows, int cols, uint64_t occupied, int blank) {
  return Flood(Adjacent(rows, cols), occupied, blank);
}

PatternBuilder::PatternBuilder(const PatternShape& shape, const PatternIndex& index, const astro::Host& host,
                               std::string what)
    : shape_(shape),
      index_(index),
      host_(host),
      what_(std::move(what)),
      cells_(static_cast<size_t>(shape.cells())),
      orders_(index.orders()),
      words_((orders_ + 63) / 64),
      adjacent_(Adjacent(shape.rows, shape.cols)),
      sets_(astro::HostAllocator<uint64_t>(host)),
      first_block_(astro::HostAllocator<uint32_t>(host)),
      region_(astro::HostAllocator<uint8_t>(host)),
      slots_of_order_(astro::HostAllocator<uint32_t>(host)),
      in_frontier_(astro::HostAllocator<uint8_t>(host)) {
  for (int square = 0; square < shape.cells(); ++square) {
    if ((square / shape.cols + square % shape.cols) % 2 == 1) black_ |= uint64_t{1} << square;
  }
  ListSets();
  MapOrders();
}

void PatternBuilder::ListSets() {
  sets_.reserve(index_.sets());
  first_block_.reserve(index_.sets() + 1);
  region_.resize(index_.sets() * cells_);
  // All masks of that many bits, in ascending order (Gosper).
  uint64_t set = (uint64_t{1} << index_.tiles()) - 1;
  uint32_t blocks = 0;
  for (uint64_t rank = 0; rank < index_.sets(); ++rank) {
    if (rank % 512 == 0) host_.CheckCancelled();
    sets_.push_back(set);
    first_block_.push_back(blocks);
    uint64_t left = ~set & (cells_ == 64 ? ~uint64_t{0} : (uint64_t{1} << cells_) - 1);
    for (uint8_t number = 0; left != 0; ++number, ++blocks) {
      const uint64_t region = Flood(adjacent_, set, std::countr_zero(left));
      left &= ~region;
      for (uint64_t rest = region; rest != 0; rest &= rest - 1) {
        region_[rank * cells_ + static_cast<size_t>(std::countr_zero(rest))] = number;
      }
    }
    const uint64_t low = set & -set;
    const uint64_t ripple = set + low;
    set = ripple | ((set ^ ripple) >> 2) / low;
  }
  first_block_.push_back(blocks);
}

void PatternBuilder::MapOrders() {
  const int tiles = index_.tiles();
  using Slots = std::array<uint8_t, kMaxPatternTiles>;  // on the i-th lowest square
  const auto rank_of = [tiles](const Slots& slots) {
    Slots square = {};
    for (int i = 0; i < tiles; ++i) square[slots[i]] = static_cast<uint8_t>(i);
    return PatternIndex::OrderRank(square.data(), tiles);
  };
  slots_of_order_.resize(orders_);
  // The squares between two neighbours are at most a row, so that the maps are few.
  const int reach = std::max(1, std::min(tiles, shape_.cols) - 1);
  order_maps_.resize(static_cast<size_t>(tiles * tiles),
                     astro::HostVector<uint16_t>(astro::HostAllocator<uint16_t>(host_)));
  for (int i = 0; i < tiles; ++i) {
    for (int j = 0; j < tiles; ++j) {
      if (i != j && std::abs(i - j) <= reach) order_maps_[i * tiles + j].resize(orders_);
    }
  }
  Slots slots = {};
  std::iota(slots.begin(), slots.begin() + tiles, uint8_t{0});
  for (uint32_t n = 0; n < orders_; ++n, std::next_permutation(slots.begin(), slots.begin() + tiles)) {
    if (n % 128 == 0) host_.CheckCancelled();
    const uint32_t order = rank_of(slots);
    for (int i = 0; i < tiles; ++i) slots_of_order_[order] |= static_cast<uint32_t>(slots[i]) << (4 * i);
    for (int i = 0; i < tiles; ++i) {
      for (int j = std::max(0, i - reach); j <= std::min(tiles - 1, i + reach); ++j) {
        if (i == j) continue;
        Slots moved = slots;
        if (i < j) {
          std::rotate(moved.begin() + i, moved.begin() + i + 1, moved.begin() + j + 1);
        } else {
          std::rotate(moved.begin() + j, moved.begin() + i, moved.begin() + i + 1);
        }
        order_maps_[i * tiles + j][order] = static_cast<uint16_t>(rank_of(moved));
      }
    }
  }
}

uint64_t PatternBuilder::EntryOf(uint32_t set, uint32_t order) const {
  if (!index_.sparse()) return uint64_t{set} * orders_ + order;
  uint64_t entry = 0;
  uint32_t slots = slots_of_order_[order];
  for (uint64_t rest = sets_[set]; rest != 0; rest &= rest - 1, slots >>= 4) {
    entry |= static_cast<uint64_t>(std::countr_zero(rest)) << (4 * (slots & 15));
  }
  return entry;
}

void PatternBuilder::Run(std::span<std::byte> table) {
  const uint64_t block_bytes = words_ * sizeof(Bits);
  const uint64_t blocks = first_block_.back();
  in_frontier_.resize(blocks);
  const astro::HostMemory memory(host_, (2 * blocks + index_.sets()) * block_bytes);
  const uint64_t clears = (memory.size() + kClearBytes - 1) / kClearBytes;
  host_.ParallelFor(clears, [&](uint64_t i) {
    if (host_.cancelled()) return;
    std::memset(memory.data() + i * kClearBytes, 0, std::min(kClearBytes, memory.size() - i * kClearBytes));
  });
  host_.CheckCancelled();
  visited_ = reinterpret_cast<Bits*>(memory.data());
  frontier_ = visited_ + blocks * words_;
  recorded_ = frontier_ + blocks * words_;
  table_ = table.data();
  Seed();

  const uint64_t sets = index_.sets();
  const uint64_t step = (sets + kSetTasks - 1) / kSetTasks;
  const double total = static_cast<double>(sets) * orders_;
  do {
    if (moves_ == kMaxMoves) {
      throw astro::Refused("a pattern of this board has distances above " + std::to_string(kMaxMoves),
                           "use smaller patterns");
    }
    ++moves_;
    more_ = false;
    host_.ParallelFor((sets + step - 1) / step, [&](uint64_t i) {
      ExpandSets(static_cast<uint32_t>(i * step), static_cast<uint32_t>(std::min(sets, (i + 1) * step)));
    });
    host_.CheckCancelled();
    host_.Progress(what_, static_cast<double>(entries_) / total);
  } while (more_);
}

void PatternBuilder::Seed() {
  uint64_t set = 0;
  for (const uint8_t square : shape_.squares) set |= uint64_t{1} << square;
  const uint32_t rank = index_.SetRank(set);
  const uint32_t block = BlockOf(rank, shape_.blank);
  // Slots stand in the order of their squares: order rank 0. The distance is what the table has: 0.
  visited_[block * words_] |= 1;
  frontier_[block * words_] |= 1;
  recorded_[rank * words_] |= 1;
  in_frontier_[block] = 1;
  goal_parity_ = std::popcount(set & black_) & 1;
  entries_ = 1;
}

void PatternBuilder::ExpandSets(uint32_t begin, uint32_t end) {
  std::array<Bits, 630> found;  // 8! bits
  size_t words = kWordsAPoll;   // since the last look
  for (uint32_t set = begin; set < end; ++set) {
    if (ParityOf(sets_[set]) != moves_ % 2) continue;
    for (uint32_t block = first_block_[set]; block < first_block_[set + 1]; ++block) {
      if (words >= kWordsAPoll) {
        if (host_.cancelled()) return;
        words = 0;
      }
      words += words_;
      if (const int joined = GatherBlock(set, block, found.data()); joined > 0) {
        words += static_cast<size_t>(joined) * words_;
        Record(set, block, found.data());
      } else if (in_frontier_[block] != 0) {
        std::fill_n(frontier_ + block * words_, words_, 0);
        in_frontier_[block] = 0;
      }
    }
  }
}

// Joins the blocks one move before this one, and says how many. 0: all of them are empty, and `found` is not written.
int PatternBuilder::GatherBlock(uint32_t set, uint32_t block, Bits* found) const {
  const uint64_t occupied = sets_[set];
  int joined = 0;
  // A tile went from `from`, which is free now, to `to`; the blank the other way.
  for (uint64_t tiles = occupied; tiles != 0; tiles &= tiles - 1) {
    const int to = std::countr_zero(tiles);
    for (uint64_t free = adjacent_[to] & ~occupied; free != 0; free &= free - 1) {
      const int from = std::countr_zero(free);
      if (BlockOf(set, from) != block) continue;
      const uint64_t before = occupied ^ uint64_t { 1 } << from ^ uint64_t { 1 } << to;
      const uint32_t from_block = BlockOf(index_.SetRank(before), to);
      if (in_frontier_[from_block] == 0) continue;
      if (joined++ == 0) std::fill_n(found, words_, 0);
      Join(from_block, RankIn(before, from), RankIn(occupied, to), found);
    }
  }
  return joined;
}

void PatternBuilder::Join(uint32_t from_block, int i, int j, Bits* found) const {
  const Bits* bits = frontier_ + from_block * words_;
  if (i == j) {
    for (size_t word = 0; word < words_; ++word) found[word] |= bits[word];
    return;
  }
  const uint16_t* map = order_maps_[i * index_.tiles() + j].data();
  for (size_t word = 0; word < words_; ++word, map += 64) {
    for (Bits rest = bits[word]; rest != 0; rest &= rest - 1) {
      const uint32_t order = map[std::countr_zero(rest)];
      found[order / 64] |= Bits{1} << (order % 64);
    }
  }
}

void PatternBuilder::Record(uint32_t set, uint32_t block, const Bits* found) {
  Bits* const visited = visited_ + block * words_;
  Bits* const next = frontier_ + block * words_;
  Bits* const recorded = recorded_ + set * words_;
  Bits any = 0;
  uint64_t entries = 0;
  for (size_t word = 0; word < words_; ++word) {
    const Bits fresh = found[word] & ~visited[word];
    next[word] = fresh;
    if (fresh == 0) continue;
    any |= fresh;
    visited[word] |= fresh;
    const Bits first = fresh & ~recorded[word];
    recorded[word] |= first;
    for (Bits rest = first; rest != 0; rest &= rest - 1, ++entries) {
      const auto order = static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(rest)));
      table_[EntryOf(set, order)] = static_cast<std::byte>(moves_);
    }
  }
  in_frontier_[block] = any != 0 ? 1 : 0;
  if (any != 0) more_.store(true, std::memory_order_relaxed);
  entries_.fetch_add(entries, std::memory_order_relaxed);
}

}  // namespace sliding_tile
