#include "plugins/sliding_tile/pattern_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace sliding_tile {
namespace {

// Two placements at once are found where each is found alone, and no two at one place.
TEST(PatternIndex, FindsTwoPlacementsAtOnce) {
  std::mt19937 random(8);
  for (const int cells : {8, 9, 12, 16}) {
    for (const int tiles : {7, 8}) {
      if (tiles >= cells) continue;
      const PatternIndex index(cells, tiles);
      const auto place = [&] {
        std::vector<uint8_t> squares(static_cast<size_t>(cells));
        std::iota(squares.begin(), squares.end(), uint8_t{0});
        std::shuffle(squares.begin(), squares.end(), random);
        squares.resize(static_cast<size_t>(tiles));
        return squares;
      };
      const auto word_of = [](const std::vector<uint8_t>& squares) {
        uint32_t word = ~uint32_t{0};
        for (size_t i = squares.size(); i-- > 0;) word = word << 4 | squares[i];
        return word;
      };
      const auto set_of = [](const std::vector<uint8_t>& squares) {
        uint32_t set = 0;
        for (const uint8_t square : squares) set |= 1u << square;
        return set;
      };
      for (int i = 0; i < 2000; ++i) {
        const std::vector<uint8_t> a = place();
        const std::vector<uint8_t> b = place();
        const auto order = OrderRanks(word_of(a), word_of(b));
        ASSERT_EQ(index.EntryOf(set_of(a), order[0]), index.Find([&](int slot) { return a[slot]; }));
        ASSERT_EQ(index.EntryOf(set_of(b), order[1]), index.Find([&](int slot) { return b[slot]; }));
      }
    }
  }
}

TEST(PatternIndex, NumbersTheOrdersWithoutAGap) {
  std::vector<uint8_t> squares = {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<bool> met(40320);
  do {
    uint32_t word = 0;
    for (size_t i = squares.size(); i-- > 0;) word = word << 4 | squares[i];
    const uint32_t rank = OrderRanks(word, 0)[0];
    ASSERT_LT(rank, met.size());
    ASSERT_FALSE(met[rank]);
    met[rank] = true;
  } while (std::next_permutation(squares.begin(), squares.end()));
}

}  // namespace
}  // namespace sliding_tile
