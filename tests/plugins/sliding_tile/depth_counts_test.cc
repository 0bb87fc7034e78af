// How many boards need how many moves, by breadth-first search from the goal through the problem's own operators,
// against published sequences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "boards.h"
#include "plugins_under_test.h"

namespace {

using namespace astro::testing;

using Counts = std::vector<size_t>;

// Boards at each distance from the goal, as far as `layers`. Moves can be taken back, so the boards next to a layer are
// in the one before it or in the one after it.
Counts CountByDepth(const ProblemUnderTest& problem, size_t layers = SIZE_MAX) {
  EXPECT_TRUE(problem.ok()) << problem.faults.Text();
  EXPECT_EQ(problem.info().state_size, sizeof(uint64_t));
  const astro_problem_v1& functions = problem.functions();
  Counts counts;
  std::vector<uint64_t> before;
  std::vector<uint64_t> layer(1);
  std::memcpy(layer.data(), problem.Goal().get(), sizeof(uint64_t));
  while (!layer.empty() && counts.size() < layers) {
    counts.push_back(layer.size());
    std::vector<uint64_t> next;
    for (const uint64_t& state : layer) {
      astro_op ops[4];
      const uint32_t n = functions.ops(problem.get(), &state, ASTRO_NO_OP, ops, nullptr);
      for (uint32_t i = 0; i < n; ++i) functions.apply(problem.get(), &state, ops[i], &next.emplace_back());
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    std::vector<uint64_t> fresh;
    std::set_difference(next.begin(), next.end(), before.begin(), before.end(), std::back_inserter(fresh));
    before = std::move(layer);
    layer = std::move(fresh);
  }
  return counts;
}

Counts CountFrom(int rows, int cols, const std::vector<int>& goal, size_t layers = SIZE_MAX) {
  FakeHost host;
  return CountByDepth({Plugin("sliding_tile").Problem(), host, boards::WithGoal(rows, cols, goal, goal)}, layers);
}

// By the name of the goal.
Counts CountFromCorner(int rows, int cols, const char* goal, size_t layers = SIZE_MAX) {
  FakeHost host;
  FakeParams params;
  params.SetText("goal", goal);
  const std::string board = boards::Text(rows, cols, boards::BlankLast(rows * cols));
  return CountByDepth({Plugin("sliding_tile").Problem(), host, board, &params}, layers);
}

constexpr const char* kCorners[] = {"blank-last", "blank-first"};

TEST(DepthCounts, OfTheTwoByTwoBoard) {
  for (const char* goal : kCorners) EXPECT_EQ(CountFromCorner(2, 2, goal), (Counts{1, 2, 2, 2, 2, 2, 1}));
}

TEST(DepthCounts, OfTheThreeByTwoBoard) {
  const Counts published = {1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1};
  for (const char* goal : kCorners) {
    EXPECT_EQ(CountFromCorner(3, 2, goal), published);
    EXPECT_EQ(CountFromCorner(2, 3, goal), published);
  }
}

TEST(DepthCounts, OfTheFourByTwoBoard) {
  const Counts published = {1,    2,    3,    6,   10,  14,  19,  28,   42,   61,   85,   119,  161,
                            215,  293,  396,  506, 632, 788, 985, 1194, 1414, 1664, 1884, 1999, 1958,
                            1770, 1463, 1076, 667, 361, 190, 88,  39,   19,   7,    1};
  for (const char* goal : kCorners) {
    EXPECT_EQ(CountFromCorner(4, 2, goal), published);
    EXPECT_EQ(CountFromCorner(2, 4, goal), published);
  }
}

// OEIS A089473.
TEST(DepthCounts, OfTheEightPuzzleWithTheBlankInACorner) {
  const Counts published = {1,     2,     4,     8,     16,    20,   39,   62,   116,   152,   286,
                            396,   748,   1024,  1893,  2512,  4485, 5638, 9529, 10878, 16993, 17110,
                            23952, 20224, 24047, 15578, 14560, 6274, 3910, 760,  221,   2};
  for (const char* goal : kCorners) EXPECT_EQ(CountFromCorner(3, 3, goal), published);
}

// OEIS A089483.
TEST(DepthCounts, OfTheEightPuzzleWithTheBlankOnAnEdge) {
  EXPECT_EQ(
      CountFrom(3, 3, {1, 0, 2, 3, 4, 5, 6, 7, 8}),
      (Counts{1,    3,    5,    10,    14,    28,    42,    80,    108,   202,   278,  524,  726,  1348, 1804, 3283,
              4193, 7322, 8596, 13930, 14713, 21721, 19827, 25132, 18197, 18978, 9929, 7359, 2081, 878,  126,  2}));
}

// OEIS A089474.
TEST(DepthCounts, OfTheEightPuzzleWithTheBlankInTheCentre) {
  EXPECT_EQ(
      CountFrom(3, 3, {1, 2, 3, 8, 0, 4, 7, 6, 5}),
      (Counts{1,    4,    8,     8,     16,    32,    60,    72,    136,   200,   376,   512,  964,  1296, 2368, 3084,
              5482, 6736, 11132, 12208, 18612, 18444, 24968, 19632, 22289, 13600, 11842, 4340, 2398, 472,  148}));
}

// The first terms of OEIS A089484, A090165 and A090164.
TEST(DepthCounts, OfTheFifteenPuzzleNearItsGoal) {
  const Counts corner = {1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119000};
  for (const char* goal : kCorners) EXPECT_EQ(CountFromCorner(4, 4, goal, corner.size()), corner);
  const Counts edge = {1, 3, 6, 14, 32, 66, 134, 280, 585, 1214, 2462, 4946, 9861, 19600, 38688, 76086};
  EXPECT_EQ(CountFrom(4, 4, {1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, edge.size()), edge);
  const Counts centre = {1, 4, 10, 20, 38, 80, 174, 372, 762, 1540, 3072, 6196, 12356, 24516, 48179, 94356};
  EXPECT_EQ(CountFrom(4, 4, {1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, centre.size()), centre);
}

#ifndef ASTROLABE_SANITIZED  // the same code on 1.8 million states
// OEIS A151944 has the longest solutions; those of the smaller boards are the lengths of the sequences above.
TEST(DepthCounts, OfTheTwoByFiveBoardEndAtFiftyFive) {
  const Counts counts = CountFromCorner(2, 5, "blank-last");
  EXPECT_EQ(counts.size(), 56u);
  size_t all = 0;
  for (const size_t count : counts) all += count;
  EXPECT_EQ(all, 1'814'400u);  // 10! / 2
}
#endif

}  // namespace
