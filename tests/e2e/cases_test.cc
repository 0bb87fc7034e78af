// Small inputs that broke other software, each with its right answer. The names are those under which
// the cases are known in the project (A-S solvability, A-Q heuristics, A-L limits, A-B sizes, A-I input).
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

LiveDaemon* daemon = nullptr;
const std::vector<std::string> kAlgorithms = {"astar", "idastar"};
const std::vector<std::string> kOfAnyCost = {"weighted_astar", "greedy"};

// Without a heuristic only small boards come to an end.
std::vector<std::string> OptimalFor(const std::string& board) {
  std::vector<std::string> algorithms = kAlgorithms;
  if (board.size() < 60) algorithms.insert(algorithms.end(), {"uniform_cost", "breadth_first"});
  return algorithms;
}

class Cases : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon = new LiveDaemon(); }
  static void TearDownTestSuite() {
    delete daemon;
    daemon = nullptr;
  }

  static void ExpectLength(const std::string& board, int length, const std::string& goal = "blank-last") {
    for (const std::string& algorithm : OptimalFor(board)) {
      SCOPED_TRACE(algorithm + "\n" + board);
      const auto run =
          daemon->Solve(board, {"--goal", goal, "--algorithm", algorithm, "--heuristic", "manhattan", "-o", "json"});
      const ResultJson result(run);
      EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
      EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED");
      EXPECT_EQ(result.cost(), length);
      EXPECT_EQ(result.proof(), "PROOF_OPTIMAL");
      EXPECT_TRUE(result.Flag("/verified"));
    }
  }
  static void ExpectUnsolvable(const std::string& board, const std::string& goal = "blank-last") {
    std::vector<std::string> algorithms = OptimalFor(board);
    algorithms.insert(algorithms.end(), kOfAnyCost.begin(), kOfAnyCost.end());
    for (const std::string& algorithm : algorithms) {
      SCOPED_TRACE(algorithm + "\n" + board);
      const auto run = daemon->Solve(board, {"--goal", goal, "--algorithm", algorithm, "-o", "json"});
      EXPECT_EQ(run.exit_code, 10) << run.out << run.err;
      EXPECT_EQ(ResultJson(run).outcome(), "OUTCOME_UNSOLVABLE");
    }
  }
  // Refused with these words in the message, exit code 6, and the daemon goes on.
  static void ExpectRejected(const std::string& board, const std::vector<std::string>& words,
                             const std::string& goal = "blank-last") {
    SCOPED_TRACE(board);
    const auto run = daemon->Solve(board, {"--goal", goal});
    EXPECT_EQ(run.exit_code, 6) << run.out << run.err;
    for (const std::string& word : words) {
      EXPECT_NE((run.out + run.err).find(word), std::string::npos) << "expected '" << word << "' in:\n"
                                                                   << run.out << run.err;
    }
    EXPECT_EQ(ResultJson(daemon->Solve(board, {"--goal", goal, "-o", "json"})).outcome(), "OUTCOME_REJECTED");
    EXPECT_TRUE(daemon->Healthy());
  }
};

// A square board one vertical move from solved on an even width: the test must know the blank's row.
TEST_F(Cases, S01) { ExpectLength("4\n1 2 3 4\n5 6 7 8\n9 10 11 0\n13 14 15 12\n", 1); }
TEST_F(Cases, S02) { ExpectUnsolvable("4\n2 1 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n"); }
// Rows and columns differ: the width decides, not the height.
TEST_F(Cases, S03) { ExpectLength("3 4\n1 2 3 4\n5 6 7 0\n9 10 11 8\n", 1); }
TEST_F(Cases, S04) { ExpectLength("4 3\n1 2 3\n4 5 6\n7 8 0\n10 11 9\n", 1); }
TEST_F(Cases, S05) { ExpectUnsolvable("4 3\n2 1 3\n4 5 6\n7 8 9\n10 11 0\n"); }
TEST_F(Cases, S06) { ExpectLength("3\n4 2 7\n1 0 5\n8 3 6\n", 22, "3\n1 2 3\n8 0 4\n7 6 5\n"); }
TEST_F(Cases, S07) {
  const std::string snake = "4\n1 2 3 4\n8 7 6 5\n9 10 11 12\n0 15 14 13\n";
  ExpectLength(snake, 0, snake);
}
TEST_F(Cases, S08) { ExpectUnsolvable("4\n1 2 3 4\n8 7 6 5\n9 10 11 12\n0 15 14 13\n"); }
TEST_F(Cases, S09) { ExpectLength("2\n3 1\n0 2\n", 3); }
TEST_F(Cases, S10) { ExpectUnsolvable("2\n2 1\n3 0\n"); }

