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

namespace queens {

// How many queens stand on each line. The memory is the caller's. One thread at a time for changes.
class LineCounts {
 public:
  // In numbers.
  static constexpr size_t Size(uint32_t queens) { return 5 * size_t{queens} - 2; }

  // `memory`: Size(queens) numbers, of any value until Clear.
  LineCounts(uint32_t queens, int32_t* memory)
      : queens_(queens), row_(memory), sum_(memory + queens), difference_(sum_ + 2 * size_t{queens} - 1) {}

  void Clear() { std::fill_n(row_, Size(queens_), 0); }
  void Add(uint32_t column, uint32_t row) { Change(column, row, 1); }
  void Remove(uint32_t column, uint32_t row) { Change(column, row, -1); }

  // Queens on the three lines of a square. One that stands on the square itself counts three times.
  int32_t At(uint32_t column, uint32_t row) const {
    return row_[row] + of_sum(column)[row] + of_difference(column)[row];
  }
  // The counts for the squares of one column, by row: At is the sum of the three.
  const int32_t* of_row() const { return row_; }
  const int32_t* of_sum(uint32_t column) const { return sum_ + column; }
  const int32_t* of_difference(uint32_t column) const { return difference_ + (queens_ - 1 - column); }

 private:
  void Change(uint32_t column, uint32_t row, int32_t by) {
    row_[row] += by;
    sum_[column + row] += by;
    difference_[queens_ - 1 - column + row] += by;
  }

  uint32_t queens_;
  int32_t* row_;
  int32_t* sum_;         // by column + row
  int32_t* difference_;  // by queens - 1 - column + row
};

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_ATTACKS_H_
