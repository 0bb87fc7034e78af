#include "plugins/sliding_tile/problem.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "boards.h"

namespace sliding_tile {
namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::ProblemUnderTest;
using astro::testing::StateBytes;

const astro_problem_v1* Functions() { return astro::Problem<SlidingTile>::Functions(); }

// One shape for each way to store a state, and the borders between them.
class EveryLayout : public ::testing::TestWithParam<std::pair<Shape, uint32_t>> {
 protected:
  Shape shape() const { return GetParam().first; }
  std::string Scrambled(int steps) {
    return boards::Text(shape().rows, shape().cols,
                        boards::Walk(shape().rows, shape().cols, boards::BlankLast(shape().cells()), steps, random));
  }
  std::mt19937 random{11};
  FakeHost host;
};

INSTANTIATE_TEST_SUITE_P(Shapes, EveryLayout,
                         ::testing::Values(std::pair(Shape{2, 2}, 8u), std::pair(Shape{3, 3}, 8u),
                                           std::pair(Shape{2, 7}, 8u), std::pair(Shape{4, 4}, 8u),
                                           std::pair(Shape{8, 2}, 8u), std::pair(Shape{3, 6}, 19u),
                                           std::pair(Shape{12, 12}, 145u), std::pair(Shape{16, 16}, 257u),
                                           std::pair(Shape{2, 127}, 255u), std::pair(Shape{3, 86}, 518u),
                                           std::pair(Shape{127, 127}, 32260u)));

TEST_P(EveryLayout, SaysItsSizes) {
  ProblemUnderTest problem(Functions(), host, Scrambled(100));
  ASSERT_TRUE(problem.ok()) << problem.faults.Text();
  EXPECT_EQ(problem.info().state_size, GetParam().second);
  EXPECT_EQ(problem.info().max_ops, 4u);
  EXPECT_EQ(problem.info().cost_scale, 1);
  EXPECT_EQ(problem.info().max_op_cost, 1);
  EXPECT_EQ(problem.info().flags,
            static_cast<uint32_t>(ASTRO_PROBLEM_UNIT_COST | ASTRO_PROBLEM_UNDIRECTED | ASTRO_PROBLEM_PRUNES_LAST));
}

TEST_P(EveryLayout, WalksTheSameWayByEveryCall) {
  ProblemUnderTest problem(Functions(), host, Scrambled(500));
  ASSERT_TRUE(problem.ok()) << problem.faults.Text();
  const astro_problem_v1& f = problem.functions();
  StateBytes state = problem.Initial();
  StateBytes in_place = problem.Initial();
  astro_op last = ASTRO_NO_OP;
  const uint64_t stride = (problem.info().state_size + 63) / 64 * 64;
  StateBytes children(stride * 4);
  for (int i = 0; i < 300; ++i) {
    const std::vector<astro_op> all = problem.Ops(state);
    const std::vector<astro_op> ops = problem.Ops(state, last);
    // All but the way back, in the same order.
    std::vector<astro_op> expected;
    for (const astro_op op : all) {
      if (last == ASTRO_NO_OP || op != f.inverse_op(problem.get(), last)) expected.push_back(op);
    }
    ASSERT_EQ(ops, expected);
    ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));  // up, left, right, down
    astro_op expanded[4];
    int64_t costs[4];
    ASSERT_EQ(f.expand(problem.get(), state.get(), last, expanded, costs, children.get(), stride), ops.size());
    for (size_t k = 0; k < ops.size(); ++k) {
      EXPECT_EQ(expanded[k], ops[k]);
      EXPECT_EQ(costs[k], 1);
      EXPECT_EQ(std::memcmp(children.get() + k * stride, problem.Apply(state, ops[k]).get(), problem.info().state_size),
                0);
    }
    last = ops[random() % ops.size()];
    state = problem.Apply(state, last);
    int64_t cost = 0;
    ASSERT_EQ(f.apply_in_place(problem.get(), in_place.get(), last, &cost), ASTRO_OK);
    EXPECT_EQ(cost, 1);
    ASSERT_EQ(in_place, state);
  }
}

