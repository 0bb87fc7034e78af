// Constructed solutions, replayed move by move.
#include "astrolabe/abi/construct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "plugins/sliding_tile/parity.h"
#include "plugins/sliding_tile/problem.h"

namespace sliding_tile {
namespace {

using astro::testing::FakeHost;
using astro::testing::Faults;
using astro::testing::ProblemUnderTest;
using astro::testing::StateBytes;

const astro_problem_v1* BoardFunctions() { return astro::Problem<SlidingTile>::Functions(); }

const astro_problem_construct_v1* Calls() {
  return static_cast<const astro_problem_construct_v1*>(
      BoardFunctions()->get_extension(astro::ToText(ASTRO_PROBLEM_CONSTRUCT_V1)));
}

Puzzle RandomPuzzle(const Shape& shape, std::mt19937& random) {
  Puzzle puzzle{shape, BlankLast(shape), BlankLast(shape)};
  std::shuffle(puzzle.start.begin(), puzzle.start.end(), random);
  std::shuffle(puzzle.goal.begin(), puzzle.goal.end(), random);
  if (!CheckParity(puzzle).solvable) {
    // Two tiles exchanged, not the blank.
    const size_t first = puzzle.start[0] == 0 ? 1 : 0;
    const size_t second = puzzle.start[first + 1] == 0 ? first + 2 : first + 1;
    std::swap(puzzle.start[first], puzzle.start[second]);
  }
  return puzzle;
}

std::string Text(const Puzzle& puzzle) {
  std::string text = std::to_string(puzzle.shape.rows) + " " + std::to_string(puzzle.shape.cols);
  const auto rows = [&](const Tiles& tiles) {
    for (size_t i = 0; i < tiles.size(); ++i) {
      text += (i % puzzle.shape.cols == 0 ? "\n" : " ") + std::to_string(tiles[i]);
    }
  };
  rows(puzzle.start);
  text += "\ngoal";
  rows(puzzle.goal);
  return text + "\n";
}

// Replays what is written; stops the writer after `most` operators.
struct Replayer {
  explicit Replayer(const ProblemUnderTest& p, uint64_t limit = UINT64_MAX)
      : problem(p), state(p.Initial()), most(limit) {
    sink = {this, [](void* ctx, const astro_op* ops, uint64_t count) -> int32_t {
              return static_cast<Replayer*>(ctx)->Take(ops, count);
            }};
  }
  int32_t Take(const astro_op* ops, uint64_t count) {
    largest_piece = std::max(largest_piece, count);
    for (uint64_t i = 0; i < count; ++i) {
      possible &= problem.functions().apply_in_place(problem.get(), state.get(), ops[i], nullptr) == ASTRO_OK;
      undone += last != ASTRO_NO_OP && problem.functions().inverse_op(problem.get(), last) == ops[i] ? 1 : 0;
      last = ops[i];
    }
    length += count;
    return length >= most ? 1 : 0;
  }

