// The problem as a state space, by the rules of the ABI.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "astrolabe/sdk/testing/reversed.h"
#include "astrolabe/sdk/testing/under_test.h"
#include "boards.h"
#include "functions.h"

namespace graph_tile {
namespace {

using astro::testing::FakeHost;
using astro::testing::Faults;
using astro::testing::ProblemUnderTest;
using astro::testing::ReversedFault;
using astro::testing::StateBytes;

// Boards of each layout, both ways and one way.
std::vector<std::string> Boards() {
  std::mt19937 random{3};
  std::vector<std::string> texts;
  for (const int cells : {2, 5, 16, 17, 256, 257}) {
    for (const bool directed : {false, true}) {
      boards::Edges edges = boards::Connected(cells, cells / 2, random);
      if (directed) {
        for (size_t i = 0; i < edges.size() / 2; ++i) edges.emplace_back(edges[i].second, edges[i].first);
      }
      texts.push_back(boards::Lists(cells, edges, directed) + boards::Row("start", boards::Shuffled(cells, random)) +
                      boards::Row("goal", boards::Shuffled(cells, random)));
    }
  }
  return texts;
}

TEST(GraphTile, EveryCallMovesTheSameWay) {
  std::mt19937 random{4};
  for (const std::string& text : Boards()) {
    FakeHost host;
    const ProblemUnderTest board(Functions(), host, text);
    ASSERT_TRUE(board.ok()) << board.faults.Text();
    const astro_problem_v1& f = board.functions();
    StateBytes state = board.Initial();
    astro_op last = ASTRO_NO_OP;
    const size_t stride = board.info().state_size + 8;
    for (int step = 0; step < 40; ++step) {
      const std::vector<astro_op> ops = board.Ops(state);
      if (ops.empty()) break;
      std::vector<astro_op> expanded(board.info().max_ops);
      StateBytes children(board.info().max_ops * stride);
      const uint32_t n =
          f.expand(board.get(), state.get(), ASTRO_NO_OP, expanded.data(), nullptr, children.get(), stride);
      ASSERT_EQ(n, ops.size());
      size_t pruned = 0;
      for (uint32_t k = 0; k < n; ++k) {
        EXPECT_EQ(expanded[k], ops[k]);
        const StateBytes child = board.Apply(state, ops[k]);
        EXPECT_EQ(std::memcmp(children.get() + k * stride, child.get(), board.info().state_size), 0);
        StateBytes in_place = state;
        int64_t cost = 0;
        EXPECT_EQ(f.apply_in_place(board.get(), in_place.get(), ops[k], &cost), ASTRO_OK);
        EXPECT_EQ(cost, 1);
        EXPECT_EQ(in_place, child);
        const astro_op back = f.inverse_op(board.get(), ops[k]);
        if (back == ASTRO_NO_OP) {
          EXPECT_EQ(board.info().flags & ASTRO_PROBLEM_UNDIRECTED, 0u);
        } else {
          EXPECT_EQ(board.Apply(child, back), state);
          EXPECT_EQ(f.inverse_op(board.get(), back), ops[k]);
        }
        pruned += last != ASTRO_NO_OP && f.inverse_op(board.get(), last) == ops[k] ? 1 : 0;
      }
      EXPECT_EQ(board.Ops(state, last).size(), ops.size() - pruned);
      StateBytes read = board.NewState();
      Faults faults;
      ASSERT_EQ(f.parse_state(board.get(), astro::ToText(board.Render(state)), faults.get(), read.get()), ASTRO_OK);
      EXPECT_EQ(read, state);
      last = ops[random() % ops.size()];
      state = board.Apply(state, last);
    }
  }
}

TEST(GraphTile, RefusesMovesFromOtherCells) {
  FakeHost host;
  for (const int cells : {4, 20}) {
    const ProblemUnderTest board(
        Functions(), host,
        boards::Lists(cells, {{0, 1}, {1, 2}, {2, 3}}) + "goal blank-first\nstart " + boards::Row("", [&] {
          std::vector<int> tiles(cells);
          std::iota(tiles.begin(), tiles.end(), 0);
          return tiles;
        }()));
    ASSERT_TRUE(board.ok()) << board.faults.Text();
    StateBytes state = board.Initial();
    const StateBytes before = state;
    for (const astro_op op : {1u, 5u, 6u, ASTRO_NO_OP}) {
      EXPECT_EQ(board.functions().apply_in_place(board.get(), state.get(), op, nullptr), ASTRO_INVALID) << op;
      EXPECT_EQ(state, before);
    }
    EXPECT_EQ(board.functions().apply_in_place(board.get(), state.get(), 0, nullptr), ASTRO_OK);
    EXPECT_EQ(board.RenderOp(0), "0->1");
    EXPECT_FALSE(board.IsGoal(state));
    EXPECT_TRUE(board.IsGoal(before));
  }
}

TEST(GraphTile, TurnsRound) {
  for (const std::string& text : Boards()) {
    FakeHost host;
    const ProblemUnderTest board(Functions(), host, text);
    const ProblemUnderTest reversed(board, host);
    ASSERT_TRUE(reversed.ok());
    EXPECT_EQ(ReversedFault(board, reversed, 60), "") << text;
    EXPECT_EQ(ReversedFault(reversed, ProblemUnderTest(reversed, host), 60), "") << text;
  }
}

TEST(GraphTile, ReadsItsOwnText) {
  for (const std::string& text : Boards()) {
    FakeHost host;
    const ProblemUnderTest board(Functions(), host, text);
    const ProblemUnderTest same(Functions(), host, board.CanonicalText());
    ASSERT_TRUE(same.ok()) << same.faults.Text();
    EXPECT_EQ(same.Fingerprint(), board.Fingerprint());
    EXPECT_EQ(same.CanonicalText(), board.CanonicalText());
    EXPECT_EQ(same.info().flags, board.info().flags);
  }
}

TEST(GraphTile, DescribesItself) {
  FakeHost host;
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "0: 1\n1: 0\nstart 0 1\n").Describe(), "board of 2 cells, 1 edge");
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "directed 0: 1\n1: 0 2\n2:\nstart 0 1 2\n").Describe(),
            "board of 3 cells, 3 one-way edges");
}

}  // namespace
}  // namespace graph_tile