TEST_P(EveryLayout, UndoesByTheInverse) {
  ProblemUnderTest problem(Functions(), host, Scrambled(200));
  const StateBytes start = problem.Initial();
  for (const astro_op op : problem.Ops(start)) {
    const astro_op back = problem.functions().inverse_op(problem.get(), op);
    EXPECT_EQ(problem.Apply(problem.Apply(start, op), back), start);
    EXPECT_EQ(problem.functions().inverse_op(problem.get(), back), op);
  }
}

TEST_P(EveryLayout, RefusesOperatorsThatAreNotPossible) {
  ProblemUnderTest problem(Functions(), host, Scrambled(200));
  StateBytes state = problem.Initial();
  const StateBytes before = state;
  const std::vector<astro_op> ops = problem.Ops(state);
  const std::set<astro_op> possible(ops.begin(), ops.end());
  const auto cells = static_cast<astro_op>(shape().cells());
  for (astro_op op = 0; op < 4 * cells + 8; ++op) {
    if (possible.count(op) != 0) continue;
    ASSERT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), op, nullptr), ASTRO_INVALID) << op;
  }
  for (const astro_op op : {ASTRO_NO_OP, ASTRO_NO_OP - 1, astro_op{0x80000000}}) {
    ASSERT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), op, nullptr), ASTRO_INVALID);
  }
  EXPECT_EQ(state, before);
}

TEST_P(EveryLayout, ReadsItsOwnTexts) {
  const std::string text = Scrambled(300);
  ProblemUnderTest problem(Functions(), host, text);
  ProblemUnderTest again(Functions(), host, problem.CanonicalText());
  ASSERT_TRUE(again.ok()) << again.faults.Text();
  EXPECT_EQ(again.CanonicalText(), problem.CanonicalText());
  EXPECT_EQ(again.Fingerprint(), problem.Fingerprint());
  EXPECT_EQ(again.Initial(), problem.Initial());
  EXPECT_EQ(again.Goal(), problem.Goal());

  StateBytes state = problem.NewState();
  ASSERT_EQ(problem.functions().parse_state(problem.get(), astro::ToText(problem.Render(problem.Initial())),
                                            problem.faults.get(), state.get()),
            ASTRO_OK)
      << problem.faults.Text();
  EXPECT_EQ(state, problem.Initial());
}

TEST_P(EveryLayout, KnowsItsGoal) {
  ProblemUnderTest problem(Functions(), host, Scrambled(301));
  EXPECT_TRUE(problem.IsGoal(problem.Goal()));
  EXPECT_FALSE(problem.IsGoal(problem.Initial()));
  for (const astro_op op : problem.Ops(problem.Goal())) {
    EXPECT_FALSE(problem.IsGoal(problem.Apply(problem.Goal(), op)));
  }
}

TEST_P(EveryLayout, ShowsPlainNumbersToHeuristics) {
  ProblemUnderTest problem(Functions(), host, Scrambled(100));
  const auto& view = *static_cast<const sliding_tile_view_v1*>(problem.functions().domain_view(problem.get()));
  EXPECT_EQ(view.struct_size, sizeof(view));
  EXPECT_EQ(view.state_size, problem.info().state_size);
  EXPECT_EQ(view.start[view.start_blank], 0);
  EXPECT_EQ(view.goal[view.goal_blank], 0);
  for (uint32_t square = 0; square < view.cells; ++square) {
    EXPECT_EQ(view.goal_square[view.goal[square]], square);
    EXPECT_EQ(view.row[square] * view.cols + view.col[square], square);
  }
}

TEST(SlidingTile, RendersRowsOfRightAlignedNumbers) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "2 3 4 0/1 6 7 8/5 10 11 12/9 13 14 15");
  ASSERT_TRUE(problem.ok());
  EXPECT_EQ(problem.Render(problem.Initial()), " 2  3  4  0\n 1  6  7  8\n 5 10 11 12\n 9 13 14 15");
  EXPECT_EQ(problem.Describe(), "4 x 4 board, 15 tiles, goal blank-last");
}

