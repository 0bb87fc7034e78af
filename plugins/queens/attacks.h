// Which queens attack each other. Two queens attack each other when they are in one row or on one diagonal, whatever
// stands between them; columns hold one queen each.
//
// Counts are kept of each row and of each of the 2 n - 1 diagonals of either direction, so that a queen is put down or
// looked at in constant time. Everything is inline, for the hot loops of more than one library.
#ifndef ASTROLABE_PLUGINS_QUEENS_ATTACKS_H_
#define ASTROLABE_PLUGINS_QUEENS_ATTACKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace queens {

// How many queens stand on each line. The memory is the caller's. One thread at a time for changes.
//
// A count is a byte, for local search reads them all over the board: 5 MB for a million queens stay near, 20 MB would
// not. On a random board lines have a few queens; a given one may have all of them in one row, and so a line of kFull
// or more has its count in a second array, which is not touched otherwise.
class LineCounts {
 public:
  // In numbers of four bytes.
  static constexpr size_t Size(uint32_t queens) { return Lines(queens) + (Lines(queens) + 3) / 4; }

  // `memory`: Size(queens) numbers, of any value until Clear.
  LineCounts(uint32_t queens, uint32_t* memory)
      : queens_(queens),
        row_(reinterpret_cast<uint8_t*>(memory + Lines(queens))),
        sum_(row_ + queens),
        difference_(sum_ + 2 * size_t{queens} - 1),
        large_(memory) {}

  void Clear() {
    std::fill_n(row_, Lines(queens_), uint8_t{0});
    full_ = 0;
  }
  void Add(uint32_t column, uint32_t row) {
    Increase(Row(row));
    Increase(Sum(column, row));
    Increase(Difference(column, row));
  }
  void Remove(uint32_t column, uint32_t row) {
    Decrease(Row(row));
    Decrease(Sum(column, row));
    Decrease(Difference(column, row));
  }

  // Queens on the three lines of a square. One that stands on the square itself counts three times.
  int32_t At(uint32_t column, uint32_t row) const {
    return Count(Row(row)) + Count(Sum(column, row)) + Count(Difference(column, row));
  }
  // Asks for the counts of a square that is looked at soon.
  void Prefetch(uint32_t column, uint32_t row) const {
    __builtin_prefetch(row_ + Row(row));
    __builtin_prefetch(row_ + Sum(column, row));
    __builtin_prefetch(row_ + Difference(column, row));
  }

  // True: the counts below may be used, no line has more queens than a byte holds.
  bool bytes_suffice() const { return full_ == 0; }
  // The counts for the squares of one column, by row: At is the sum of the three.
  const uint8_t* of_row() const { return row_; }
  const uint8_t* of_sum(uint32_t column) const { return sum_ + column; }
  const uint8_t* of_difference(uint32_t column) const { return difference_ + (queens_ - 1 - column); }

 private:
  static constexpr uint8_t kFull = std::numeric_limits<uint8_t>::max();

  // Lines are numbered: rows, then the diagonals by column + row, then those by queens - 1 - column + row.
  static constexpr size_t Lines(uint32_t queens) { return 5 * size_t{queens} - 2; }
  static size_t Row(uint32_t row) { return row; }
  size_t Sum(uint32_t column, uint32_t row) const { return size_t{queens_} + column + row; }
  size_t Difference(uint32_t column, uint32_t row) const { return size_t{queens_} * 4 - 2 - column + row; }

  int32_t Count(size_t line) const {
    const uint8_t count = row_[line];
    if (count == kFull) [[unlikely]]
      return static_cast<int32_t>(large_[line]);
    return count;
  }
  void Increase(size_t line) {
    if (row_[line] < kFull - 1) [[likely]] {
      ++row_[line];
    } else if (row_[line] < kFull) {
      row_[line] = kFull;
      large_[line] = kFull;
      ++full_;
    } else {
      ++large_[line];
    }
  }
  void Decrease(size_t line) {
    if (row_[line] < kFull) [[likely]] {
      --row_[line];
    } else if (--large_[line] < kFull) {
      row_[line] = kFull - 1;
      --full_;
    }
  }

  uint32_t queens_;
  uint8_t* row_;         // and, behind it, those of the other lines
  uint8_t* sum_;         // by column + row
  uint8_t* difference_;  // by queens - 1 - column + row
  uint32_t* large_;      // of all lines; of those that are full
  uint32_t full_ = 0;    // lines
};

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_ATTACKS_H_