TEST_F(Cases, Q01CountingTheBlankWouldGiveFifteen) { ExpectLength("3\n2 7 3\n1 5 6\n8 0 4\n", 13); }
TEST_F(Cases, Q02) { ExpectLength("2 4\n4 0 1 2\n3 7 5 6\n", 29); }
TEST_F(Cases, Q03TheHardestBoardOfAll) { ExpectLength("3\n6 4 7\n8 5 0\n3 2 1\n", 31); }
TEST_F(Cases, Q04) { ExpectLength("2 5\n6 1 3 4 5\n0 2 7 8 9\n", 6); }
TEST_F(Cases, Q05) {
  const auto run = daemon->Solve("3\n1 2 3\n4 0 5\n7 8 6\n", {"-o", "moves"});
  std::istringstream words(run.out);
  std::vector<std::string> moves((std::istream_iterator<std::string>(words)), std::istream_iterator<std::string>());
  EXPECT_EQ(moves, (std::vector<std::string>{"RIGHT", "DOWN"}));
}

TEST_F(Cases, L01ALimitIsNeverCalledUnsolvable) {
  const std::string board = "4\n0 15 14 13\n12 11 10 9\n8 7 6 5\n4 3 2 1\n";
  for (const std::string& algorithm : kAlgorithms) {
    const auto run = daemon->Solve(board, {"--algorithm", algorithm, "--max-expansions", "1000", "-o", "json"});
    const ResultJson result(run);
    EXPECT_EQ(run.exit_code, 12) << run.out << run.err;
    EXPECT_EQ(result.outcome(), "OUTCOME_LIMIT_REACHED");
    EXPECT_EQ(result.Text("/limit"), "LIMIT_KIND_EXPANSIONS");
    EXPECT_EQ(result.expanded(), 1000);
    EXPECT_EQ(result.cost(), -1);
    EXPECT_EQ(result.Number("/path/length"), 0);
  }
  const auto run = daemon->Solve(board, {"--algorithm", "astar", "--time-limit", "1s", "-o", "json"});
  EXPECT_EQ(run.exit_code, 12) << run.out << run.err;
  EXPECT_EQ(ResultJson(run).Text("/limit"), "LIMIT_KIND_WALL_TIME");
}

TEST_F(Cases, B01SixtyBySixty) {
  // Every row is in order but for its last two tiles' column: the blank went down the last column and left.
  std::ostringstream board;
  board << "60\n";
  for (int row = 0; row < 60; ++row) {
    for (int column = 0; column < 60; ++column) {
      int tile = row * 60 + column + 1;
      if (row == 0) tile = column;
      if (row > 0 && column == 59) tile = row * 60;
      board << tile << (column == 59 ? '\n' : ' ');
    }
  }
  ExpectLength(board.str(), 118);
}

TEST_F(Cases, B02TooSmallAndTooLarge) {
  ExpectRejected("1\n0\n", {"2..127"});
  ExpectRejected("128\n0\n", {"2..127"});
  ExpectRejected("2 128\n0\n", {"2..127"});
}

// More than 127 cells: tile numbers do not fit a signed byte.
TEST_F(Cases, B03) {
  ExpectLength(
      "12\n2 14 3 4 5 6 7 8 9 10 11 12\n1 0 15 16 17 18 19 20 21 22 23 24\n13 26 27 28 29 30 31 32 33 34 35 36\n"
      "25 37 39 40 41 42 43 44 45 46 47 48\n50 38 51 52 53 54 55 56 57 58 59 60\n49 61 62 64 65 66 67 68 69 70 71 72\n"
      "73 74 63 75 76 78 79 80 81 82 83 84\n85 86 87 88 77 89 102 92 93 94 95 96\n"
      "97 98 99 100 101 91 90 127 118 105 107 108\n109 110 111 112 113 114 104 103 117 106 119 120\n"
      "121 122 123 124 125 126 116 115 128 129 130 131\n133 134 135 136 137 138 139 140 141 142 143 132\n",
      44);
}

TEST_F(Cases, I01SixSpellingsOfOneBoard) {
  for (const std::string spelling : {
           "3\r\n1 2 3\r\n4 0 6\r\n7 5 8\r\n",
           "3\n1\t2\t3\n4\t0\t6\n7\t5\t8\n",
           "3\n1 2 3\n4 0 6\n7 5 8",
           "  3  \n\n 1   2  3 \n 4 0 6   \n\n7 5 8 \n\n\n",
           "\xEF\xBB\xBF"
           "3\n1 2 3\n4 0 6\n7 5 8\n",
           "3 1 2 3 4 0 6 7 5 8\n",
           "1 2 3\n4 _ 6\n7 5 8\n",
           "1,2,3\n4,.,6\n7,5,8\n",
           "# a comment\n1 2 3\n4 0 6 # another\n7 5 8\n",
           "[[1,2,3],[4,0,6],[7,5,8]]",
           "{\"start\": [[1,2,3],[4,0,6],[7,5,8]]}",
       }) {
    ExpectLength(spelling, 2);
  }
}

