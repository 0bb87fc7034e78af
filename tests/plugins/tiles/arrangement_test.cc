#include "plugins/tiles/arrangement.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tiles {
namespace {

TEST(Arrangement, GoalsHaveNames) {
  EXPECT_EQ(NamedGoal("blank-last", 4), (Tiles{1, 2, 3, 0}));
  EXPECT_EQ(NamedGoal("blank-first", 4), (Tiles{0, 1, 2, 3}));
  EXPECT_EQ(NamedGoal("spiral", 4), std::nullopt);
}

TEST(Arrangement, PlacesAreTheInverse) {
  const Tiles tiles{2, 0, 3, 1};
  EXPECT_EQ(PlacesOf(tiles), (Tiles{1, 3, 0, 2}));
  for (uint16_t tile = 0; tile < 4; ++tile) EXPECT_EQ(PlaceOf(tile, tiles), PlacesOf(tiles)[tile]);
}

TEST(Arrangement, SwapsAreAsManyAsAreNeeded) {
  EXPECT_EQ(CountSwaps({1, 2, 3, 0}, {1, 2, 3, 0}), 0);
  EXPECT_EQ(CountSwaps({2, 1, 3, 0}, {1, 2, 3, 0}), 1);
  EXPECT_EQ(CountSwaps({0, 1, 2, 3}, {1, 2, 3, 0}), 3);
  EXPECT_EQ(CountSwaps({7, 40, 5}, {40, 5, 7}), 2);  // part of a board
  EXPECT_EQ(CountSwaps({}, {}), 0);
}

// By breadth-first search over all swaps.
TEST(Arrangement, SwapsAreTheDistanceInSwaps) {
  const Tiles goal = BlankLast(5);
  std::set<Tiles> met{goal};
  std::vector<Tiles> layer{goal};
  for (int swaps = 0; !layer.empty(); ++swaps) {
    std::vector<Tiles> next;
    for (const Tiles& tiles : layer) {
      EXPECT_EQ(CountSwaps(tiles, goal), swaps);
      for (size_t a = 0; a < tiles.size(); ++a) {
        for (size_t b = 0; b < a; ++b) {
          Tiles swapped = tiles;
          std::swap(swapped[a], swapped[b]);
          if (met.insert(swapped).second) next.push_back(swapped);
        }
      }
    }
    layer = next;
  }
  EXPECT_EQ(met.size(), 120u);
}

}  // namespace
}  // namespace tiles
