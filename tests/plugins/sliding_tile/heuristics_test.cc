#include <gtest/gtest.h>

#include <cstdlib>

#include "astrolabe/sdk/testing/under_test.h"
#include "astrolabe/sliding_tile/view.h"
#include "boards.h"
#include "plugins_under_test.h"

namespace {

using namespace astro::testing;

struct ShapeAndName {
  int rows;
  int cols;
  const char* name;
};

class Heuristics : public ::testing::TestWithParam<ShapeAndName> {
 protected:
  // By the definition, from the tiles as they are shown.
  int64_t Expected(const std::vector<int>& tiles, const sliding_tile_view_v1& view) const {
    int64_t h = 0;
    for (size_t square = 0; square < tiles.size(); ++square) {
      const int tile = tiles[square];
      if (tile == 0) continue;
      const int goal = view.goal_square[tile];
      const int at = static_cast<int>(square);
      const int cols = GetParam().cols;
      h += std::string(GetParam().name) == "hamming"
               ? goal != at
               : std::abs(goal / cols - at / cols) + std::abs(goal % cols - at % cols);
    }
    return h;
  }
  static std::vector<int> Tiles(const std::string& rendered) {
    std::vector<int> tiles;
    const char* at = rendered.c_str();
    char* end = nullptr;
    for (long tile = std::strtol(at, &end, 10); end != at; tile = std::strtol(at, &end, 10)) {
      tiles.push_back(static_cast<int>(tile));
      at = end;
    }
    return tiles;
  }
};

INSTANTIATE_TEST_SUITE_P(Shapes, Heuristics,
                         ::testing::Values(ShapeAndName{2, 2, "manhattan"}, ShapeAndName{3, 3, "manhattan"},
                                           ShapeAndName{4, 4, "manhattan"}, ShapeAndName{2, 7, "manhattan"},
                                           ShapeAndName{5, 5, "manhattan"}, ShapeAndName{12, 12, "manhattan"},
                                           ShapeAndName{16, 16, "manhattan"}, ShapeAndName{20, 30, "manhattan"},
                                           ShapeAndName{40, 33, "manhattan"}, ShapeAndName{3, 3, "hamming"},
                                           ShapeAndName{4, 4, "hamming"}, ShapeAndName{5, 6, "hamming"},
                                           ShapeAndName{20, 20, "hamming"}, ShapeAndName{127, 127, "hamming"}),
                         [](const auto& info) {
                           return std::string(info.param.name) + std::to_string(info.param.rows) + "x" +
                                  std::to_string(info.param.cols);
                         });

TEST_P(Heuristics, FollowTheirDefinitionAlongAWalkToAnyGoal) {
  const auto [rows, cols, name] = GetParam();
  std::mt19937 random(5);
  const auto goal = boards::Walk(rows, cols, boards::BlankLast(rows * cols), 5000, random);
  const auto start = boards::Walk(rows, cols, goal, 5000, random);
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, boards::WithGoal(rows, cols, start, goal));
  ASSERT_TRUE(problem.ok()) << problem.faults.Text();
  HeuristicUnderTest heuristic(Plugin(name).Heuristic(), host, problem);
  ASSERT_TRUE(heuristic.ok());
  const auto& view = *static_cast<const sliding_tile_view_v1*>(problem.functions().domain_view(problem.get()));

  StateBytes state = problem.Initial();
  int64_t carried = heuristic.Eval(state);
  for (int i = 0; i < 150; ++i) {
    ASSERT_EQ(carried, heuristic.Eval(state));
    ASSERT_EQ(carried, Expected(Tiles(problem.Render(state)), view));
    const std::vector<astro_op> ops = problem.Ops(state);
    int64_t h[4];
    heuristic.functions().eval_ops(heuristic.context(), state.get(), carried, nullptr, ops.data(),
                                   static_cast<uint32_t>(ops.size()), h, nullptr);
    const size_t pick = random() % ops.size();
    state = problem.Apply(state, ops[pick]);
    carried = h[pick];
  }
  EXPECT_EQ(heuristic.Eval(problem.Goal()), 0);
}

TEST_P(Heuristics, ShowATableThatAddsUp) {
  const auto [rows, cols, name] = GetParam();
  std::mt19937 random(6);
  FakeHost host;
  const auto start = boards::Walk(rows, cols, boards::BlankLast(rows * cols), 500, random);
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, boards::Text(rows, cols, start));
  HeuristicUnderTest heuristic(Plugin(name).Heuristic(), host, problem);
  astro_additive_table_v1 table;
  if (rows * cols > 25) {
    EXPECT_FALSE(heuristic.Table(table));
    return;
  }
  ASSERT_TRUE(heuristic.Table(table));
  const auto n = static_cast<uint32_t>(rows * cols);
  ASSERT_EQ(table.n_tiles, n);
  ASSERT_EQ(table.n_squares, n);
  StateBytes state = problem.Initial();
  int64_t h = heuristic.Eval(state);
  for (int i = 0; i < 200; ++i) {
    const std::vector<astro_op> ops = problem.Ops(state);
    const astro_op op = ops[random() % ops.size()];
    const int steps[] = {-cols, -1, 1, cols};
    const uint32_t to = op / 4;
    const uint32_t from = to + static_cast<uint32_t>(steps[op % 4]);
    const auto tile = static_cast<uint32_t>(Tiles(problem.Render(state))[from]);
    h += table.delta[(tile * n + from) * n + to];
    state = problem.Apply(state, op);
    ASSERT_EQ(h, heuristic.Eval(state));
  }
}

