// A board and its twin, which has two tiles swapped: from exactly one of them the goal can be reached. Both are
// searched in turn until one gets there; that must be the one the problem calls solvable, by parity.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <queue>
#include <random>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "boards.h"
#include "plugins_under_test.h"

namespace {

using namespace astro::testing;

// A search that goes on by one state at a time: breadth-first, or greedy by Manhattan distance where the boards are too
// many for that.
class Stepper {
 public:
  enum class Order { kBreadthFirst, kGreedy };
  enum class State { kOpen, kGoal, kExhausted };

  Stepper(FakeHost& host, const std::string& board, Order order)
      : problem_(Plugin("sliding_tile").Problem(), host, board),
        manhattan_(Plugin("manhattan").Heuristic(), host, problem_),
        order_(order) {
    EXPECT_TRUE(problem_.ok() && manhattan_.ok()) << problem_.faults.Text();
    uint64_t start = 0;
    std::memcpy(&start, problem_.Initial().get(), sizeof(start));
    Meet(start);
  }

  bool SaysSolvable() const { return problem_.Solvable().first == ASTRO_SOLVABLE_YES; }
  size_t met() const { return met_.size(); }

  State Step() {
    if (open_.empty()) return State::kExhausted;
    const uint64_t state = std::get<2>(open_.top());
    open_.pop();
    const astro_problem_v1& functions = problem_.functions();
    if (functions.is_goal(problem_.get(), &state) != 0) return State::kGoal;
    astro_op ops[4];
    const uint32_t n = functions.ops(problem_.get(), &state, ASTRO_NO_OP, ops, nullptr);
    for (uint32_t i = 0; i < n; ++i) {
      uint64_t child = 0;
      functions.apply(problem_.get(), &state, ops[i], &child);
      Meet(child);
    }
    return State::kOpen;
  }

 private:
  // Smallest first: h, number, board.
  using Node = std::tuple<int64_t, uint64_t, uint64_t>;

  void Meet(uint64_t state) {
    if (!met_.insert(state).second) return;
    const int64_t h = order_ == Order::kGreedy ? manhattan_.functions().eval(manhattan_.context(), &state) : int64_t{0};
    open_.emplace(h, met_.size(), state);
  }

  ProblemUnderTest problem_;
  HeuristicUnderTest manhattan_;
  const Order order_;
  std::unordered_set<uint64_t> met_;
  std::priority_queue<Node, std::vector<Node>, std::greater<>> open_;
};

std::vector<int> TwinOf(std::vector<int> tiles) {
  const auto first = std::find_if(tiles.begin(), tiles.end(), [](int tile) { return tile != 0; });
  const auto second = std::find_if(first + 1, tiles.end(), [](int tile) { return tile != 0; });
  std::iter_swap(first, second);
  return tiles;
}

// to_the_end: the other one of the two is searched until it is exhausted.
void CompareWithTwin(int rows, int cols, const std::vector<int>& tiles, const std::vector<int>& goal,
                     Stepper::Order order, bool to_the_end) {
  SCOPED_TRACE(boards::WithGoal(rows, cols, tiles, goal));
  FakeHost host;
  Stepper board(host, boards::WithGoal(rows, cols, tiles, goal), order);
  Stepper twin(host, boards::WithGoal(rows, cols, TwinOf(tiles), goal), order);
  Stepper* const both[] = {&board, &twin};
  size_t turn = 0;
  Stepper::State state = Stepper::State::kOpen;
  for (; state == Stepper::State::kOpen; turn ^= 1) state = both[turn]->Step();
  // `turn` has passed on already.
  Stepper& ended = *both[turn ^ 1];
  Stepper& other = *both[turn];
  ASSERT_EQ(state, Stepper::State::kGoal) << "searched to the end without a goal, " << ended.met() << " boards";
  ASSERT_TRUE(ended.SaysSolvable());
  ASSERT_FALSE(other.SaysSolvable());
  if (!to_the_end) return;
  do state = other.Step();
  while (state == Stepper::State::kOpen);
  ASSERT_EQ(state, Stepper::State::kExhausted) << "both reach the goal";
}

std::vector<int> Shuffled(int cells, std::mt19937& random) {
  std::vector<int> tiles(static_cast<size_t>(cells));
  std::iota(tiles.begin(), tiles.end(), 0);
  for (size_t i = tiles.size() - 1; i > 0; --i) std::swap(tiles[i], tiles[random() % (i + 1)]);
  return tiles;
}

TEST(LockStep, OfEveryBoardOfSixSquares) {
  constexpr uint32_t kSeed = 6;
  std::mt19937 random(kSeed);
  for (const auto& [rows, cols] : {std::pair{2, 3}, {3, 2}}) {
    for (const std::vector<int>& goal : {boards::BlankLast(6), Shuffled(6, random)}) {
      std::vector<int> tiles(6);
      std::iota(tiles.begin(), tiles.end(), 0);
      do {
        CompareWithTwin(rows, cols, tiles, goal, Stepper::Order::kBreadthFirst, true);
        if (HasFatalFailure()) return;
      } while (std::next_permutation(tiles.begin(), tiles.end()));
    }
  }
}

struct Shape {
  int rows;
  int cols;
  Stepper::Order order;
  int boards;
};
class RandomLockStep : public ::testing::TestWithParam<Shape> {};

INSTANTIATE_TEST_SUITE_P(
    Shapes, RandomLockStep,
    ::testing::Values(Shape{2, 4, Stepper::Order::kBreadthFirst, 30}, Shape{4, 2, Stepper::Order::kBreadthFirst, 30},
                      Shape{3, 3, Stepper::Order::kBreadthFirst, 10}, Shape{3, 4, Stepper::Order::kGreedy, 40},
                      Shape{4, 3, Stepper::Order::kGreedy, 40}, Shape{4, 4, Stepper::Order::kGreedy, 40}),
    [](const auto& test) { return std::to_string(test.param.rows) + "x" + std::to_string(test.param.cols); });

TEST_P(RandomLockStep, FindsTheOneThatIsCalledSolvable) {
  const Shape& shape = GetParam();
  const auto seed = static_cast<uint32_t>(16 * shape.rows + shape.cols);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const int cells = shape.rows * shape.cols;
  for (int i = 0; i < shape.boards; ++i) {
    // Every other one with a goal of its own.
    const std::vector<int> goal = i % 2 == 0 ? boards::BlankLast(cells) : Shuffled(cells, random);
    CompareWithTwin(shape.rows, shape.cols, Shuffled(cells, random), goal, shape.order, false);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