  const ProblemUnderTest& problem;
  StateBytes state;
  astro_op_sink sink;
  uint64_t most;
  uint64_t length = 0;
  uint64_t largest_piece = 0;
  uint64_t undone = 0;
  astro_op last = ASTRO_NO_OP;
  bool possible = true;
};

uint64_t ExpectConstructed(const Puzzle& puzzle) {
  FakeHost host;
  const ProblemUnderTest board(BoardFunctions(), host, Text(puzzle));
  EXPECT_TRUE(board.ok()) << board.faults.Text();
  Replayer replayer(board);
  Faults faults;
  EXPECT_EQ(Calls()->construct(board.get(), &replayer.sink, faults.get()), ASTRO_OK) << faults.Text();
  EXPECT_TRUE(replayer.possible);
  EXPECT_TRUE(board.IsGoal(replayer.state)) << Text(puzzle);
  EXPECT_EQ(replayer.undone, 0u);
  return replayer.length;
}

TEST(Construct, SolvesBoardsOfEverySizeUpToTwelveByTwelve) {
  std::mt19937 random{12};
  for (int rows = 2; rows <= 12; ++rows) {
    for (int cols = 2; cols <= 12; ++cols) {
      for (int i = 0; i < 6; ++i) {
        ExpectConstructed(RandomPuzzle({rows, cols}, random));
        ASSERT_FALSE(HasFailure()) << rows << " x " << cols;
      }
    }
  }
}

TEST(Construct, SolvesEverySolvableBoardOfTwoByThreeToEveryGoal) {
  for (const Shape& shape : {Shape{2, 3}, Shape{3, 2}}) {
    Puzzle puzzle{shape, BlankFirst(shape), BlankFirst(shape)};
    do {
      for (int turn = 0; turn < 6; ++turn) {
        std::rotate(puzzle.goal.begin(), puzzle.goal.begin() + 1, puzzle.goal.end());
        if (!CheckParity(puzzle).solvable) continue;
        ExpectConstructed(puzzle);
        ASSERT_FALSE(HasFailure());
      }
    } while (std::next_permutation(puzzle.start.begin(), puzzle.start.end()));
  }
}

// Straight and flat, odd and even, up to the largest.
TEST(Construct, SolvesLargeBoardsInACubeOfMoves) {
  std::mt19937 random{127};
  for (const Shape& shape : {Shape{2, 127}, Shape{127, 2}, Shape{3, 100}, Shape{16, 16}, Shape{17, 16}, Shape{40, 33},
                             Shape{64, 64}, Shape{127, 127}}) {
    const uint64_t length = ExpectConstructed(RandomPuzzle(shape, random));
    // A tile has at most rows + cols steps, and about five moves are needed for each.
    EXPECT_LT(length, 5ull * shape.cells() * (shape.rows + shape.cols));
    // 2.2 N^3 of random boards of N x N; 2.8 without ways that bring what they move nearer to its place.
    if (std::min(shape.rows, shape.cols) >= 16) {
      EXPECT_LT(length, 1.25 * shape.cells() * (shape.rows + shape.cols)) << shape.rows << " x " << shape.cols;
    }
    ASSERT_FALSE(HasFailure()) << shape.rows << " x " << shape.cols;
  }
}

// A board that lies on its side is one that stands, turned: neither may be filled along its long rows.
TEST(Construct, IsAsGoodOnFlatBoardsAsOnTallOnes) {
  std::mt19937 random{7};
  double flat = 0;
  double tall = 0;
  for (int i = 0; i < 5; ++i) {
    flat += static_cast<double>(ExpectConstructed(RandomPuzzle({5, 30}, random)));
    tall += static_cast<double>(ExpectConstructed(RandomPuzzle({30, 5}, random)));
  }
  EXPECT_NEAR(flat / tall, 1, 0.1);
}

// One side and variant alone gives 2.0 N^3 and more.
TEST(Construct, TakesTheShortestOfSeveralOnSmallBoards) {
  std::mt19937 random{8};
  double moves = 0;
  for (int i = 0; i < 20; ++i) moves += static_cast<double>(ExpectConstructed(RandomPuzzle({5, 5}, random)));
  EXPECT_LT(moves / 20, 1.95 * 125);
}

TEST(Construct, WritesNothingWhenTheStartIsTheGoal) {
  const Shape shape{4, 5};
  EXPECT_EQ(ExpectConstructed({shape, BlankFirst(shape), BlankFirst(shape)}), 0u);
}

TEST(Construct, RefusesWhatHasNoSolution) {
  FakeHost host;
  const ProblemUnderTest board(BoardFunctions(), host, "3\n1 2 3\n4 5 6\n8 7 0\n");
  Replayer replayer(board);
  Faults faults;
  EXPECT_EQ(Calls()->construct(board.get(), &replayer.sink, faults.get()), ASTRO_REFUSED);
  EXPECT_NE(faults.Text().find("cannot be reached"), std::string::npos) << faults.Text();
  EXPECT_TRUE(host.failures.empty());
}

TEST(Construct, WritesPiecesAndStopsWhenItIsTold) {
  std::mt19937 random{5};
  FakeHost host;
  const ProblemUnderTest board(BoardFunctions(), host, Text(RandomPuzzle({40, 40}, random)));
  Replayer replayer(board, 1);
  Faults faults;
  EXPECT_EQ(Calls()->construct(board.get(), &replayer.sink, faults.get()), ASTRO_CANCELLED);
  EXPECT_EQ(replayer.length, replayer.largest_piece);
  EXPECT_LE(replayer.largest_piece, 8192u);
  EXPECT_TRUE(host.failures.empty());
}

// Several are tried before one is written: it hears of a stop then too.
TEST(Construct, StopsWhileItTriesWhatIsShortest) {
  std::mt19937 random{6};
  FakeHost host;
  const ProblemUnderTest board(BoardFunctions(), host, Text(RandomPuzzle({40, 40}, random)));
  Replayer replayer(board, 0);
  Faults faults;
  EXPECT_EQ(Calls()->construct(board.get(), &replayer.sink, faults.get()), ASTRO_CANCELLED);
  EXPECT_EQ(replayer.length, 0u);
}

}  // namespace
}  // namespace sliding_tile