// --- all heuristics: h carried along a walk is h from nothing ------------------------------------------------------

struct Walker {
  int rows;
  int cols;
  const char* name;
};

class OnAWalk : public ::testing::TestWithParam<Walker> {};

INSTANTIATE_TEST_SUITE_P(
    Heuristics, OnAWalk,
    ::testing::Values(Walker{4, 4, "zero"}, Walker{40, 33, "zero"}, Walker{4, 4, "match_score"},
                      Walker{3, 7, "match_score"}, Walker{127, 127, "match_score"}, Walker{4, 4, "linear_conflict"},
                      Walker{2, 7, "linear_conflict"}, Walker{7, 3, "linear_conflict"}, Walker{5, 5, "linear_conflict"},
                      Walker{127, 127, "linear_conflict"}, Walker{4, 4, "gaschnig"}, Walker{5, 6, "gaschnig"},
                      Walker{30, 40, "gaschnig"}, Walker{4, 4, "walking_distance"}, Walker{3, 5, "walking_distance"},
                      Walker{6, 2, "walking_distance"}, Walker{3, 4, "pattern_database"},
                      Walker{2, 9, "pattern_database"}),
    [](const auto& info) {
      return std::string(info.param.name) + std::to_string(info.param.rows) + "x" + std::to_string(info.param.cols);
    });

TEST_P(OnAWalk, CarriesWhatAFreshLookGives) {
  const auto [rows, cols, name] = GetParam();
  std::mt19937 random(7);
  const auto goal = boards::Walk(rows, cols, boards::BlankLast(rows * cols), 5000, random);
  // Near the goal, where lines and cycles are changed.
  const auto start = boards::Walk(rows, cols, goal, 100, random);
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, boards::WithGoal(rows, cols, start, goal));
  ASSERT_TRUE(problem.ok()) << problem.faults.Text();
  HeuristicUnderTest heuristic(Plugin(name).Heuristic(), host, problem);
  ASSERT_TRUE(heuristic.ok()) << heuristic.faults.Text();
  StateBytes state = problem.Initial();
  int64_t carried = heuristic.Eval(state);
  std::vector<std::byte> aux = heuristic.RootAux(state);
  std::vector<std::byte> child_aux(4 * aux.size());
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(carried, heuristic.Eval(state));
    ASSERT_EQ(aux, heuristic.RootAux(state));
    const std::vector<astro_op> ops = problem.Ops(state);
    int64_t h[4];
    heuristic.functions().eval_ops(heuristic.context(), state.get(), carried, aux.empty() ? nullptr : aux.data(),
                                   ops.data(), static_cast<uint32_t>(ops.size()), h,
                                   aux.empty() ? nullptr : child_aux.data());
    const size_t pick = random() % ops.size();
    state = problem.Apply(state, ops[pick]);
    carried = h[pick];
    std::copy_n(child_aux.data() + pick * aux.size(), aux.size(), aux.data());
  }
  EXPECT_EQ(heuristic.Eval(problem.Goal()), 0);
}

// --- single boards, by hand ------------------------------------------------------------------------------------

struct Known {
  const char* board;
  int64_t h;
};

void ExpectValues(const char* name, std::initializer_list<Known> list) {
  for (const Known& known : list) {
    FakeHost host;
    ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, known.board);
    HeuristicUnderTest heuristic(Plugin(name).Heuristic(), host, problem);
    EXPECT_EQ(heuristic.Eval(problem.Initial()), known.h) << known.board;
  }
}

std::string Explained(const char* name, const char* board) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, board);
  HeuristicUnderTest heuristic(Plugin(name).Heuristic(), host, problem);
  return heuristic.Explain(problem.Initial());
}

TEST(LinearConflict, CountsTheFewestThatMustLeaveALine) {
  // Two tiles the wrong way round; three in reverse: two must leave; three where one is in the way of both.
  ExpectValues("linear_conflict", {{"2 1 3/4 5 6/7 8 0", 2 + 2},
                                   {"3 2 1/4 5 6/7 8 0", 4 + 4},
                                   {"2 3 1/4 5 6/7 8 0", 4 + 2},
                                   {"4 2 3/1 5 6/7 8 0", 2 + 2},
                                   {"4 3 2 1/5 6 7 8/9 10 11 12/13 14 15 0", 8 + 6},
                                   // Out of its row a tile is in nobody's way.
                                   {"2 5 3/1 4 6/7 8 0", 4},
                                   // A goal of its own.
                                   {"1 2 3/4 5 6/7 8 0\ngoal\n2 1 3/4 5 6/7 8 0", 2 + 2}});
}

