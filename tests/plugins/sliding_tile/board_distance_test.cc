// The distance between boards against Manhattan distance told from the facts, in all three layouts.
#include "plugins/sliding_tile/board_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "plugins/sliding_tile/board_facts.h"
#include "plugins/sliding_tile/problem.h"

namespace sliding_tile {
namespace {

// A board as the bytes of a state.
class Bytes {
 public:
  Bytes(const SlidingTile& problem, const Puzzle& puzzle) : words_((problem.Space().state_size + 7) / 8, 0) {
    SlidingTile(puzzle).InitialState(words_.data());
  }
  void* get() { return words_.data(); }

 private:
  std::vector<uint64_t> words_;
};

TEST(BoardDistance, IsManhattanDistanceToWhateverBoardIsBound) {
  std::mt19937 random(4);
  for (const Shape& shape :
       {Shape{2, 2}, Shape{3, 4}, Shape{4, 4}, Shape{5, 5}, Shape{16, 16}, Shape{17, 16}, Shape{127, 127}}) {
    const SlidingTile problem({shape, BlankLast(shape), BlankLast(shape)});
    BoardDistance distance = problem.Distance();
    Tiles target = BlankLast(shape);
    Tiles board = BlankLast(shape);
    for (int round = 0; round < 30; ++round) {
      // Now and then a whole other board, else a few tiles: what is left of the last one must not be believed.
      if (round % 7 == 0) std::shuffle(target.begin(), target.end(), random);
      if (round % 5 == 0) std::shuffle(board.begin(), board.end(), random);
      std::uniform_int_distribution<size_t> any(0, target.size() - 1);
      std::swap(target[any(random)], target[any(random)]);
      std::swap(board[any(random)], board[any(random)]);
      Bytes bound(problem, {shape, target, target});
      distance.Bind(bound.get());
      EXPECT_EQ(distance.Evaluate(bound.get()), 0);
      Bytes state(problem, {shape, board, target});
      const int64_t h = distance.Evaluate(state.get());
      ASSERT_EQ(h, sliding_tile::Manhattan({shape, board, target}))
          << shape.rows << " x " << shape.cols << ", round " << round;
      uint32_t n = 0;
      astro_op ops[4];
      problem.Visit([&]<class S>(const S& space) {
        n = space.Ops(astro::internal::In<S>(state.get()), ASTRO_NO_OP, ops, nullptr);
      });
      for (uint32_t i = 0; i < n; ++i) {
        Bytes child = state;
        int64_t cost = 0;
        ASSERT_TRUE(problem.ApplyInPlace(child.get(), ops[i], &cost));
        ASSERT_EQ(distance.EvaluateOp(state.get(), h, ops[i]), distance.Evaluate(child.get()));
      }
    }
  }
}

}  // namespace
}  // namespace sliding_tile
