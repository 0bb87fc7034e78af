// Follows one complete board step by step: the number of attacking pairs and what each step would make of it, in
// constant time.
#ifndef ASTROLABE_PLUGINS_QUEENS_ATTACKING_PAIRS_TRAIL_H_
#define ASTROLABE_PLUGINS_QUEENS_ATTACKING_PAIRS_TRAIL_H_

#include <cstddef>
#include <cstdint>

#include "astrolabe/sdk/host.h"
#include "plugins/queens/attacks.h"

namespace queens {

// One thread. 30 bytes a queen, of which 9 are used but on boards with very many queens on one line.
class AttackingPairsTrail {
 public:
  // Throws std::bad_alloc when the host's budget has no room.
  AttackingPairsTrail(uint32_t queens, const astro::Host& host)
      : queens_(queens),
        memory_(host, (LineCounts::Size(queens) + queens) * sizeof(uint32_t)),
        counts_(queens, reinterpret_cast<uint32_t*>(memory_.data()) + queens),
        row_(reinterpret_cast<uint32_t*>(memory_.data())) {}

  void Bind(const uint32_t* rows) {
    counts_.Clear();
    pairs_ = 0;
    for (uint32_t column = 0; column < queens_; ++column) {
      if (column + kAhead < queens_) counts_.Prefetch(column + kAhead, rows[column + kAhead]);
      row_[column] = rows[column];
      pairs_ += counts_.At(column, rows[column]);
      counts_.Add(column, rows[column]);
    }
  }
  int64_t Objective() const { return pairs_; }

  int64_t Delta(uint32_t column, uint32_t row) const {
    return row == row_[column] ? 0 : counts_.At(column, row) - Attackers(column);
  }
  void Deltas(uint32_t first, uint32_t count, int64_t* out) const {
    // The classic board has code of its own: the compiler unrolls its loops.
    if (queens_ == 8) return DeltasOf<8>(first, count, out);
    if (counts_.bytes_suffice()) return DeltasOf<0>(first, count, out);
    for (uint32_t column = first; column - first < count; ++column) {
      for (uint32_t row = 0; row < queens_; ++row) *out++ = Delta(column, row);
    }
  }

  void Sample(uint32_t column, uint32_t n, const uint32_t* rows, int64_t* out) const {
    for (uint32_t i = 0; i < n; ++i) counts_.Prefetch(column, rows[i]);
    const int32_t attackers = Attackers(column);
    const uint32_t here = row_[column];
    for (uint32_t i = 0; i < n; ++i) out[i] = rows[i] == here ? 0 : counts_.At(column, rows[i]) - attackers;
  }

  void Commit(uint32_t column, uint32_t row) {
    pairs_ += Delta(column, row);
    counts_.Remove(column, row_[column]);
    counts_.Add(column, row);
    row_[column] = row;
  }

  // Columns are mostly asked for one after the other.
  bool InConflict(uint32_t column) const {
    if (column + kAhead < queens_) counts_.Prefetch(column + kAhead, row_[column + kAhead]);
    return Attackers(column) > 0;
  }

 private:
  static constexpr uint32_t kAhead = 16;  // columns

  // The pairs that the queen of a column is part of. It is counted itself on its three lines.
  int32_t Attackers(uint32_t column) const { return counts_.At(column, row_[column]) - 3; }

  // kQueens: 0, or their number.
  template <uint32_t kQueens>
  void DeltasOf(uint32_t first, uint32_t count, int64_t* out) const {
    const uint32_t queens = kQueens == 0 ? queens_ : kQueens;
    for (uint32_t column = first; column - first < count; ++column, out += queens) {
      const uint8_t* const in_row = counts_.of_row();
      const uint8_t* const in_sum = counts_.of_sum(column);
      const uint8_t* const in_difference = counts_.of_difference(column);
      const int32_t attackers = Attackers(column);
      for (uint32_t row = 0; row < queens; ++row) {
        out[row] = in_row[row] + in_sum[row] + in_difference[row] - attackers;
      }
      out[row_[column]] = 0;
    }
  }

  uint32_t queens_;
  astro::HostMemory memory_;
  LineCounts counts_;
  uint32_t* row_;  // of each column
  int64_t pairs_ = 0;
};

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_ATTACKING_PAIRS_TRAIL_H_
