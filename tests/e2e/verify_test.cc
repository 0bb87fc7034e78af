// `astrolabe verify` with the real daemon and plugins: what solve writes is right, and what is changed is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

constexpr char kBoard[] = "3\n0 1 3\n4 2 5\n7 8 6\n";
constexpr char kSwapped[] = "3\n2 1 3\n4 5 6\n7 8 0\n";

class Verify : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon_ = new LiveDaemon({"--slots", "1"}); }
  static void TearDownTestSuite() {
    delete daemon_;
    daemon_ = nullptr;
  }

  CommandResult Run(const std::string& board, const std::string& moves, std::vector<std::string> flags = {}) {
    std::vector<std::string> args = {"verify", folder_.Write("board", board), folder_.Write("moves", moves)};
    args.insert(args.end(), flags.begin(), flags.end());
    return daemon_->Cli(args);
  }
  json Checked(const std::string& board, const std::string& moves, int exit_code) {
    const CommandResult run = Run(board, moves, {"-o", "json"});
    EXPECT_EQ(run.exit_code, exit_code) << run.out << run.err;
    return json::parse(run.out, nullptr, false);
  }

  TempFolder folder_;
  static LiveDaemon* daemon_;
};
LiveDaemon* Verify::daemon_ = nullptr;

TEST_F(Verify, WhatSolveWritesIsRight) {
  const CommandResult solved = daemon_->Solve(kBoard, {"-o", "moves"});
  ASSERT_EQ(solved.exit_code, 0) << solved.err;
  const json checked = Checked(kBoard, solved.out, 0);
  EXPECT_EQ(checked["valid"], true);
  EXPECT_EQ(checked["reachesGoal"], true);
  EXPECT_EQ(checked["cost"], "4");
  EXPECT_EQ(checked["finalState"], "1 2 3\n4 5 6\n7 8 0");
  // Numbers: blank * 4 + {up, left, right, down}.
  EXPECT_EQ(Run(kBoard, "2 7\n18 23").exit_code, 0);
  EXPECT_EQ(Run(kBoard, "RIGHT 7 RIGHT 23").exit_code, 0);
}

TEST_F(Verify, OneWrongMoveIsFound) {
  const CommandResult up = Run(kBoard, "RIGHT\nDOWN\nUP\nDOWN\nDOWN\n");
  EXPECT_EQ(up.exit_code, 17) << up.out;
  const CommandResult edge = Run(kBoard, "RIGHT DOWN RIGHT\nRIGHT DOWN\n");
  EXPECT_EQ(edge.exit_code, 17);
  EXPECT_EQ(edge.err, folder_ / "moves" + ":2:1: \"RIGHT\" is not possible here; expected UP, LEFT or DOWN\n");
  const CommandResult other_blank = Run(kBoard, "2\n8\n");
  EXPECT_NE(other_blank.err.find("moves:2:1: operator 8 is not possible here"), std::string::npos) << other_blank.err;
}

TEST_F(Verify, ATruncatedPathDoesNotReachTheGoal) {
  const json checked = Checked(kBoard, "RIGHT DOWN RIGHT", 17);
  EXPECT_EQ(checked["valid"], true);
  EXPECT_FALSE(checked.contains("reachesGoal"));
  EXPECT_EQ(checked["firstViolation"], "-1");
}

TEST_F(Verify, AnUnknownWordIsNamedWithWhatWouldBeRight) {
  const CommandResult run = Run(kBoard, "RIGHT\n  SIDEWAYS\n");
  EXPECT_EQ(run.exit_code, 17);
  EXPECT_EQ(run.err, folder_ / "moves" + ":2:3: \"SIDEWAYS\" is not possible here; expected LEFT, RIGHT or DOWN\n");
}

TEST_F(Verify, AnEmptyPathIsRightWhereTheStartIsTheGoal) {
  EXPECT_EQ(Run(kBoard, "").exit_code, 17);
  EXPECT_EQ(Run("3\n1 2 3\n4 5 6\n7 8 0\n", "").exit_code, 0);
}

