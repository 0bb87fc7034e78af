// `astrolabe eval` with the real daemon and plugins.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/live_daemon.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

constexpr char kBoard[] = "3\n8 1 3\n4 0 2\n7 6 5\n";

class Eval : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon_ = new LiveDaemon(); }
  static void TearDownTestSuite() {
    delete daemon_;
    daemon_ = nullptr;
  }
  static CommandResult Run(std::vector<std::string> args, const std::string& board = kBoard) {
    args.insert(args.begin(), {"eval", "-"});
    CommandOptions options;
    options.stdin_text = board;
    return daemon_->Cli(args, options);
  }
  static json Json(std::vector<std::string> args) {
    args.insert(args.end(), {"-o", "json"});
    const CommandResult run = Run(args);
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    return json::parse(run.out, nullptr, false);
  }
  static LiveDaemon* daemon_;
};
LiveDaemon* Eval::daemon_ = nullptr;

TEST_F(Eval, TheStartHasTheKnownEstimates) {
  const json all = Json({"--heuristic", "hamming", "--heuristic", "manhattan"});
  ASSERT_EQ(all["evaluations"].size(), 1u) << all;
  const json& state = all["evaluations"][0];
  EXPECT_EQ(state["values"][0]["heuristic"], "hamming");
  EXPECT_EQ(state["values"][0]["h"], "5");
  EXPECT_EQ(state["values"][1]["h"], "10");
  EXPECT_FALSE(state.contains("isGoal"));
  ASSERT_EQ(state["neighbours"].size(), 4u) << "the blank is in the middle";
  std::set<std::string> moves;
  for (const json& neighbour : state["neighbours"]) {
    moves.insert(neighbour["opName"]);
    EXPECT_EQ(neighbour["cost"], "1");
    const int h = std::stoi(neighbour["values"][1]["h"].get<std::string>());
    EXPECT_EQ(std::abs(h - 10), 1) << "one tile goes one step: " << neighbour;
  }
  EXPECT_EQ(moves, (std::set<std::string>{"UP", "DOWN", "LEFT", "RIGHT"}));
}

TEST_F(Eval, StatesAreEvaluatedInTheirOrderAndTheGoalIsKnown) {
  const json all = Json({"--state", "1 2 3/4 5 6/7 8 0", "--state", "1 2 3/4 5 6/7 0 8", "--heuristic", "manhattan@2"});
  ASSERT_EQ(all["evaluations"].size(), 2u) << all;
  EXPECT_EQ(all["evaluations"][0]["isGoal"], true);
  EXPECT_EQ(all["evaluations"][0]["values"][0]["h"], "0");
  EXPECT_EQ(all["evaluations"][1]["values"][0]["h"], "2") << "with its weight";
  int goals = 0;
  for (const json& neighbour : all["evaluations"][1]["neighbours"]) goals += neighbour.value("isGoal", false);
  EXPECT_EQ(goals, 1);
}

TEST_F(Eval, TextIsForPeople) {
  const CommandResult run = Run({"--heuristic", "hamming", "--heuristic", "manhattan"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_NE(run.out.find("3\n8 1 3\n4 0 2\n7 6 5\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("hamming     5\nmanhattan  10\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("leads to\n"), std::string::npos) << run.out;
}

TEST_F(Eval, AllWrongStatesAreTold) {
  const CommandResult run = Run({"--state", "1 2 3/4 4 6/7 8 0", "--state", "1 2 3/4 5 6/7 8 0", "--state", "1 2"});
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_NE(run.err.find("--state 1"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("--state 2"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("--state 3"), std::string::npos) << run.err;
}

TEST_F(Eval, WrongIdsAndBoardsHaveTheirExitCodes) {
  const CommandResult unknown = Run({"--heuristic", "manhatan"});
  EXPECT_EQ(unknown.exit_code, 5);
  EXPECT_NE(unknown.err.find("manhattan"), std::string::npos) << unknown.err;
  const CommandResult bad = Run({}, "1 2 3\n4 4 6\n7 8 0\n");
  EXPECT_EQ(bad.exit_code, 6);
  EXPECT_NE(bad.err.find("<stdin>"), std::string::npos) << bad.err;
}

TEST_F(Eval, TooManyStatesAreRefused) {
  std::vector<std::string> args = {"--no-neighbours"};
  for (int i = 0; i < 1001; ++i) args.insert(args.end(), {"--state", "1 2 3/4 5 6/7 8 0"});
  const CommandResult run = Run(args);
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_NE(run.err.find("1000"), std::string::npos) << run.err;
  args.resize(args.size() - 2);
  EXPECT_EQ(Run(args).exit_code, 0) << "1000 are fine";
}

TEST_F(Eval, APluginThatCrashesIsNamedAndTheNextAnswerComes) {
  const auto load = daemon_->Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/segv_in_eval.so"});
  ASSERT_EQ(load.exit_code, 0) << load.err;
  const CommandResult crash = Run({"--problem", "segv_in_eval", "--heuristic", "segv_in_eval_h"}, "0 10");
  EXPECT_EQ(crash.exit_code, 14) << crash.out;
  EXPECT_NE(crash.err.find("segv_in_eval"), std::string::npos) << crash.err;
  EXPECT_NE(crash.err.find("SIGSEGV"), std::string::npos) << crash.err;
  EXPECT_EQ(Run({}).exit_code, 0);
}

}  // namespace
}  // namespace astrolabe::testing
