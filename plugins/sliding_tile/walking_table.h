// The table behind walking distance, for moves across the lines of one kind: up and down across rows, or left and right
// across columns. Here "line" is a row, or a column.
//
// A board is reduced to how many tiles of each home line stand in each line, and the line of the blank. A move takes
// the blank to a neighbouring line and any tile of that line back. The table holds the fewest such moves to the goal,
// by breadth-first search from it, and for each reduced board where every move leads, so that a search steps from one
// number to the next.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_WALKING_TABLE_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_WALKING_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "astrolabe/sdk/host.h"

namespace sliding_tile {

// What the table depends on, and nothing else: whatever the goal, tiles of one home line are alike.
struct WalkingShape {
  int lines;
  int length;      // squares in a line
  int blank_home;  // the line of the blank in the goal
  bool operator==(const WalkingShape&) const = default;
};

class WalkingTable {
 public:
  static constexpr int kMaxLines = 6;
  static constexpr int kMaxSides = 8;

  struct Counts {
    std::array<std::array<int, kMaxLines>, kMaxLines> tiles = {};  // [line][home]
    int blank_line = 0;
  };

  // Lines at most kMaxLines, and lines + length at most kMaxSides: the largest table has 367,560 reduced boards then
  // (25 MB), and the next ones millions. Throws astro::Cancelled.
  WalkingTable(const WalkingShape& shape, const astro::Host& host);

  // Of a board of this shape. kNone never comes of one that was counted right.
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t IndexOf(const Counts& counts) const { return Find(KeyOf(counts)); }

  int moves(uint32_t index) const { return moves_[index]; }
  // After the blank went to the next line (`forward`) or the one before, and a tile of home line `home` back.
  uint32_t Next(uint32_t index, bool forward, int home) const {
    return links_[(size_t{index} * 2 + (forward ? 1 : 0)) * lines_ + static_cast<size_t>(home)];
  }

  int max_moves() const { return moves_.back(); }
  size_t size() const { return moves_.size(); }
  uint64_t bytes() const {
    return moves_.size() * sizeof(moves_[0]) + links_.size() * sizeof(links_[0]) + keys_.size() * sizeof(keys_[0]) +
           slots_.size() * sizeof(slots_[0]);
  }

 private:
  uint64_t KeyOf(const Counts& counts) const;
  Counts CountsOf(uint64_t key) const;
  size_t SlotOf(uint64_t key) const;
  uint32_t Find(uint64_t key) const { return slots_[SlotOf(key)]; }
  uint32_t FindOrAdd(uint64_t key, int moves);
  void Grow();
  void Expand(uint32_t index);

  WalkingShape shape_;
  size_t lines_;
  int bits_;                     // of one count in a key
  std::vector<uint64_t> keys_;   // of each reduced board, nearest the goal first
  std::vector<uint16_t> moves_;  // to the goal
  std::vector<uint32_t> links_;  // [board][backward, forward][home]; kNone: no such move
  std::vector<uint32_t> slots_;  // open addressing: index of a board, or kNone; a power of two of them
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_WALKING_TABLE_H_
