// Counts attacking pairs of a board from nothing.
#ifndef ASTROLABE_PLUGINS_QUEENS_PAIRS_H_
#define ASTROLABE_PLUGINS_QUEENS_PAIRS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "astrolabe/queens/board.h"

namespace queens {

// Lines by direction. Row 0 is the top.
enum class Family { kRow, kRising, kFalling };
inline constexpr std::array<Family, 3> kFamilies = {Family::kRow, Family::kRising, Family::kFalling};

// The lines of a family are numbered from 0 to less than this.
constexpr size_t LinesOf(uint32_t queens) { return 2 * size_t{queens} - 1; }

constexpr uint32_t LineOf(Family family, uint32_t queens, uint32_t column, uint32_t row) {
  switch (family) {
    case Family::kRow:
      return row;
    case Family::kRising:
      return column + row;
    default:
      return queens - 1 - column + row;
  }
}

// Pairs of queens in the first `columns` columns that share a line of the family, whatever stands between them.
// `counts`: LinesOf(queens) numbers for scratch. One family at a time, so that a million queens need 8 MB.
inline int64_t CountPairs(Family family, const Board& board, uint32_t columns, uint32_t* counts) {
  const uint32_t queens = board.queens();
  std::fill_n(counts, LinesOf(queens), 0);
  int64_t pairs = 0;
  for (uint32_t column = 0; column < columns; ++column) {
    pairs += counts[LineOf(family, queens, column, board.row(column))]++;
  }
  return pairs;
}

inline int64_t CountPairs(const Board& board, uint32_t columns, uint32_t* counts) {
  int64_t pairs = 0;
  for (const Family family : kFamilies) pairs += CountPairs(family, board, columns, counts);
  return pairs;
}

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_PAIRS_H_
