// The reversed board, by the plugin files as the host loads them.
#include "astrolabe/sdk/testing/reversed.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "astrolabe/sdk/testing/ida.h"
#include "boards.h"
#include "plugins_under_test.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::HeuristicUnderTest;
using astro::testing::ProblemUnderTest;
using astro::testing::ReversedFault;

const astro_problem_v1* Problem() { return Plugin("sliding_tile").Problem(); }

std::string Board(int rows, int cols) {
  std::mt19937 random{5};
  return boards::Text(rows, cols, boards::Walk(rows, cols, boards::BlankLast(rows * cols), 200, random));
}

// Start and goal both away from the usual goal, and solvable.
std::string OwnGoal() {
  std::mt19937 random{6};
  const std::vector<int> start = boards::Walk(3, 3, boards::BlankLast(9), 60, random);
  return boards::WithGoal(3, 3, start, boards::Walk(3, 3, start, 41, random));
}

TEST(ReversedBoard, TurnsEveryMoveRound) {
  FakeHost host;
  for (const std::string& text : {Board(2, 2), Board(3, 3), Board(2, 3), Board(3, 6), Board(4, 4), Board(3, 86)}) {
    const ProblemUnderTest board(Problem(), host, text);
    ASSERT_TRUE(board.ok()) << board.faults.Text();
    const ProblemUnderTest reversed(board, host);
    ASSERT_TRUE(reversed.ok());
    EXPECT_EQ(ReversedFault(board, reversed, 2000), "") << text;
  }
}

TEST(ReversedBoard, SwapsStartAndGoalAndKeepsTheShape) {
  FakeHost host;
  const ProblemUnderTest board(Problem(), host, OwnGoal());
  const ProblemUnderTest reversed(board, host);
  ASSERT_TRUE(reversed.ok());
  EXPECT_EQ(reversed.Initial(), board.Goal());
  EXPECT_EQ(reversed.Goal(), board.Initial());
  EXPECT_EQ(reversed.info().state_size, board.info().state_size);
  EXPECT_EQ(reversed.info().flags, board.info().flags);
  EXPECT_EQ(reversed.Solvable().first, board.Solvable().first);
  EXPECT_NE(reversed.Fingerprint(), board.Fingerprint());
  EXPECT_EQ(ProblemUnderTest(reversed, host).Fingerprint(), board.Fingerprint());
}

TEST(ReversedBoard, GivesHeuristicsTheDistanceFromTheStart) {
  FakeHost host;
  const ProblemUnderTest board(Problem(), host, OwnGoal());
  const ProblemUnderTest reversed(board, host);
  ASSERT_TRUE(reversed.ok());
  for (const char* id : {"manhattan", "hamming"}) {
    const astro_heuristic_v1* functions = Plugin(id).Heuristic();
    const HeuristicUnderTest forward(functions, host, board);
    const HeuristicUnderTest backward(functions, host, reversed);
    ASSERT_TRUE(backward.ok()) << id;
    EXPECT_EQ(backward.Eval(board.Initial()), 0) << id;
    EXPECT_GT(backward.Eval(board.Goal()), 0) << id;
    EXPECT_EQ(backward.Eval(board.Goal()), forward.Eval(board.Initial())) << id;
  }
}

TEST(ReversedBoard, HasASolutionOfTheSameLength) {
  FakeHost host;
  const ProblemUnderTest board(Problem(), host, OwnGoal());
  const ProblemUnderTest reversed(board, host);
  ASSERT_TRUE(reversed.ok());
  const astro_heuristic_v1* manhattan = Plugin("manhattan").Heuristic();
  const HeuristicUnderTest forward(manhattan, host, board);
  const HeuristicUnderTest backward(manhattan, host, reversed);
  const auto solve = [](const ProblemUnderTest& problem, const HeuristicUnderTest& heuristic) {
    return astro::testing::Deepen(heuristic.Eval(problem.Initial()), [&](int64_t bound) {
      return astro::testing::RunKernel(problem, heuristic, bound, true);
    });
  };
  const auto there = solve(board, forward);
  const auto back = solve(reversed, backward);
  ASSERT_EQ(there.end, ASTRO_IDA_FOUND);
  ASSERT_EQ(back.end, ASTRO_IDA_FOUND);
  EXPECT_EQ(there.path_cost, back.path_cost);
}

}  // namespace