TEST_F(Cases, IDuplicateTile) { ExpectRejected("3\n1 2 3\n4 4 6\n7 8 0\n", {"4 twice", ":3:3"}); }
TEST_F(Cases, INoBlank) { ExpectRejected("3\n1 2 3\n4 5 6\n7 8 9\n", {"9 out of range", "no blank"}); }
TEST_F(Cases, IMissingTile) { ExpectRejected("3\n1 2 3\n4 5 6\n7 8\n", {"8 numbers, expected 9"}); }
TEST_F(Cases, IWord) { ExpectRejected("3\n1 2 three\n4 5 6\n7 8 0\n", {"three", ":2:5"}); }
TEST_F(Cases, IRaggedRows) { ExpectRejected("3\n1 2 3 4\n5 6\n7 8 0\n", {"row length"}); }
TEST_F(Cases, IEmptyFile) { ExpectRejected("", {"empty"}); }
TEST_F(Cases, ITwoBlanks) { ExpectRejected("3\n1 2 3\n4 0 6\n7 8 0\n", {"0 twice"}); }
TEST_F(Cases, IGoalOfOtherTiles) { ExpectRejected("2\n1 2\n3 0\n", {"4 not in start"}, "2\n1 2\n4 0\n"); }

TEST_F(Cases, IAllFaultsAreToldAtOnce) {
  const auto run = daemon->Solve("3\n1 2 x\n4 4 6\n7 8 y\n");
  EXPECT_EQ(run.exit_code, 6);
  for (const char* word : {":2:5", ":3:3", ":4:5"})
    EXPECT_NE((run.out + run.err).find(word), std::string::npos) << run.err;
}

TEST_F(Cases, E05AWeightBelowOneIsRefused) {
  for (const std::string weight : {"0.5", "0", "-1", "nan"}) {
    const auto run = daemon->Solve("3\n1 2 3\n4 5 6\n7 0 8\n", {"--algorithm", "weighted_astar:weight=" + weight});
    EXPECT_EQ(run.exit_code, 6) << weight << run.out << run.err;
    EXPECT_NE((run.out + run.err).find("weight"), std::string::npos) << run.out << run.err;
    EXPECT_NE((run.out + run.err).find("1"), std::string::npos) << run.out << run.err;
  }
}

TEST_F(Cases, E06AWeightedSolutionIsWithinItsBound) {
  const std::string board = "3\n6 4 7\n8 5 0\n3 2 1\n";  // 31 moves
  for (const auto& [weight, most] : {std::pair{"1", 31}, {"1.5", 46}, {"2", 62}, {"5", 155}}) {
    const ResultJson result(
        daemon->Solve(board, {"--algorithm", std::string("weighted_astar:weight=") + weight, "-o", "json"}));
    EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED");
    EXPECT_GE(result.cost(), 31) << weight;
    EXPECT_LE(result.cost(), most) << weight;
    EXPECT_EQ(result.cost() % 2, 1) << weight;
    EXPECT_LE(result.Number("/lowerBound"), 31) << weight;
    EXPECT_EQ(result.proof(), result.cost() == result.Number("/lowerBound") ? "PROOF_OPTIMAL" : "PROOF_BOUNDED");
  }
  const ResultJson greedy(daemon->Solve(board, {"--algorithm", "greedy", "-o", "json"}));
  EXPECT_EQ(greedy.outcome(), "OUTCOME_SOLVED");
  EXPECT_GE(greedy.cost(), 31);
  EXPECT_EQ(greedy.proof(), greedy.cost() == 31 ? greedy.proof() : "PROOF_FEASIBLE");
}

// The order of equal f must depend on nothing but the input.
TEST_F(Cases, E07TheSameSearchEveryTime) {
  const std::string board = "3\n7 0 3\n1 8 4\n6 5 2\n";
  auto key = [&](const LiveDaemon& d, const std::string& algorithm) {
    const ResultJson r(d.Solve(board, {"--algorithm", algorithm, "-o", "json"}));
    std::string text = r.outcome() + " " + std::to_string(r.expanded()) + " " + std::to_string(r.generated());
    for (const auto& move : r.moves()) text += " " + move;
    return text;
  };
  LiveDaemon fresh;
  for (const std::string& algorithm : kAlgorithms) {
    const std::string first = key(*daemon, algorithm);
    EXPECT_NE(first.find("OUTCOME_SOLVED"), std::string::npos);
    EXPECT_EQ(key(*daemon, algorithm), first);
    EXPECT_EQ(key(*daemon, algorithm), first);
    EXPECT_EQ(key(fresh, algorithm), first);
  }
}

}  // namespace
}  // namespace astrolabe::testing
