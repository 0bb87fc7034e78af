// Conflicts in one row or column (Hansson, Mayer and Yung 1992): tiles that belong in this line and stand in it in the
// wrong order cannot all get to their places by moves along it. The fewest that must leave the line and come back are
// those outside a longest run of tiles in the right order; each of them costs two moves across the line that no
// Manhattan distance counts.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_LINE_CONFLICTS_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_LINE_CONFLICTS_H_

#include <cstdint>
#include <vector>

namespace sliding_tile {

// The tiles that must leave a line. `places`: for each of the `length` squares, 1 + the place in this line where its
// tile belongs, or 0 when it belongs elsewhere or there is none. Length 127 at most.
int CountRemovals(const uint8_t* places, int length);

// CountRemovals of all lines of one length, as a table over the places, 3 bits each.
class RemovalTable {
 public:
  static constexpr int kMaxLength = 6;  // 256 KiB
  static constexpr int kPlaceBits = 3;

  // length <= kMaxLength
  explicit RemovalTable(int length);

  // `line`: the place of square i in bits 3i .. 3i + 2.
  int operator[](uint32_t line) const { return removals_[line]; }
  uint64_t bytes() const { return removals_.size(); }

 private:
  std::vector<uint8_t> removals_;
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_LINE_CONFLICTS_H_
