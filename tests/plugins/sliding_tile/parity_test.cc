#include "plugins/sliding_tile/parity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace sliding_tile {
namespace {

std::set<Tiles> Reachable(const Shape& shape, const Tiles& from) {
  std::set<Tiles> seen = {from};
  std::vector<Tiles> queue = {from};
  while (!queue.empty()) {
    Tiles tiles = std::move(queue.back());
    queue.pop_back();
    const int blank = static_cast<int>(std::find(tiles.begin(), tiles.end(), 0) - tiles.begin());
    for (int to = 0; to < shape.cells(); ++to) {
      const int distance =
          std::abs(to / shape.cols - blank / shape.cols) + std::abs(to % shape.cols - blank % shape.cols);
      if (distance != 1) continue;
      std::swap(tiles[blank], tiles[to]);
      if (seen.insert(tiles).second) queue.push_back(tiles);
      std::swap(tiles[blank], tiles[to]);
    }
  }
  return seen;
}

void CompareWithSearch(const Shape& shape, const Tiles& goal, int step) {
  const std::set<Tiles> reachable = Reachable(shape, goal);
  Tiles tiles(shape.cells());
  std::iota(tiles.begin(), tiles.end(), uint16_t{0});
  size_t solvable = 0;
  int n = 0;
  do {
    if (n++ % step != 0) continue;
    const bool answer = CheckParity(Puzzle{shape, tiles, goal}).solvable;
    ASSERT_EQ(answer, reachable.count(tiles) == 1) << "board " << n;
    solvable += answer ? 1 : 0;
  } while (std::next_permutation(tiles.begin(), tiles.end()));
  if (step == 1) {
    EXPECT_EQ(solvable, reachable.size());
  }
}

TEST(Parity, AgreesWithSearchOnEveryBoard) {
  for (const Shape& shape : {Shape{2, 2}, Shape{2, 3}, Shape{3, 2}}) {
    CompareWithSearch(shape, BlankLast(shape), 1);
    CompareWithSearch(shape, BlankFirst(shape), 1);
  }
  CompareWithSearch({2, 3}, {5, 0, 1, 3, 2, 4}, 1);
  CompareWithSearch({3, 2}, {2, 1, 0, 3, 4, 5}, 1);
}

TEST(Parity, AgreesWithSearchOnEightPuzzlesOfAnyGoal) {
  CompareWithSearch({3, 3}, BlankLast({3, 3}), 7);
  CompareWithSearch({3, 3}, {1, 2, 3, 8, 0, 4, 7, 6, 5}, 7);
  CompareWithSearch({3, 3}, {5, 0, 1, 2, 8, 7, 3, 4, 6}, 7);
}

TEST(Parity, KnowsTheRowOfTheBlankOnEvenWidths) {
  Tiles one_down = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 13, 14, 15, 12};
  EXPECT_TRUE(CheckParity({{4, 4}, one_down, BlankLast({4, 4})}).solvable);
  EXPECT_TRUE(CheckParity({{3, 4}, {1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 8}, BlankLast({3, 4})}).solvable);
  EXPECT_TRUE(CheckParity({{4, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 0, 10, 11, 9}, BlankLast({4, 3})}).solvable);
}

TEST(Parity, NamesTheTwoTilesThatSamLoydSwapped) {
  const ParityAnswer answer =
      CheckParity({{4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14, 0}, BlankLast({4, 4})});
  EXPECT_FALSE(answer.solvable);
  EXPECT_NE(answer.reason.find("odd number of swaps (1)"), std::string::npos) << answer.reason;
  EXPECT_NE(answer.reason.find("even number of steps (0)"), std::string::npos) << answer.reason;
  EXPECT_NE(answer.reason.find("tiles 15 and 14"), std::string::npos) << answer.reason;
  EXPECT_NE(answer.reason.find("cannot be reached"), std::string::npos) << answer.reason;
}

TEST(Parity, IsQuickOnTheLargestBoard) {
  const Shape shape{127, 127};
  Tiles start = BlankLast(shape);
  EXPECT_TRUE(CheckParity({shape, start, BlankLast(shape)}).solvable);
  std::swap(start[0], start[1]);
  EXPECT_FALSE(CheckParity({shape, start, BlankLast(shape)}).solvable);
}

}  // namespace
}  // namespace sliding_tile