// A-Q05: words mean the way the blank goes.
TEST(SlidingTile, NamesMovesByTheWayOfTheBlank) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "1 2 3/4 0 5/7 8 6");
  const StateBytes start = problem.Initial();
  const std::vector<astro_op> ops = problem.Ops(start);
  ASSERT_EQ(ops.size(), 4u);
  EXPECT_EQ(problem.RenderOp(ops[0]), "UP");
  EXPECT_EQ(problem.Render(problem.Apply(start, ops[0])), "1 0 3\n4 2 5\n7 8 6");
  EXPECT_EQ(problem.RenderOp(ops[1]), "LEFT");
  EXPECT_EQ(problem.Render(problem.Apply(start, ops[1])), "1 2 3\n0 4 5\n7 8 6");
  EXPECT_EQ(problem.RenderOp(ops[2]), "RIGHT");
  EXPECT_EQ(problem.Render(problem.Apply(start, ops[2])), "1 2 3\n4 5 0\n7 8 6");
  EXPECT_EQ(problem.RenderOp(ops[3]), "DOWN");
  EXPECT_EQ(problem.Render(problem.Apply(start, ops[3])), "1 2 3\n4 8 5\n7 0 6");
}

TEST(SlidingTile, TellsInstancesApartWhateverTheirSpelling) {
  FakeHost host;
  FakeParams first;
  first.SetText("goal", "blank-first");
  const std::string plain = ProblemUnderTest(Functions(), host, "3\n1 2 3\n4 0 6\n7 5 8\n").Fingerprint();
  EXPECT_EQ(ProblemUnderTest(Functions(), host, "[[1,2,3],[4,0,6],[7,5,8]]").Fingerprint(), plain);
  EXPECT_NE(ProblemUnderTest(Functions(), host, "1 2 3/4 6 0/7 5 8").Fingerprint(), plain);
  EXPECT_NE(ProblemUnderTest(Functions(), host, "1 2 3/4 0 6/7 5 8", &first).Fingerprint(), plain);
}

TEST(SlidingTile, AnswersWhetherTheGoalCanBeReached) {
  FakeHost host;
  ProblemUnderTest good(Functions(), host, "1 2 3/4 5 6/7 0 8");
  EXPECT_EQ(good.Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_YES));
  ProblemUnderTest bad(Functions(), host, "1 2 3/4 5 6/8 7 0");
  EXPECT_EQ(bad.Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_NO));
  EXPECT_NE(bad.Solvable().second.find("tiles 8 and 7"), std::string::npos);
}

TEST(SlidingTile, StatesOfOneShapeAreReadFromText) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "1 2 3/4 5 6/7 0 8");
  StateBytes state = problem.NewState();
  const StateBytes before = state;
  EXPECT_EQ(problem.functions().parse_state(problem.get(), astro::ToText("1 2/3 0"), problem.faults.get(), state.get()),
            ASTRO_INVALID);
  EXPECT_EQ(state, before);
  ASSERT_EQ(problem.faults.list.size(), 1u);
  EXPECT_EQ(problem.faults.list[0].field, "state");
}

// Every 8-puzzle state is met once, and the depths are those of the published table (blank in a corner).
TEST(SlidingTile, SpaceOfTheEightPuzzleIsWhole) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, "1 2 3/4 5 6/7 8 0");
  const astro_problem_v1& f = problem.functions();
  std::vector<size_t> depths;
  std::set<uint64_t> seen;
  uint64_t root = 0;
  f.initial_state(problem.get(), &root);
  std::vector<std::pair<uint64_t, astro_op>> layer = {{root, ASTRO_NO_OP}};
  seen.insert(root);
  while (!layer.empty()) {
    depths.push_back(layer.size());
    std::vector<std::pair<uint64_t, astro_op>> next;
    for (const auto& [state, last] : layer) {
      astro_op ops[4];
      uint64_t children[4];
      const uint32_t n = f.expand(problem.get(), &state, last, ops, nullptr, children, sizeof(uint64_t));
      for (uint32_t i = 0; i < n; ++i) {
        if (seen.insert(children[i]).second) next.emplace_back(children[i], ops[i]);
      }
    }
    layer = std::move(next);
  }
  EXPECT_EQ(seen.size(), 181440u);
  EXPECT_EQ(depths, (std::vector<size_t>{1,     2,     4,     8,     16,    20,   39,   62,   116,   152,   286,
                                         396,   748,   1024,  1893,  2512,  4485, 5638, 9529, 10878, 16993, 17110,
                                         23952, 20224, 24047, 15578, 14560, 6274, 3910, 760,  221,   2}));
}

}  // namespace
}  // namespace sliding_tile
