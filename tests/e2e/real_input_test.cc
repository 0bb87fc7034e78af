// The boards that people really bring, solved by the real daemon through the real command line.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

LiveDaemon* daemon = nullptr;

class RealInput : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon = new LiveDaemon(); }
  static void TearDownTestSuite() {
    delete daemon;
    daemon = nullptr;
  }
};

struct Case {
  std::string board;
  std::string goal;
  int moves;
};

TEST_F(RealInput, EveryBoardOfTheIssueHasItsOptimalLength) {
  const std::vector<Case> cases = {
      {"3\n0 1 3\n4 2 5\n7 8 6\n", "blank-last", 4},
      {"3\n8 1 3\n4 0 2\n7 6 5\n", "blank-last", 14},
      {"7 2 4\n5 0 6\n8 3 1\n", "blank-first", 26},
      {"2 8 3\n1 6 4\n7 0 5\n", "1 2 3/8 0 4/7 6 5", 5},
      {"2 3 4 0\n1 6 7 8\n5 10 11 12\n9 13 14 15\n", "blank-last", 9},
      {"1 2 3 4\n5 6 0 8\n9 10 7 12\n13 14 11 15\n", "blank-last", 3},
  };
  for (const Case& c : cases) {
    for (const std::string algorithm : {"astar", "idastar"}) {
      for (const std::string heuristic : {"manhattan", "hamming"}) {
        SCOPED_TRACE(c.board + " " + algorithm + " " + heuristic);
        const auto run = daemon->Solve(
            c.board, {"--goal", c.goal, "--algorithm", algorithm, "--heuristic", heuristic, "-o", "json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        const ResultJson result(run);
        EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED");
        EXPECT_EQ(result.proof(), "PROOF_OPTIMAL");
        EXPECT_EQ(result.cost(), c.moves);
        EXPECT_TRUE(result.Flag("/verified"));
        EXPECT_EQ(result.moves().size(), static_cast<size_t>(c.moves));
      }
    }
  }
}

TEST_F(RealInput, TheFourMoveBoardIsPrintedStepByStepAsInTheAssignment) {
  const auto run = daemon->Solve("3\n0 1 3\n4 2 5\n7 8 6\n");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "") << "nothing but the answer goes to a pipe";
  EXPECT_NE(run.out.find("Minimum number of moves = 4\n"), std::string::npos) << run.out;
  // Each of the five boards follows its size.
  std::vector<std::string> boards = {"0 1 3", "1 0 3", "1 2 3", "1 2 3", "1 2 3"};
  size_t at = 0;
  int sizes = 0;
  for (const std::string& first_row : boards) {
    at = run.out.find("\n3\n", at);
    ASSERT_NE(at, std::string::npos) << run.out;
    ++sizes;
    const size_t row = run.out.find_first_not_of(" ", at + 3);
    EXPECT_EQ(run.out.compare(row, first_row.size(), first_row), 0) << run.out.substr(at, 40);
    at += 2;
  }
  EXPECT_EQ(sizes, 5);
  EXPECT_EQ(run.out.find("\n3\n", at + 1), std::string::npos) << "five boards, no more";
}

TEST_F(RealInput, MovesAreMovesOfTheBlank) {
  const auto run = daemon->Solve("7 2 4\n5 0 6\n8 3 1\n", {"--goal", "blank-first", "-o", "moves"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  // Replay with the documented meaning: the words move the blank.
  std::vector<int> board = {7, 2, 4, 5, 0, 6, 8, 3, 1};
  int blank = 4;
  int count = 0;
  std::istringstream words(run.out);
  std::string word;
  while (words >> word) {
    const int row = blank / 3, column = blank % 3;
    int to = -1;
    if (word == "UP" && row > 0) to = blank - 3;
    if (word == "DOWN" && row < 2) to = blank + 3;
    if (word == "LEFT" && column > 0) to = blank - 1;
    if (word == "RIGHT" && column < 2) to = blank + 1;
    ASSERT_NE(to, -1) << "move " << count << " is '" << word << "'";
    std::swap(board[blank], board[to]);
    blank = to;
    ++count;
  }
  EXPECT_EQ(count, 26);
  EXPECT_EQ(board, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(RealInput, UnsolvableBoardsAreProvenSoAtOnceWithTheReason) {
  for (const std::string board : {"1 2 3\n4 5 6\n8 7 0\n", "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0\n"}) {
    for (const std::string algorithm : {"astar", "idastar"}) {
      const auto text = daemon->Solve(board, {"--algorithm", algorithm});
      EXPECT_EQ(text.exit_code, 10) << text.err;
      EXPECT_NE(text.out.find("no solution"), std::string::npos) << text.out;
      EXPECT_NE(text.out.find("parit"), std::string::npos) << text.out;
      const ResultJson result(daemon->Solve(board, {"--algorithm", algorithm, "-o", "json"}));
      EXPECT_EQ(result.outcome(), "OUTCOME_UNSOLVABLE");
      EXPECT_EQ(result.proof(), "PROOF_UNSOLVABLE_THEORY");
      EXPECT_EQ(result.expanded(), 0);
    }
  }
}

TEST_F(RealInput, TheInitialEstimatesAreTheKnownOnes) {
  const std::string board = "3\n8 1 3\n4 0 2\n7 6 5\n";
  const ResultJson hamming(daemon->Solve(board, {"--heuristic", "hamming", "-o", "json"}));
  const ResultJson manhattan(daemon->Solve(board, {"--heuristic", "manhattan", "-o", "json"}));
  EXPECT_EQ(hamming.Number("/statistics/initialH"), 5);
  EXPECT_EQ(manhattan.Number("/statistics/initialH"), 10);
}

TEST_F(RealInput, ValidateSaysWhatABoardIs) {
  CommandOptions options;
  options.stdin_text = "3\n0 1 3\n4 2 5\n7 8 6\n";
  const auto good = daemon->Cli({"validate", "-"}, options);
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_NE(good.out.find("3 x 3"), std::string::npos) << good.out;
  options.stdin_text = "1 2 3\n4 5 6\n8 7 0\n";
  const auto unsolvable = daemon->Cli({"validate", "-"}, options);
  EXPECT_EQ(unsolvable.exit_code, 10) << unsolvable.out << unsolvable.err;
}

TEST_F(RealInput, TheCatalogueIsListedAndDescribed) {
  const auto problems = daemon->Cli({"list", "problems"});
  EXPECT_NE(problems.out.find("sliding_tile"), std::string::npos) << problems.out << problems.err;
  const auto heuristics = daemon->Cli({"list", "heuristics"});
  EXPECT_NE(heuristics.out.find("manhattan"), std::string::npos);
  EXPECT_NE(heuristics.out.find("hamming"), std::string::npos);
  const auto algorithms = daemon->Cli({"list", "algorithms"});
  EXPECT_NE(algorithms.out.find("astar"), std::string::npos);
  EXPECT_NE(algorithms.out.find("idastar"), std::string::npos);
  EXPECT_EQ(daemon->Cli({"describe", "sliding_tile"}).exit_code, 0);
  EXPECT_EQ(daemon->Cli({"describe", "manhattan"}).exit_code, 0);
  const auto unknown = daemon->Cli({"describe", "manhatan"});
  EXPECT_EQ(unknown.exit_code, 5);
  EXPECT_NE(unknown.err.find("manhattan"), std::string::npos) << "did you mean: " << unknown.err;
}

}  // namespace
}  // namespace astrolabe::testing