TEST(LinearConflict, NamesTheLines) {
  EXPECT_EQ(Explained("linear_conflict", "3 2 1/4 5 6/7 8 0"),
            "manhattan distance: 4\nrow 1: 4  (of its own tiles 3 2 1, 2 must leave it)\n");
}

TEST(Gaschnig, CountsJumps) {
  ExpectValues("gaschnig", {{"1 2 3/4 5 6/7 8 0", 0},
                            {"1 2 3/4 5 6/7 0 8", 1},  // in the blank's cycle
                            {"2 1 3/4 5 6/7 8 0", 3},  // a cycle of its own
                            {"2 1 3/5 4 6/7 0 8", 3 + 3 + 1}});
  EXPECT_EQ(Explained("gaschnig", "2 1 3/4 5 6/7 0 8"), "cycle 2 1: 3\ncycle 0 8: 1  (the blank is in it)\n");
}

TEST(WalkingDistance, CountsMovesAcrossLines) {
  ExpectValues("walking_distance", {{"1 2 3/4 5 6/7 8 0", 0}, {"1 2 3/4 5 6/7 0 8", 1}});
  EXPECT_EQ(Explained("walking_distance", "1 2 3/4 5 6/7 0 8"), "moves up and down: 0\nmoves left and right: 1\n");
}

// On the 15-puzzle the farthest reduced board is 35 moves away, up and down as left and right.
TEST(WalkingDistance, ReachesSeventyOnTheFifteenPuzzle) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0");
  EXPECT_EQ(HeuristicUnderTest(Plugin("walking_distance").Heuristic(), host, problem).info().max_h, 70);
}

TEST(WalkingDistance, RefusesBoardsWhoseTableIsTooBig) {
  for (const auto& [rows, cols] : {std::pair{5, 5}, {4, 5}, {3, 7}, {127, 2}}) {
    FakeHost host;
    ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host,
                             boards::Text(rows, cols, boards::BlankLast(rows * cols)));
    HeuristicUnderTest heuristic(Plugin("walking_distance").Heuristic(), host, problem);
    EXPECT_EQ(heuristic.status(), ASTRO_REFUSED);
    ASSERT_EQ(heuristic.faults.list.size(), 1u);
    EXPECT_NE(heuristic.faults.list[0].message.find("more than 8 rows and columns"), std::string::npos);
    EXPECT_NE(heuristic.faults.list[0].hint.find("linear_conflict"), std::string::npos);
  }
}

TEST(WalkingDistance, StopsBuildingWhenCancelled) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0");
  host.cancelled = true;
  HeuristicUnderTest heuristic(Plugin("walking_distance").Heuristic(), host, problem);
  EXPECT_EQ(heuristic.status(), ASTRO_CANCELLED);
}

TEST(MatchScore, CountsTheBlankAndPromisesNothing) {
  ExpectValues("match_score", {{"1 2 3/4 5 6/7 8 0", 0}, {"1 2 3/4 5 6/7 0 8", 2}, {"0 1 3/4 2 5/7 8 6", 5}});
  EXPECT_EQ(Explained("match_score", "1 2 3/4 5 6/7 0 8"),
            "row 3, column 2: 0 instead of 8\nrow 3, column 3: 8 instead of 0\n");
}

TEST(Manhattan, ExplainsItself) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, "8 1 3/4 0 2/7 6 5");
  HeuristicUnderTest heuristic(Plugin("manhattan").Heuristic(), host, problem);
  EXPECT_EQ(heuristic.Eval(problem.Initial()), 10);
  EXPECT_NE(heuristic.Explain(problem.Initial()).find("tile 8: 3  (row 1, column 1; belongs in row 3, column 2)\n"),
            std::string::npos)
      << heuristic.Explain(problem.Initial());
  EXPECT_EQ(heuristic.Explain(problem.Goal()), "");
}

TEST(Hamming, IsFiveOnTheBoardOfTheAssignment) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, "8 1 3/4 0 2/7 6 5");
  HeuristicUnderTest heuristic(Plugin("hamming").Heuristic(), host, problem);
  EXPECT_EQ(heuristic.Eval(problem.Initial()), 5);
}

TEST(Claims, AreThoseThatHold) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, "1 2/3 0");
  HeuristicUnderTest manhattan(Plugin("manhattan").Heuristic(), host, problem);
  HeuristicUnderTest hamming(Plugin("hamming").Heuristic(), host, problem);
  const uint32_t both = ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_CONSISTENT;
  EXPECT_EQ(manhattan.info().claims, both | ASTRO_CLAIM_PARITY);
  EXPECT_EQ(hamming.info().claims, both);
}

}  // namespace
