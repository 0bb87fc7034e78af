// attacking_pairs and the problem, by the plugin files as the host loads them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/loaded_plugin.h"
#include "astrolabe/sdk/testing/local.h"
#include "plugins/queens/problem_info.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::HeuristicUnderTest;
using astro::testing::LoadedPlugin;
using astro::testing::ProblemUnderTest;
using astro::testing::TrailUnderTest;

const LoadedPlugin& File(const std::string& name) {
  static const LoadedPlugin queens(ASTROLABE_TEST_PLUGIN_DIR "/queens.so");
  static const LoadedPlugin pairs(ASTROLABE_TEST_PLUGIN_DIR "/attacking_pairs.so");
  const LoadedPlugin& file = name == "queens" ? queens : pairs;
  EXPECT_EQ(file.error(), "");
  return file;
}

struct AttackingPairsTest : ::testing::Test {
  AttackingPairsTest() : problem(File("queens").Problem()), pairs(File("attacking_pairs").Heuristic()) {}

  int64_t Eval(std::string_view text, FakeParams* params = nullptr) {
    const ProblemUnderTest board(problem, host, text, params);
    const HeuristicUnderTest h(pairs, host, board);
    EXPECT_TRUE(board.ok() && h.ok());
    return h.Eval(board.Initial());
  }

  const astro_problem_v1* problem;
  const astro_heuristic_v1* pairs;
  FakeHost host;
};

// Pair by pair, by what "attack" means.
int64_t PairsOf(const std::vector<uint32_t>& rows) {
  int64_t pairs = 0;
  for (size_t a = 0; a < rows.size(); ++a) {
    for (size_t b = a + 1; b < rows.size(); ++b) {
      const int64_t apart = static_cast<int64_t>(rows[a]) - rows[b];
      if (apart == 0 || std::abs(apart) == static_cast<int64_t>(b - a)) ++pairs;
    }
  }
  return pairs;
}

std::vector<int64_t> DeltasOf(const ProblemUnderTest& board, const HeuristicUnderTest& h) {
  TrailUnderTest trail(h);
  trail.Bind(board.Values(board.Initial()));
  astro_factored_info_v1 info = {};
  EXPECT_TRUE(board.Factored(&info));
  std::vector<int64_t> deltas(size_t{info.variables} * info.values);
  trail.Deltas(0, info.variables, deltas.data());
  return deltas;
}

TEST_F(AttackingPairsTest, CountsEveryPairOnALine) {
  EXPECT_EQ(Eval("6\n0 1 2 3 4 5"), 15);
  EXPECT_EQ(Eval("6\n5 4 3 2 1 0"), 15);
  EXPECT_EQ(Eval("6\n2 2 2 2 2 2"), 15);
  EXPECT_EQ(Eval("4\n1 3 0 2"), 0);
  EXPECT_EQ(Eval("1\n0"), 0);
  EXPECT_EQ(Eval("2\n0 1"), 1);
}

// Russell and Norvig, "Artificial Intelligence: A Modern Approach", the board of 17 in the section on hill climbing;
// rows from 1 there.
TEST_F(AttackingPairsTest, KnowsTheTextbooksBoard) {
  const ProblemUnderTest board(problem, host, "3 2 1 4 3 2 1 2");
  const HeuristicUnderTest h(pairs, host, board);
  EXPECT_EQ(h.Eval(board.Initial()), 17);
  const std::vector<int64_t> deltas = DeltasOf(board, h);
  const std::vector<uint32_t> rows = board.Values(board.Initial());
  std::vector<int64_t> neighbours;
  for (uint32_t column = 0; column < 8; ++column) {
    for (uint32_t row = 0; row < 8; ++row) {
      if (row != rows[column]) neighbours.push_back(17 + deltas[column * 8 + row]);
    }
  }
  EXPECT_EQ(neighbours.size(), 56u);
  EXPECT_EQ(*std::min_element(neighbours.begin(), neighbours.end()), 12);
  EXPECT_EQ(std::count(neighbours.begin(), neighbours.end(), 12), 8);
}

TEST_F(AttackingPairsTest, TheExamplesAreWhatTheirTitlesSay) {
  EXPECT_EQ(Eval(queens::kExamples[1].text), 17);
  EXPECT_EQ(Eval(queens::kExamples[2].text), 1);
  EXPECT_EQ(Eval(queens::kExamples[3].text), 0);
}

