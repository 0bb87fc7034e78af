#include "plugins/sliding_tile/board_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <random>
#include <set>

#include "astrolabe/sdk/testing/under_test.h"
#include "plugins/sliding_tile/parity.h"
#include "plugins/sliding_tile/problem.h"

namespace sliding_tile {
namespace {

using astro::testing::FakeHost;
using astro::testing::ProblemUnderTest;

Puzzle ToGoal(const Shape& shape, Tiles start) { return {shape, std::move(start), BlankLast(shape)}; }

TEST(BoardFacts, TheBoardOfTheAssignmentHasItsKnownDistances) {
  const Puzzle puzzle = ToGoal({3, 3}, {8, 1, 3, 4, 0, 2, 7, 6, 5});
  EXPECT_EQ(Hamming(puzzle), 5);
  EXPECT_EQ(Manhattan(puzzle), 10);
  EXPECT_EQ(Twin(puzzle.shape, puzzle.start), (Tiles{1, 8, 3, 4, 0, 2, 7, 6, 5}));
}

TEST(BoardFacts, TheGoalIsFarFromNothing) {
  for (const Shape& shape : {Shape{2, 2}, Shape{3, 4}, Shape{127, 127}}) {
    const Puzzle puzzle = ToGoal(shape, BlankLast(shape));
    EXPECT_EQ(Hamming(puzzle), 0);
    EXPECT_EQ(Manhattan(puzzle), 0);
  }
}

TEST(BoardFacts, TheBlankIsNoTile) {
  const Puzzle puzzle = {{2, 2}, {0, 1, 2, 3}, {1, 0, 2, 3}};
  EXPECT_EQ(Hamming(puzzle), 1);
  EXPECT_EQ(Manhattan(puzzle), 1);
}

TEST(BoardFacts, ATwinHasTwoTilesOfOneRowExchanged) {
  EXPECT_EQ(Twin({2, 2}, {0, 1, 2, 3}), (Tiles{0, 1, 3, 2})) << "a row with the blank has one tile";
  EXPECT_EQ(Twin({2, 2}, {1, 2, 0, 3}), (Tiles{2, 1, 0, 3}));
  EXPECT_EQ(Twin({2, 3}, {1, 0, 2, 3, 4, 5}), (Tiles{1, 0, 2, 4, 3, 5}));
  EXPECT_EQ(Twin({2, 3}, {0, 1, 2, 3, 4, 5}), (Tiles{0, 2, 1, 3, 4, 5}));
}

TEST(BoardFacts, OfABoardAndItsTwinParitySaysThatExactlyOneIsSolvable) {
  std::mt19937 random(3);
  for (const Shape& shape : {Shape{2, 2}, Shape{2, 5}, Shape{3, 3}, Shape{4, 4}, Shape{9, 7}, Shape{127, 127}}) {
    for (int i = 0; i < 20; ++i) {
      Tiles tiles = BlankLast(shape);
      std::shuffle(tiles.begin(), tiles.end(), random);
      EXPECT_NE(CheckParity(ToGoal(shape, tiles)).solvable, CheckParity(ToGoal(shape, Twin(shape, tiles))).solvable);
    }
  }
}

// Breadth-first search that can be run a step at a time.
class Wave {
 public:
  Wave(const Shape& shape, const Tiles& start) : shape_(shape), seen_{start}, queue_{start} {}

  // True when the state that was looked at is the goal.
  bool Step(const Tiles& goal) {
    if (queue_.empty()) return false;
    Tiles tiles = std::move(queue_.front());
    queue_.pop_front();
    if (tiles == goal) return true;
    const int blank = static_cast<int>(std::find(tiles.begin(), tiles.end(), 0) - tiles.begin());
    const int col = blank % shape_.cols;
    const auto visit = [&](bool possible, int to) {
      if (!possible) return;
      std::swap(tiles[blank], tiles[to]);
      if (seen_.insert(tiles).second) queue_.push_back(tiles);
      std::swap(tiles[blank], tiles[to]);
    };
    visit(blank >= shape_.cols, blank - shape_.cols);
    visit(col > 0, blank - 1);
    visit(col + 1 < shape_.cols, blank + 1);
    visit(blank + shape_.cols < shape_.cells(), blank + shape_.cols);
    return false;
  }

 private:
  const Shape shape_;
  std::set<Tiles> seen_;
  std::deque<Tiles> queue_;
};

// As the assignment has it: search the board and its twin in lock-step; one of the two reaches the goal.
bool SolvableByLockStep(const Shape& shape, const Tiles& tiles, const Tiles& goal) {
  Wave board(shape, tiles);
  Wave twin(shape, Twin(shape, tiles));
  for (;;) {
    if (board.Step(goal)) return true;
    if (twin.Step(goal)) return false;
  }
}

TEST(BoardFacts, ParityAgreesWithTheSearchOfBoardAndTwinInLockStep) {
  std::mt19937 random(4);
  int solvable = 0;
  const std::pair<Shape, int> cases[] = {{{2, 2}, 60}, {{2, 3}, 60}, {{3, 2}, 60}, {{2, 4}, 30}, {{3, 3}, 6}};
  int boards = 0;
  for (const auto& [shape, count] : cases) {
    for (int i = 0; i < count; ++i, ++boards) {
      Tiles tiles = BlankLast(shape);
      Tiles goal = tiles;
      std::shuffle(tiles.begin(), tiles.end(), random);
      std::shuffle(goal.begin(), goal.end(), random);
      const bool answer = SolvableByLockStep(shape, tiles, goal);
      EXPECT_EQ(CheckParity(Puzzle{shape, tiles, goal}).solvable, answer);
      solvable += answer ? 1 : 0;
    }
  }
  EXPECT_GT(solvable, boards / 4);
  EXPECT_LT(solvable, boards * 3 / 4);
}

TEST(BoardFacts, TheProblemTellsThemOfAnyState) {
  FakeHost host;
  const ProblemUnderTest problem(astro::Problem<SlidingTile>::Functions(), host, "3\n8 1 3\n4 0 2\n7 6 5\n");
  using Facts = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(problem.Facts(problem.Initial()),
            (Facts{{"hamming", "5"}, {"manhattan", "10"}, {"solvable", "yes"}, {"twin", "1 8 3\n4 0 2\n7 6 5"}}));
  const Facts swapped = problem.Facts(problem.Goal());
  EXPECT_EQ(swapped[0].second, "0");
  EXPECT_EQ(swapped[3].second, "2 1 3\n4 5 6\n7 8 0");
}

TEST(BoardFacts, AStateOfTheOtherHalfIsNotSolvable) {
  FakeHost host;
  for (const int side : {3, 5, 17}) {  // each space
    const Shape shape = {side, side};
    std::string text = std::to_string(side) + "\n";
    for (const uint16_t tile : Twin(shape, BlankLast(shape))) text += std::to_string(tile) + " ";
    const ProblemUnderTest problem(astro::Problem<SlidingTile>::Functions(), host, text);
    const auto facts = problem.Facts(problem.Initial());
    ASSERT_EQ(facts.size(), 4u);
    EXPECT_EQ(facts[0].second, "2");
    EXPECT_EQ(facts[1].second, "2");
    EXPECT_EQ(facts[2].second, "no");
    EXPECT_EQ(facts[3].second, problem.Render(problem.Goal())) << "the twin's twin";
  }
}

}  // namespace
}  // namespace sliding_tile
