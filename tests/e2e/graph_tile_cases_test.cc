// Boards given by neighbour lists on which solvers of this kind went wrong. The names are those under which the cases
// are known in the project (A-G).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

constexpr const char* kThreeByThree = "0:1 3, 1:0 2 4, 2:1 5, 3:0 4 6, 4:1 3 5 7, 5:2 4 8, 6:3 7, 7:4 6 8, 8:5 7\n";
constexpr const char* kRing = R"({"cells": 7, "edges": [[0,1],[1,2],[2,3],[3,4],[4,5],[5,6],[6,0]],)";

LiveDaemon* daemon = nullptr;

class GraphTileCases : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon = new LiveDaemon({"--slots", "2"}); }
  static void TearDownTestSuite() {
    delete daemon;
    daemon = nullptr;
  }

  static CommandResult Solve(const std::string& board, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--problem", "graph_tile", "--time-limit", "20s"});
    return daemon->Solve(board, more);
  }
  static ResultJson SolveJson(const std::string& board, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"-o", "json"});
    return ResultJson(Solve(board, more));
  }
  static void ExpectLength(const std::string& board, int64_t length) {
    for (const char* algorithm : {"astar", "idastar", "bidirectional", "breadth_first"}) {
      const ResultJson result = SolveJson(board, {"--algorithm", algorithm});
      EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED") << algorithm;
      EXPECT_EQ(result.cost(), length) << algorithm;
      EXPECT_TRUE(result.Flag("/verified")) << algorithm;
    }
  }
  static void ExpectUnsolvable(const std::string& board, const std::string& reason) {
    for (const char* algorithm : {"astar", "idastar"}) {
      const CommandResult run = Solve(board, {"--algorithm", algorithm, "-o", "json"});
      const ResultJson result(run);
      EXPECT_EQ(run.exit_code, 10) << run.out << run.err;
      EXPECT_EQ(result.proof(), "PROOF_UNSOLVABLE_THEORY");
      EXPECT_EQ(result.expanded(), 0);
      EXPECT_NE(run.out.find(reason), std::string::npos) << run.out;
    }
  }
};

TEST_F(GraphTileCases, TheClassicListIsSolvedInFourMoves) {
  const std::string board = std::string(kThreeByThree) + "start 0 1 3 4 2 5 7 8 6\ngoal 1 2 3 4 5 6 7 8 0\n";
  ExpectLength(board, 4);
  const ResultJson result = SolveJson(board);
  EXPECT_EQ(result.moves(), (std::vector<std::string>{"0->1", "1->4", "4->5", "5->8"}));
}

TEST_F(GraphTileCases, TheScoreOfMatchesLeadsGreedySearchToASolution) {
  const std::string board = std::string(kThreeByThree) + "start 6 4 7 8 5 0 3 2 1\n";
  const ResultJson result = SolveJson(board, {"--algorithm", "greedy", "--heuristic", "graph_match_score"});
  EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED");
  EXPECT_EQ(result.proof(), "PROOF_FEASIBLE");
  EXPECT_GE(result.cost(), 31);
}

TEST_F(GraphTileCases, G01ARingKeepsItsOrder) {
  ExpectUnsolvable(std::string(kRing) + R"("start": [0,2,1,3,4,5,6], "goal": [0,1,2,3,4,5,6]})", "ring of 7");
}
TEST_F(GraphTileCases, G02ARingTurns) {
  ExpectLength(std::string(kRing) + R"("directed": false, "start": [0,3,4,5,6,1,2], "goal": [0,1,2,3,4,5,6]})", 14);
}
TEST_F(GraphTileCases, G03OneDiagonalEndsParity) {
  ExpectLength(R"({"cells": 6, "edges": [[0,1],[1,2],[3,4],[4,5],[0,3],[1,4],[2,5],[0,4]],
                   "start": [2,1,3,4,5,0], "goal": [1,2,3,4,5,0]})",
               5);
}
TEST_F(GraphTileCases, G04OnAPathTilesKeepTheirOrder) {
  ExpectUnsolvable(R"({"cells": 6, "edges": [[0,1],[1,2],[2,3],[3,4],[4,5]],
                       "start": [1,2,0,3,5,4], "goal": [1,2,3,0,4,5]})",
                   "cell");
}
TEST_F(GraphTileCases, G05ThePartWithoutTheBlankIsWrong) {
  ExpectUnsolvable(R"({"cells": 6, "edges": [[0,1],[1,2],[2,0],[3,4],[4,5],[5,3]],
                       "start": [0,1,2,4,3,5], "goal": [0,1,2,3,4,5]})",
                   "several parts");
}
TEST_F(GraphTileCases, G06TheSameAsTheBoardOfRowsAndColumns) {
  ExpectLength(std::string(kThreeByThree) + "start 6 4 7 8 5 0 3 2 1\n", 31);
}
TEST_F(GraphTileCases, G07ACellThatDoesNotExist) {
  const CommandResult run =
      Solve(R"({"cells": 4, "edges": [[0,1],[1,2],[2,4]], "start": [0,1,2,3], "goal": [1,0,2,3]})");
  EXPECT_EQ(run.exit_code, 6) << run.out << run.err;
  EXPECT_NE((run.out + run.err).find("cell 4 does not exist"), std::string::npos) << run.out << run.err;
  EXPECT_NE((run.out + run.err).find(":1:39"), std::string::npos) << run.out << run.err;
}
TEST_F(GraphTileCases, G08LoopsAndRepeatedEdgesAreNoMoves) {
  const std::string board = R"({"cells": 4, "edges": [[0,0],[0,1],[0,1],[1,0],[1,2],[2,3]],
                               "start": [0,1,2,3], "goal": [1,0,2,3]})";
  ExpectLength(board, 1);
  const CommandResult run = Solve(board, {"-o", "json"});
  EXPECT_NE(run.out.find("1 self-loop and 2 repeated edges ignored"), std::string::npos) << run.out << run.err;
  EXPECT_EQ(ResultJson(run).moves(), std::vector<std::string>{"0->1"});
}