TEST_F(AttackingPairsTest, KnowsALocalOptimumOfOnePair) {
  const ProblemUnderTest board(problem, host, "7\n4 2 5 6 1 3 0");
  const HeuristicUnderTest h(pairs, host, board);
  EXPECT_EQ(h.Eval(board.Initial()), 1);
  const std::vector<uint32_t> rows = board.Values(board.Initial());
  const std::vector<int64_t> deltas = DeltasOf(board, h);
  for (uint32_t column = 0; column < 7; ++column) {
    for (uint32_t row = 0; row < 7; ++row) {
      if (row == rows[column]) {
        EXPECT_EQ(deltas[column * 7 + row], 0);
      } else {
        EXPECT_GE(deltas[column * 7 + row], 1);
      }
    }
  }
}

TEST_F(AttackingPairsTest, EvalIsTheSumOverPairs) {
  for (const uint32_t queens : {2u, 5u, 8u, 60u, 300u}) {
    const ProblemUnderTest board(problem, host, std::to_string(queens));
    const HeuristicUnderTest h(pairs, host, board);
    for (uint64_t seed = 0; seed < 30; ++seed) {
      const auto state = board.Random(seed);
      EXPECT_EQ(h.Eval(state), PairsOf(board.Values(state)));
    }
  }
}

TEST_F(AttackingPairsTest, TheTrailFollowsEveryStep) {
  for (const uint32_t queens : {1u, 2u, 3u, 7u, 8u, 9u, 20u}) {
    const ProblemUnderTest board(problem, host, std::to_string(queens));
    const HeuristicUnderTest h(pairs, host, board);
    EXPECT_EQ(astro::testing::TrailFault(board, h, 5, 20, queens), "") << queens;
  }
  EXPECT_TRUE(host.failures.empty());
}

// Counts of lines are bytes as long as they fit: here they leave them and come back.
TEST_F(AttackingPairsTest, TheTrailFollowsLinesOfHundredsOfQueens) {
  constexpr uint32_t kQueens = 600;
  const ProblemUnderTest board(problem, host, std::to_string(kQueens));
  const HeuristicUnderTest h(pairs, host, board);
  TrailUnderTest trail(h);
  std::vector<int64_t> deltas(kQueens);
  const auto check_all_of = [&](uint32_t column, const std::vector<uint32_t>& rows) {
    ASSERT_EQ(trail.Objective(), h.Eval(board.State(rows))) << column;
    trail.Deltas(column, 1, deltas.data());
    for (uint32_t row = 0; row < kQueens; ++row) {
      std::vector<uint32_t> neighbour = rows;
      neighbour[column] = row;
      const int64_t change = h.Eval(board.State(neighbour)) - trail.Objective();
      ASSERT_EQ(trail.Delta(column, row), change) << column << " to " << row;
      ASSERT_EQ(deltas[row], change) << column << " to " << row;
    }
  };
  // Everybody in one row, and on one diagonal of either direction.
  for (const int line : {0, 1, 2}) {
    std::vector<uint32_t> rows(kQueens);
    for (uint32_t column = 0; column < kQueens; ++column) {
      rows[column] = line == 0 ? 7 : line == 1 ? column : kQueens - 1 - column;
    }
    const std::vector<uint32_t> start = rows;
    trail.Bind(rows);
    check_all_of(3, rows);
    for (const bool leave : {true, false}) {
      for (uint32_t column = 0; column < 400; ++column) {
        rows[column] = leave ? (column * 7 + 11) % kQueens : start[column];
        trail.Commit(column, rows[column]);
        if (column % 10 == 3 || (column > 340 && column < 350)) {
          ASSERT_EQ(trail.Objective(), h.Eval(board.State(rows))) << line << " " << column;
          EXPECT_TRUE(trail.InConflict(500));
        }
        if (column == 100 || column == 345) check_all_of(column + 9, rows);
      }
      check_all_of(399, rows);
    }
    EXPECT_EQ(rows, start);
  }
}

TEST_F(AttackingPairsTest, AQueenInNoPairIsInNoConflict) {
  const ProblemUnderTest board(problem, host, "7\n4 2 5 6 1 3 0");
  const HeuristicUnderTest h(pairs, host, board);
  TrailUnderTest trail(h);
  trail.Bind(board.Values(board.Initial()));
  std::vector<uint32_t> in_conflict;
  for (uint32_t column = 0; column < 7; ++column) {
    if (trail.InConflict(column)) in_conflict.push_back(column);
  }
  EXPECT_EQ(in_conflict, (std::vector<uint32_t>{2, 3}));  // rows 5 and 6, next to each other
  trail.Bind({1, 3, 5, 0, 2, 4, 6});
  trail.Commit(6, 0);
  EXPECT_TRUE(trail.InConflict(6) && trail.InConflict(3));
  EXPECT_FALSE(trail.InConflict(5));
}

