// Builds the table of a pattern: for every placement of its tiles the fewest moves of those tiles that bring them home,
// the other tiles being as good as blanks.
//
// Breadth-first search from the goal, backwards, over pairs of a placement and the region of free squares that the
// blank is in: within a region it moves for nothing. The table keeps the best region of each placement.
//
// The pairs are kept as bits. All placements on one set of squares with the blank in one region are a block of k! bits;
// a move takes a whole block to another one. When the moved tile passes no other tile of the pattern the orders stay
// what they are, and the block is joined to the other word by word; else bit by bit, through a map of order ranks.
// A block is written by one thread: each looks where its placements can have come from.
//
// Every move takes a tile from a white square to a black one or back, so a set of squares is met after even numbers of
// moves or after odd ones, never both: one array holds the placements found last and those found now.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_BUILDER_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_BUILDER_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "astrolabe/sdk/host.h"
#include "astrolabe/sdk/host_vector.h"
#include "plugins/sliding_tile/pattern_index.h"

namespace sliding_tile {

// All that a table depends on.
struct PatternShape {
  int rows = 0;
  int cols = 0;
  std::vector<uint8_t> squares;  // where slot 0, 1, ... belongs; ascending
  uint8_t blank = 0;             // the lowest square of the region that the blank is in then
  int cells() const { return rows * cols; }
  auto operator<=>(const PatternShape&) const = default;
};

// The squares that a blank on `blank` gets to without moving a tile of a pattern on `occupied`.
uint64_t BlankRegion(int rows, int cols, uint64_t occupied, int blank);

class PatternBuilder {
 public:
  // `what`: named in progress. All memory that grows with the board is the host's, here and in Run. Throws
  // std::bad_alloc when its budget has no room, and astro::Cancelled.
  PatternBuilder(const PatternShape& shape, const PatternIndex& index, const astro::Host& host, std::string what);

  // Fills `table`, index.size() zeroed bytes; entries that no board leads to stay 0. Once. Throws std::bad_alloc,
  // astro::Cancelled, and astro::Refused when a distance does not fit a byte.
  void Run(std::span<std::byte> table);

 private:
  using Bits = uint64_t;
  class Blocks;

  void ListSets();
  void MapOrders();
  uint32_t BlockOf(uint32_t set, int square) const {
    return first_block_[set] + region_[size_t{set} * cells_ + static_cast<size_t>(square)];
  }
  void Seed();
  void ExpandSets(uint32_t begin, uint32_t end);
  int GatherBlock(uint32_t set, uint32_t block, Bits* found) const;
  void Join(uint32_t from_block, int i, int j, Bits* found) const;
  void Record(uint32_t set, uint32_t block, const Bits* found);
  uint64_t EntryOf(uint32_t set, uint32_t order) const;
  // Of the moves after which this set of squares is met, taken from those of the goal's: 0 even, 1 odd.
  int ParityOf(uint64_t set) const { return (std::popcount(set & black_) + goal_parity_) & 1; }

  const PatternShape& shape_;
  const PatternIndex& index_;
  const astro::Host& host_;
  const std::string what_;
  const size_t cells_;
  const uint32_t orders_;
  const size_t words_;  // of a block

  std::vector<uint64_t> adjacent_;  // squares next to each square
  uint64_t black_ = 0;              // squares, as on a chess board
  int goal_parity_ = 0;
  astro::HostVector<uint64_t> sets_;            // by rank
  astro::HostVector<uint32_t> first_block_;     // of each set; one more at the end
  astro::HostVector<uint8_t> region_;           // [set][square]: number of the free square's region
  astro::HostVector<uint32_t> slots_of_order_;  // the slot on the i-th lowest square of a set in bits 4i .. 4i + 3
  std::vector<astro::HostVector<uint16_t>> order_maps_;  // [i * tiles + j]: the i-th tile becomes the j-th

  // Bits of blocks, and one byte a block: it is not all zero.
  Bits* visited_ = nullptr;
  Bits* frontier_ = nullptr;
  Bits* recorded_ = nullptr;  // a block a set, whatever the region
  astro::HostVector<uint8_t> in_frontier_;
  std::byte* table_ = nullptr;
  int moves_ = 0;
  std::atomic<uint64_t> entries_{0};
  std::atomic<bool> more_{false};
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_BUILDER_H_