TEST_F(GraphTileCases, APairThatIsNotSymmetricIsNamedUnlessMovesMayGoOneWay) {
  const std::string board = "0: 1\n1: 2\n2: 0\nstart 0 1 2\ngoal 1 0 2\n";
  const CommandResult run = Solve(board);
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_NE((run.out + run.err).find("cell 0 has the neighbour 1, but cell 1 has not the neighbour 0"),
            std::string::npos)
      << run.out << run.err;
  for (const char* algorithm : {"astar", "idastar", "bidirectional", "breadth_first"}) {
    const ResultJson result = SolveJson(board, {"--param", "symmetric=false", "--algorithm", algorithm});
    EXPECT_EQ(result.cost(), 1) << algorithm;  // theory is silent, the search finds out
  }
}

TEST_F(GraphTileCases, SymmetricIsAnOptionOfEveryCommandThatTakesABoard) {
  const TempFolder folder;
  const std::string one_way =
      folder.Write("one_way", "#problem: graph_tile\n0: 1\n1: 2\n2: 0\nstart 0 1 2\ngoal 1 0 2\n");
  const std::string directed =
      folder.Write("directed", "#problem: graph_tile\ndirected\n0: 1\n1: 2\n2: 0\nstart 0 1 2\ngoal 1 0 2\n");
  const std::string moves = folder.Write("moves", "0->1\n");
  const std::vector<std::vector<std::string>> commands = {
      {"solve"}, {"eval"}, {"validate"}, {"bench"}, {"verify", moves}};
  for (const std::vector<std::string>& command : commands) {
    const auto run = [&](const std::string& file, const std::string& option) {
      std::vector<std::string> args = {command[0], file};
      args.insert(args.end(), command.begin() + 1, command.end());
      if (!option.empty()) args.insert(args.begin() + 1, option);
      return daemon->Cli(args);
    };
    const int refused = command[0] == "bench" ? 0 : 6;  // a row of its table
    for (const char* on : {"--symmetric", "--symmetric=on", "--symmetric=true"}) {
      const CommandResult checked = run(directed, on);
      EXPECT_EQ(checked.exit_code, refused) << command[0] << " " << on << checked.out << checked.err;
      EXPECT_NE((checked.out + checked.err).find("cell 0 has the neighbour 1, but cell 1 has not the neighbour 0"),
                std::string::npos)
          << command[0] << " " << on << checked.out << checked.err;
    }
    for (const char* off : {"--no-symmetric", "--symmetric=off", "--symmetric=false"}) {
      const CommandResult taken = run(one_way, off);
      EXPECT_EQ(taken.exit_code, 0) << command[0] << " " << off << taken.out << taken.err;
      EXPECT_EQ((taken.out + taken.err).find("not symmetric"), std::string::npos) << taken.out << taken.err;
    }
    EXPECT_EQ(run(one_way, "").exit_code, refused) << command[0];
    EXPECT_EQ(run(directed, "").exit_code, 0) << command[0];
    EXPECT_EQ(run(directed, "--symetric").exit_code, 2) << command[0];
    const CommandResult help = daemon->Cli({command[0], "--help"});
    EXPECT_NE(help.out.find("--K=V"), std::string::npos) << help.out;
  }
  const CommandResult described = daemon->Cli({"describe", "graph_tile"});
  EXPECT_NE(described.out.find("--symmetric, --no-symmetric"), std::string::npos) << described.out;
}

TEST_F(GraphTileCases, WhereTheoryIsSilentTheSearchFindsOut) {
  const std::string board = "directed\n0: 1\n1: 2\n2: 0\nstart 0 1 2\ngoal 0 2 1\n";
  const ResultJson solved = SolveJson(board);
  EXPECT_EQ(solved.outcome(), "OUTCOME_SOLVED");
  EXPECT_EQ(solved.cost(), 3);
  for (const char* algorithm : {"astar", "idastar", "bidirectional", "breadth_first"}) {
    const ResultJson result =
        SolveJson("directed\n0: 1 2 3\n1: 2 3\n2: 3\n3:\nstart 0 1 2 3\ngoal 3 2 1 0\n", {"--algorithm", algorithm});
    EXPECT_EQ(result.outcome(), "OUTCOME_UNSOLVABLE") << algorithm;
    EXPECT_EQ(result.proof(), "PROOF_UNSOLVABLE_EXHAUSTED") << algorithm;
  }
}

TEST_F(GraphTileCases, TheExampleIsSolved) {
  const CommandResult run = daemon->Cli({"solve", SOURCE_ROOT "/examples/instances/graph-board.txt", "-o", "json"});
  EXPECT_EQ(ResultJson(run).cost(), 4) << run.out << run.err;
}

}  // namespace
}  // namespace astrolabe::testing