TEST_F(AttackingPairsTest, AMillionQueensTakeLessThanFortyMegabytesOfTheBudget) {
  const ProblemUnderTest board(problem, host, "1000000");
  const HeuristicUnderTest h(pairs, host, board);
  host.budget_bytes = 40 << 20;
  {
    TrailUnderTest trail(h);
    ASSERT_TRUE(trail.ok());
    EXPECT_GE(host.budget_bytes, uint64_t{12} << 20);
    const auto state = board.Random(1);
    std::vector<uint32_t> rows = board.Values(state);
    trail.Bind(rows);
    EXPECT_EQ(trail.Objective(), h.Eval(state));
    int64_t objective = trail.Objective();
    for (uint32_t column = 0; column < 1'000'000; column += 99'991) {
      const int64_t delta = trail.Delta(column, 5);
      rows[column] = 5;
      trail.Commit(column, 5);
      objective += delta;
      EXPECT_EQ(trail.Objective(), objective);
    }
    EXPECT_EQ(objective, h.Eval(board.State(rows)));
    // All in one row: the largest objective there is.
    trail.Bind(std::vector<uint32_t>(1'000'000, 3));
    EXPECT_EQ(trail.Objective(), int64_t{1'000'000} * 999'999 / 2);
  }
  host.budget_bytes = 1 << 20;
  EXPECT_FALSE(TrailUnderTest(h).ok());
  EXPECT_TRUE(host.failures.empty());
}

TEST_F(AttackingPairsTest, CountsColumnsWithoutAQueenOnPartialBoards) {
  FakeParams incremental;
  incremental.SetText("formulation", "incremental");
  EXPECT_EQ(Eval("6", &incremental), 6);
  EXPECT_EQ(Eval("6\n1 3", &incremental), 4);
  EXPECT_EQ(Eval("6\n1 3 5 0 2 4", &incremental), 0);
  const ProblemUnderTest board(problem, host, "6\n1 3", &incremental);
  const HeuristicUnderTest h(pairs, host, board);
  EXPECT_EQ(h.info().claims, static_cast<uint32_t>(ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_CONSISTENT));
  const std::vector<astro_op> ops = board.Ops(board.Initial());
  std::vector<int64_t> children(ops.size());
  pairs->eval_ops(h.context(), board.Initial().get(), 4, nullptr, ops.data(), static_cast<uint32_t>(ops.size()),
                  children.data(), nullptr);
  EXPECT_FALSE(ops.empty());
  for (const int64_t child : children) EXPECT_EQ(child, 3);
}

TEST_F(AttackingPairsTest, AStepThatIsAnOperatorIsEvaluatedBeforeItIsTaken) {
  const ProblemUnderTest board(problem, host, "9");
  const HeuristicUnderTest h(pairs, host, board);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const auto state = board.Random(seed);
    for (astro_op op = 0; op < 81; ++op) {
      auto child = state;
      if (board.functions().apply_in_place(board.get(), child.get(), op, nullptr) != ASTRO_OK) continue;
      int64_t value = -1;
      pairs->eval_ops(h.context(), state.get(), h.Eval(state), nullptr, &op, 1, &value, nullptr);
      EXPECT_EQ(value, h.Eval(child)) << op;
    }
  }
}

TEST_F(AttackingPairsTest, IsNoBoundOnCompleteBoards) {
  const ProblemUnderTest board(problem, host, "8");
  EXPECT_EQ(HeuristicUnderTest(pairs, host, board).info().claims, 0u);
}

TEST_F(AttackingPairsTest, NamesThePairsOfSmallBoards) {
  const ProblemUnderTest board(problem, host, "4\n0 1 3 1");
  const HeuristicUnderTest h(pairs, host, board);
  EXPECT_EQ(h.Explain(board.Initial()),
            "row: 1 pair\nrising diagonal: 0 pairs\nfalling diagonal: 1 pair\n"
            "columns 0 and 1: falling diagonal\ncolumns 1 and 3: row\n");
  const ProblemUnderTest large(problem, host, "300");
  const HeuristicUnderTest on_large(pairs, host, large);
  EXPECT_EQ(on_large.Explain(large.Initial()),
            "row: 44850 pairs\nrising diagonal: 0 pairs\nfalling diagonal: 0 pairs\n");
}

}  // namespace