TEST_F(Verify, NoPathSolvesAnUnsolvableBoard) {
  const json checked = Checked(kSwapped, "UP LEFT DOWN RIGHT", 17);
  EXPECT_EQ(checked["valid"], true);
  EXPECT_FALSE(checked.contains("reachesGoal"));
}

TEST_F(Verify, ABadBoardIsBadInput) {
  const CommandResult run = Run("3\n0 1 3\n4 4 5\n7 8 6\n", "UP");
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_NE(run.err.find("board:"), std::string::npos) << run.err;
}

TEST_F(Verify, GraphsHaveWordsAndCosts) {
  constexpr char kRoads[] = "#problem: explicit_graph\nedge a b 2\nedge b c 3\nedge a c 9\nstart a\ngoal c\n";
  const CommandResult solved = daemon_->Solve(kRoads, {"-o", "moves"});
  EXPECT_EQ(solved.out, "a->b\nb->c\n");
  const json checked = Checked(kRoads, solved.out, 0);
  EXPECT_EQ(checked["cost"], "5");
  EXPECT_EQ(Checked(kRoads, "a->c", 0)["cost"], "9");
  EXPECT_NE(Run(kRoads, "a->b a->c").err.find("\"a->c\" is not possible here; expected"), std::string::npos);
}

#ifdef ASTROLABE_SANITIZED
constexpr int kSide = 40;  // a path of millions takes a sanitizer's client minutes
constexpr int kLeastMoves = 100'000;
#else
constexpr int kSide = 127;
constexpr int kLeastMoves = 1'000'000;
#endif

// A large board with the usual goal; a shuffle of the tiles leads to it that is even.
std::string Large() {
  std::vector<int> tiles(kSide * kSide - 1);
  std::iota(tiles.begin(), tiles.end(), 1);
  std::mt19937 random(5);
  bool odd = false;
  for (size_t i = tiles.size() - 1; i > 0; --i) {
    const size_t k = random() % (i + 1);
    odd ^= k != i;
    std::swap(tiles[i], tiles[k]);
  }
  if (odd) std::swap(tiles[0], tiles[1]);
  std::ostringstream text;
  text << kSide << '\n';
  for (size_t i = 0; i < tiles.size(); ++i) text << tiles[i] << ((i + 1) % kSide == 0 ? '\n' : ' ');
  text << "0\n";
  return text.str();
}

TEST_F(Verify, ThePathOfTheLargestBoardFitsAFileAndIsRight) {
  const std::string board = Large();
  const CommandResult solved = daemon_->Solve(board, {"--algorithm", "construct", "-o", "moves"});
  ASSERT_EQ(solved.exit_code, 0) << solved.err;
  const auto moves = std::count(solved.out.begin(), solved.out.end(), '\n');
  EXPECT_GT(moves, kLeastMoves);
  const json checked = Checked(board, solved.out, 0);
  EXPECT_EQ(checked["reachesGoal"], true);
  EXPECT_EQ(checked["length"], std::to_string(moves));

  // One move in the middle is left out.
  std::string corrupt = solved.out;
  const size_t line = corrupt.find('\n', corrupt.size() / 2) + 1;
  const auto number = std::count(corrupt.begin(), corrupt.begin() + static_cast<std::ptrdiff_t>(line), '\n') + 1;
  corrupt.erase(line, corrupt.find('\n', line) + 1 - line);
  const CommandResult found = Run(board, corrupt);
  EXPECT_EQ(found.exit_code, 17);
  EXPECT_NE(found.err.find("moves:" + std::to_string(number) + ":1: operator "), std::string::npos) << found.err;
}

TEST_F(Verify, ThePathMayComeThroughAPipe) {
  const std::string board = folder_.Write("board", kBoard);
  CommandOptions options;
  options.stdin_text = "RIGHT DOWN RIGHT DOWN\n";
  EXPECT_EQ(daemon_->Cli({"verify", board, "-"}, options).exit_code, 0);
  options.stdin_text = "RIGHT DOWN\nUP UP\n";
  const CommandResult run = daemon_->Cli({"verify", board, "-"}, options);
  EXPECT_EQ(run.exit_code, 17);
  EXPECT_EQ(run.err.substr(0, 14), "<stdin>:2:4: \"") << run.err;
}

}  // namespace
}  // namespace astrolabe::testing
