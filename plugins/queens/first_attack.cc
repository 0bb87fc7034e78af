#include "plugins/queens/first_attack.h"

#include <algorithm>
#include <array>
#include <memory>

namespace queens {
namespace {

// A bit for each row and for each diagonal, set once a queen stands on it.
class Lines {
 public:
  explicit Lines(uint32_t queens) : queens_(queens) {
    const size_t words = 5 * size_t{queens} / 64 + 1;
    if (words > few_.size()) many_ = std::make_unique<uint64_t[]>(words);
    words_ = many_ ? many_.get() : few_.data();
    std::fill_n(words_, words, 0);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  // False: one of the three lines was taken before.
  bool Take(uint32_t column, uint32_t row) {
    const size_t n = queens_;
    const bool free_row = Take(row);
    const bool free_sum = Take(n + column + row);
    const bool free_difference = Take(3 * n - 1 + (n - 1 - column) + row);
    return free_row && free_sum && free_difference;
  }

 private:
  bool Take(size_t line) {
    uint64_t& word = words_[line / 64];
    const uint64_t bit = uint64_t{1} << (line % 64);
    const bool free = (word & bit) == 0;
    word |= bit;
    return free;
  }

  const uint32_t queens_;
  std::array<uint64_t, 64> few_;
  std::unique_ptr<uint64_t[]> many_;
  uint64_t* words_;
};

bool Attacks(const Board& board, uint32_t left, uint32_t right) {
  const uint32_t a = board.row(left);
  const uint32_t b = board.row(right);
  return a == b || std::max(a, b) - std::min(a, b) == right - left;
}

}  // namespace

std::optional<Attack> FirstAttack(const Board& board, uint32_t columns) {
  Lines lines(board.queens());
  for (uint32_t column = 0; column < columns; ++column) {
    if (lines.Take(column, board.row(column))) continue;
    uint32_t left = 0;
    while (!Attacks(board, left, column)) ++left;
    return Attack{left, column};
  }
  return std::nullopt;
}

}  // namespace queens
