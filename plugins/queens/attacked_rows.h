// The rows of a column in which a queen would be attacked by those of the columns before it.
#ifndef ASTROLABE_PLUGINS_QUEENS_ATTACKED_ROWS_H_
#define ASTROLABE_PLUGINS_QUEENS_ATTACKED_ROWS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "astrolabe/queens/board.h"
#include "plugins/queens/placement.h"

namespace queens {

// For boards of the incremental formulation: no more than kMaxIncrementalQueens.
class AttackedRows {
 public:
  // Linear in `column`. The columns before it have queens.
  AttackedRows(const Board& board, uint32_t column) {
    const uint32_t queens = board.queens();
    for (size_t i = 0; i <= queens / 64; ++i) words_[i] = 0;
    for (uint32_t before = 0; before < column; ++before) {
      const uint32_t row = board.row(before);
      const uint32_t away = column - before;
      Set(row);
      if (row >= away) Set(row - away);
      if (row + away < queens) Set(row + away);
    }
  }
  bool operator[](uint32_t row) const { return (words_[row / 64] >> (row % 64) & 1) != 0; }

 private:
  void Set(uint32_t row) { words_[row / 64] |= uint64_t{1} << (row % 64); }

  std::array<uint64_t, kMaxIncrementalQueens / 64 + 1> words_;  // those of the board are set
};

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_ATTACKED_ROWS_H_
