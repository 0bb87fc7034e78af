#include "plugins/tiles/board_space.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace tiles {
namespace {

// A ring of cells: operator 2 * cell takes the blank from there to the next, 2 * cell + 1 to the one before.
class Ring {
 public:
  explicit Ring(uint32_t cells) : cells_(cells) {}
  uint32_t BlankOf(astro_op op) const { return op / 2; }
  uint32_t Target(astro_op op) const { return (op / 2 + (op % 2 == 0 ? 1 : cells_ - 1)) % cells_; }
  bool IsOp(astro_op op) const { return op < 2 * cells_; }
  uint32_t List(uint32_t blank, astro_op last_op, astro_op* ops, int64_t* costs) const {
    uint32_t n = 0;
    for (const astro_op op : {2 * blank, 2 * blank + 1}) {
      if (last_op != ASTRO_NO_OP && Target(op) == BlankOf(last_op)) continue;
      if (costs != nullptr) costs[n] = 1;
      ops[n++] = op;
    }
    return n;
  }

 private:
  uint32_t cells_;
};

struct View {
  uint32_t layout;
  uint32_t cells;
  uint32_t state_size;
};

class BoardSpaceTest : public ::testing::TestWithParam<int> {};

// Round the ring, seen through the space and through what heuristics see.
TEST_P(BoardSpaceTest, MovesTilesInEveryLayout) {
  const auto cells = static_cast<uint32_t>(GetParam());
  const Tiles goal = BlankFirst(GetParam());
  const Ring ring(cells);
  const BoardSpace<Ring> space(ring, goal);
  const View view = {space.layout(), space.cells(), space.state_size()};
  EXPECT_EQ(space.layout(), cells <= 16 ? kPacked : cells <= 256 ? kBytes : kWords);
  EXPECT_EQ(space.state_size(), cells <= 16 ? 8u : cells <= 256 ? cells + 1 : 2 * (cells + 1));

  std::vector<uint64_t> memory(space.state_size() / 8 + 1);
  std::vector<uint64_t> child(memory.size());
  Tiles expected = goal;
  space.Store(expected, memory.data());
  astro_op last_op = ASTRO_NO_OP;
  for (uint32_t step = 0; step < cells; ++step) {
    const uint32_t blank = step;
    const astro_op op = 2 * blank;
    space.Visit([&]<class S>(const S& s) {
      astro_op ops[2];
      int64_t costs[2];
      const uint32_t n = s.Ops(astro::internal::In<S>(memory.data()), last_op, ops, costs);
      ASSERT_EQ(n, last_op == ASTRO_NO_OP ? 2u : 1u);
      EXPECT_EQ(ops[0], op);
      EXPECT_EQ(costs[0], 1);
      EXPECT_EQ(s.IsGoal(astro::internal::In<S>(memory.data())), expected == goal);
    });
    Child(view, memory.data(), static_cast<int>(ring.Target(op)), static_cast<int>(blank), child.data());
    int64_t cost = 0;
    EXPECT_FALSE(space.ApplyInPlace(memory.data(), 2 * ((blank + 2) % cells), &cost));  // the blank is elsewhere
    EXPECT_FALSE(space.ApplyInPlace(memory.data(), 2 * cells, &cost));
    ASSERT_TRUE(space.ApplyInPlace(memory.data(), op, &cost));
    EXPECT_EQ(cost, 1);
    std::swap(expected[blank], expected[ring.Target(op)]);
    EXPECT_EQ(memory, child);
    Visit(view, memory.data(), [&](const Board& board) -> int64_t {
      EXPECT_EQ(board.blank(), static_cast<int>(ring.Target(op)));
      for (int place = 0; place < board.cells(); ++place) {
        EXPECT_EQ(board.tile(place), expected[place]);
        EXPECT_EQ(space.Tile(memory.data(), place), expected[place]);
      }
      return 0;
    });
    last_op = op;
  }
}

INSTANTIATE_TEST_SUITE_P(Cells, BoardSpaceTest, ::testing::Values(3, 16, 17, 256, 257));

}  // namespace
}  // namespace tiles
