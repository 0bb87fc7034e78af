// Boards solved by methods that have nothing in common but the problem: all must find the same length and prove it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/live_daemon.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

struct Board {
  int rows;
  int columns;
  std::vector<int> tiles;
  std::vector<int> goal;
  int most;  // moves known to be enough
};

constexpr int kNoLimit = 1000;

std::vector<int> BlankLast(int cells) {
  std::vector<int> tiles(static_cast<size_t>(cells));
  std::iota(tiles.begin(), tiles.end(), 1);
  tiles.back() = 0;
  return tiles;
}

// So many moves of the blank, none of which takes the last one back.
void Walk(Board& board, int moves, std::mt19937& random) {
  int blank = static_cast<int>(std::find(board.tiles.begin(), board.tiles.end(), 0) - board.tiles.begin());
  int last = -1;
  for (int i = 0; i < moves; ++i) {
    std::vector<int> next;
    const auto offer = [&](bool possible, int to) {
      if (possible && to != last) next.push_back(to);
    };
    offer(blank >= board.columns, blank - board.columns);
    offer(blank % board.columns > 0, blank - 1);
    offer((blank + 1) % board.columns > 0, blank + 1);
    offer(blank + board.columns < board.rows * board.columns, blank + board.columns);
    const int to = next[random() % next.size()];
    std::swap(board.tiles[blank], board.tiles[to]);
    last = std::exchange(blank, to);
  }
}

// Every board that the goal can be reached from is as likely, but for where the blank is.
Board Shuffled(int rows, int columns, std::vector<int> goal, std::mt19937& random) {
  Board board{rows, columns, goal, std::move(goal), kNoLimit};
  std::vector<size_t> squares;
  for (size_t square = 0; square < board.tiles.size(); ++square) {
    if (board.tiles[square] != 0) squares.push_back(square);
  }
  bool odd = false;
  for (size_t i = squares.size() - 1; i > 0; --i) {
    const size_t k = random() % (i + 1);
    std::swap(board.tiles[squares[i]], board.tiles[squares[k]]);
    odd ^= k != i;
  }
  if (odd) std::swap(board.tiles[squares[0]], board.tiles[squares[1]]);
  Walk(board, static_cast<int>(random() % 16), random);
  return board;
}

Board Scrambled(int rows, int columns, int moves, std::mt19937& random) {
  const std::vector<int> goal = BlankLast(rows * columns);
  Board board{rows, columns, goal, goal, moves};
  Walk(board, moves, random);
  return board;
}

json Rows(const std::vector<int>& tiles, int columns) {
  json rows = json::array();
  for (size_t square = 0; square < tiles.size(); ++square) {
    if (square % static_cast<size_t>(columns) == 0) rows.push_back(json::array());
    rows.back().push_back(tiles[square]);
  }
  return rows;
}

class TwoMethods : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon_ = new LiveDaemon(); }
  static void TearDownTestSuite() {
    delete daemon_;
    daemon_ = nullptr;
  }

  // configs: as in `astrolabe bench --config`.
  static void ExpectAgreement(const std::vector<Board>& boards, const std::vector<std::string>& configs,
                              uint32_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<std::string> args = {"bench", "-", "--lines", "-o", "ndjson"};
    for (const std::string& config : configs) args.insert(args.end(), {"--config", config});
    CommandOptions options;
    for (const Board& board : boards) {
      options.stdin_text +=
          json{{"start", Rows(board.tiles, board.columns)}, {"goal", Rows(board.goal, board.columns)}}.dump() + "\n";
    }
    const CommandResult run = daemon_->Cli(args, options);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::vector<json> rows;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
      json event = json::parse(line);
      if (event.contains("run")) rows.push_back(std::move(event["run"]));
    }
    ASSERT_EQ(rows.size(), boards.size() * configs.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const Board& board = boards[i / configs.size()];
      const json& first = rows[i - i % configs.size()];
      SCOPED_TRACE(Rows(board.tiles, board.columns).dump() + " " + rows[i].dump());
      ASSERT_EQ(rows[i]["outcome"], "SOLVED");
      EXPECT_EQ(rows[i]["proof"], "OPTIMAL");
      EXPECT_EQ(rows[i]["length"], first["length"]) << first;
      EXPECT_LE(rows[i]["length"], board.most);
    }
  }

 private:
  static LiveDaemon* daemon_;
};
LiveDaemon* TwoMethods::daemon_ = nullptr;

