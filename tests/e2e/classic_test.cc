// The 8-puzzle assignment as an interface: size, hamming, manhattan, goal, neighbours, twin, solvable; and solve of a
// board that cannot be solved.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

constexpr char kBoard[] = "3\n8 1 3\n4 0 2\n7 6 5\n";
constexpr char kGoal[] = "3\n1 2 3\n4 5 6\n7 8 0\n";
constexpr char kUnsolvable[] = "3\n1 2 3\n4 5 6\n8 7 0\n";

class Classic : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon_ = new LiveDaemon({"--slots", "1"}); }
  static void TearDownTestSuite() {
    delete daemon_;
    daemon_ = nullptr;
  }
  static CommandResult Run(const std::string& command, const std::string& board, std::vector<std::string> flags = {}) {
    std::vector<std::string> args = {command, "-"};
    args.insert(args.end(), flags.begin(), flags.end());
    CommandOptions options;
    options.stdin_text = board;
    return daemon_->Cli(args, options);
  }
  static std::map<std::string, std::string> Facts(const json& of) {
    std::map<std::string, std::string> facts;
    for (const json& fact : of["facts"]) facts[fact["name"]] = fact["value"];
    return facts;
  }
  static LiveDaemon* daemon_;
};
LiveDaemon* Classic::daemon_ = nullptr;

TEST_F(Classic, ValidateAnswersAllButTheNeighbours) {
  const CommandResult run = Run("validate", kBoard, {"-o", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const json checked = json::parse(run.out, nullptr, false);
  EXPECT_EQ(checked["size"], "3 x 3 board, 8 tiles, goal blank-last");
  EXPECT_EQ(checked["solvable"], "SOLVABLE_YES");
  EXPECT_FALSE(checked.contains("initialIsGoal"));
  EXPECT_EQ(Facts(checked),
            (std::map<std::string, std::string>{
                {"hamming", "5"}, {"manhattan", "10"}, {"solvable", "yes"}, {"twin", "1 8 3\n4 0 2\n7 6 5"}}));
  const CommandResult text = Run("validate", kBoard);
  for (const char* line : {"Start:       is no goal\n", "Solvable:    yes: ", "hamming: 5\n", "manhattan: 10\n",
                           "twin: 1 8 3/4 0 2/7 6 5\n"}) {
    EXPECT_NE(text.out.find(line), std::string::npos) << line << text.out;
  }
  EXPECT_EQ(json::parse(Run("validate", kGoal, {"-o", "json"}).out, nullptr, false)["initialIsGoal"], true);
}

TEST_F(Classic, ExactlyOneOfABoardAndItsTwinIsSolvable) {
  const json checked = json::parse(Run("validate", kBoard, {"-o", "json"}).out, nullptr, false);
  const CommandResult twin = Run("validate", Facts(checked)["twin"], {"-o", "json"});
  EXPECT_EQ(twin.exit_code, 10);
  const json of_twin = json::parse(twin.out, nullptr, false);
  EXPECT_EQ(of_twin["solvable"], "SOLVABLE_NO");
  EXPECT_EQ(Facts(of_twin)["twin"], checked["initialState"]);
  EXPECT_EQ(Run("solve", Facts(checked)["twin"]).exit_code, 10);
  EXPECT_EQ(Run("solve", kBoard).exit_code, 0);
}

TEST_F(Classic, EvalShowsDistancesNeighboursAndTwinOfAnyBoard) {
  const CommandResult run =
      Run("eval", kBoard,
          {"--heuristic", "hamming", "--heuristic", "manhattan", "--state", "1 2 3/4 5 6/7 8 0", "-o", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json state = json::parse(run.out, nullptr, false)["evaluations"][0];
  EXPECT_EQ(state["isGoal"], true);
  EXPECT_EQ(Facts(state)["twin"], "2 1 3\n4 5 6\n7 8 0");
  std::set<std::string> neighbours;
  for (const json& neighbour : state["neighbours"]) neighbours.insert(neighbour["state"]);
  EXPECT_EQ(neighbours, (std::set<std::string>{"1 2 3\n4 5 0\n7 8 6", "1 2 3\n4 5 6\n7 0 8"}));

  const CommandResult text = Run("eval", kBoard);
  for (const char* line : {"hamming: 5\n", "manhattan: 10\n", "solvable: yes\n", "twin: 1 8 3/4 0 2/7 6 5\n"}) {
    EXPECT_NE(text.out.find(line), std::string::npos) << line << text.out;
  }
  for (const char* neighbour : {"8 0 3/4 1 2/7 6 5", "8 1 3/0 4 2/7 6 5", "8 1 3/4 2 0/7 6 5", "8 1 3/4 6 2/7 0 5"}) {
    EXPECT_NE(text.out.find(neighbour), std::string::npos) << neighbour << "\n" << text.out;
  }
}

TEST_F(Classic, AnUnsolvableBoardHasMinusOneMovesAndNoSolution) {
  const CommandResult text = Run("solve", kUnsolvable);
  EXPECT_EQ(text.exit_code, 10);
  EXPECT_EQ(text.out.substr(0, 12), "no solution:");
  EXPECT_NE(text.out.find("\nNumber of moves = -1\n"), std::string::npos) << text.out;
  const ResultJson result(Run("solve", kUnsolvable, {"-o", "json"}));
  EXPECT_EQ(result.Number("/moves"), -1);
  EXPECT_EQ(result.outcome(), "OUTCOME_UNSOLVABLE");
  EXPECT_FALSE(result.json().contains("path"));
  EXPECT_FALSE(result.json().contains("cost"));
  const CommandResult moves = Run("solve", kUnsolvable, {"-o", "moves"});
  EXPECT_EQ(moves.exit_code, 10);
  EXPECT_EQ(moves.out, "");
  EXPECT_NE(moves.err.find("UNSOLVABLE"), std::string::npos) << moves.err;
  // Found by search, where theory is silent.
  const ResultJson graph(
      Run("solve", "#problem: explicit_graph\nedge a b\nedge c b\nstart b\ngoal c\n", {"-o", "json"}));
  EXPECT_EQ(graph.Number("/moves"), -1);
}

TEST_F(Classic, MovesAreCountedWhereThereIsASolution) {
  EXPECT_EQ(ResultJson(Run("solve", "3\n0 1 3\n4 2 5\n7 8 6\n", {"-o", "json"})).Number("/moves"), 4);
  EXPECT_EQ(ResultJson(Run("solve", kGoal, {"-o", "json"})).Number("/moves", -7), 0);
  const ResultJson limited(Run("solve", kBoard, {"--max-expansions", "1", "-o", "json"}));
  EXPECT_EQ(limited.outcome(), "OUTCOME_LIMIT_REACHED");
  EXPECT_FALSE(limited.json().contains("moves")) << "nothing is known";
}

}  // namespace
}  // namespace astrolabe::testing
