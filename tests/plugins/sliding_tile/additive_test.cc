#include "plugins/sliding_tile/additive.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace sliding_tile {
namespace {

// Manhattan distance on 3 x 3, the goal blank-first.
std::vector<int8_t> Manhattan() {
  std::vector<int8_t> delta(9 * 9 * 9);
  const auto term = [](int tile, int square) {
    return std::abs(tile / 3 - square / 3) + std::abs(tile % 3 - square % 3);
  };
  for (int tile = 1; tile < 9; ++tile) {
    for (int from = 0; from < 9; ++from) {
      for (int to = 0; to < 9; ++to) {
        delta[(tile * 9 + from) * 9 + to] = static_cast<int8_t>(term(tile, to) - term(tile, from));
      }
    }
  }
  return delta;
}
astro_additive_table_v1 Table(const std::vector<int8_t>& delta) {
  return {sizeof(astro_additive_table_v1), 9, 9, 0, delta.data()};
}
constexpr uint64_t kReversed = 0x012345678;  // 8 7 6 / 5 4 3 / 2 1 0

TEST(Additive, FallIsAllOfHForADistance) {
  const std::vector<int8_t> delta = Manhattan();
  EXPECT_EQ(LargestFall(Table(delta), {3, 3}, 0x876543210), 0);
  // 8 7 6 5 4 3 2 1: 4 + 2 + 4 + 2 + 0 + 2 + 4 + 2.
  EXPECT_EQ(LargestFall(Table(delta), {3, 3}, kReversed), 20);
}

TEST(Additive, TableWhoseHDependsOnTheWayIsNone) {
  std::vector<int8_t> delta = Manhattan();
  delta[(3 * 9 + 4) * 9 + 5] += 1;  // tile 3, one way between two squares
  EXPECT_FALSE(LargestFall(Table(delta), {3, 3}, kReversed));
  delta[(3 * 9 + 5) * 9 + 4] -= 1;  // and back: but not round a circle
  EXPECT_FALSE(LargestFall(Table(delta), {3, 3}, kReversed));
}

TEST(Additive, TableOfAnotherShapeDoesNotFit) {
  const std::vector<int8_t> delta = Manhattan();
  EXPECT_TRUE(FitsShape(Table(delta), {3, 3}));
  EXPECT_FALSE(FitsShape(Table(delta), {3, 4}));
  astro_additive_table_v1 empty = Table(delta);
  empty.delta = nullptr;
  EXPECT_FALSE(FitsShape(empty, {3, 3}));
}

}  // namespace
}  // namespace sliding_tile