// Blind search, the problem's own kernel, and A* with tables.
TEST_F(TwoMethods, AgreeOnBoardsOfUpToNineSquares) {
  constexpr uint32_t kSeed = 9;
  std::mt19937 random(kSeed);
  std::vector<Board> boards;
  for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}, {3, 3}}) {
    for (int i = 0; i < 8; ++i) {
      std::vector<int> goal = BlankLast(rows * columns);
      if (i % 2 == 1) std::shuffle(goal.begin(), goal.end(), random);
      boards.push_back(Shuffled(rows, columns, std::move(goal), random));
    }
  }
  ExpectAgreement(
      boards,
      {"breadth_first", "bidirectional_bfs", "idastar manhattan", "astar pattern_database", "rbfs linear_conflict"},
      kSeed);
}

// Blind search from both ends, and A* with tables: what searches depth first takes too long on two rows.
TEST_F(TwoMethods, AgreeOnBoardsOfUpToTwelveSquares) {
  constexpr uint32_t kSeed = 12;
  std::mt19937 random(kSeed);
  std::vector<Board> boards;
  for (const auto& [rows, columns] : {std::pair{2, 5}, {5, 2}, {2, 6}, {6, 2}, {3, 4}, {4, 3}}) {
    for (int i = 0; i < 2; ++i) boards.push_back(Shuffled(rows, columns, BlankLast(rows * columns), random));
  }
  ExpectAgreement(boards, {"bidirectional_bfs", "astar pattern_database"}, kSeed);
}

TEST_F(TwoMethods, AgreeOnBoardsOfThreeByFour) {
  constexpr uint32_t kSeed = 34;
  std::mt19937 random(kSeed);
  std::vector<Board> boards;
  for (const auto& [rows, columns] : {std::pair{3, 4}, {4, 3}}) {
    std::vector<int> goal = BlankLast(12);
    for (int i = 0; i < 4; ++i) boards.push_back(Shuffled(rows, columns, goal, random));
    std::shuffle(goal.begin(), goal.end(), random);
    for (int i = 0; i < 4; ++i) boards.push_back(Shuffled(rows, columns, goal, random));
  }
  ExpectAgreement(boards, {"idastar linear_conflict", "astar walking_distance", "bidirectional manhattan"}, kSeed);
}

TEST_F(TwoMethods, AgreeOnFifteenPuzzles) {
  constexpr uint32_t kSeed = 15;
  std::mt19937 random(kSeed);
  std::vector<Board> boards;
  for (int i = 0; i < 6; ++i) boards.push_back(Shuffled(4, 4, BlankLast(16), random));
  ExpectAgreement(
      boards, {"idastar manhattan", "idastar pattern_database:patterns=6-6-3", "astar pattern_database:patterns=5-5-5"},
      kSeed);
}

TEST_F(TwoMethods, AgreeOnFifteenPuzzlesThatAStarCanHold) {
  constexpr uint32_t kSeed = 44;
  std::mt19937 random(kSeed);
  std::vector<Board> boards;
  for (int i = 0; i < 6; ++i) boards.push_back(Scrambled(4, 4, 80, random));
  ExpectAgreement(boards, {"astar linear_conflict", "idastar walking_distance", "idastar manhattan"}, kSeed);
}

// Above 4 x 4 the walk that made the board says how many moves are enough, and two searches prove how few are.
TEST_F(TwoMethods, AgreeOnScramblesOfLargerBoards) {
  constexpr uint32_t kSeed = 40;
  std::mt19937 random(kSeed);
  std::vector<Board> boards;
  for (const auto& [rows, columns] : {std::pair{4, 5}, {5, 4}, {3, 7}, {5, 5}, {6, 6}, {7, 5}, {17, 16}}) {
    for (const int moves : {20, 31, 40}) boards.push_back(Scrambled(rows, columns, moves, random));
  }
  ExpectAgreement(boards, {"idastar manhattan", "astar linear_conflict", "bidirectional linear_conflict"}, kSeed);
}

}  // namespace
}  // namespace astrolabe::testing
