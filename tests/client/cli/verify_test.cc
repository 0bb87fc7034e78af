// `astrolabe verify` against the double of the server.
#include <nlohmann/json.hpp>

#include "tests/client/cli/cli_process.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

class CliVerify : public CliProcess {
 protected:
  // The server finds move `first_violation` wrong.
  static FakeBehaviour Wrong(int first_violation) {
    FakeBehaviour behaviour;
    behaviour.checked_path.set_first_violation(first_violation);
    behaviour.checked_path.set_length(first_violation);
    behaviour.checked_path.set_cost(first_violation);
    behaviour.checked_path.set_cost_scale(1);
    behaviour.checked_path.set_violation("\"UP\" is not possible here; expected DOWN");
    behaviour.checked_path.set_final_state("0 1/2 3");
    return behaviour;
  }
};

TEST_F(CliVerify, ARightPathEndsWithZero) {
  std::vector<v1::ValidatePathRequest> seen;
  FakeBehaviour behaviour;
  behaviour.path_piece = [&](const v1::ValidatePathRequest& request) {
    seen.push_back(request);
    return true;
  };
  behaviour.checked_path.set_valid(true);
  behaviour.checked_path.set_reaches_goal(true);
  behaviour.checked_path.set_cost(25);
  behaviour.checked_path.set_cost_scale(10);
  behaviour.checked_path.set_length(3);
  behaviour.checked_path.set_first_violation(-1);
  behaviour.checked_path.add_notes("a note");
  Serve(behaviour);
  const std::string moves = folder_.Write("moves", "RIGHT DOWN\n7\n");
  const CommandResult run = Run({"verify", "-", moves, "--goal", "blank-first"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "Valid: 3 moves, cost 2.5\nThe goal is reached.\n");
  EXPECT_EQ(run.err, "note: a note\n");
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].instance().params().at("goal").string_value(), "blank-first");
  EXPECT_EQ(seen[1].op_names_size(), 2);
  EXPECT_EQ(seen[2].ops(0), 7u);
  EXPECT_EQ(Run({"verify", "-", moves, "-q"}).err, "");
  const json printed = json::parse(Run({"verify", "-", moves, "-o", "json"}).out, nullptr, false);
  EXPECT_EQ(printed["reachesGoal"], true);
  EXPECT_EQ(printed["firstViolation"], "-1");
}

TEST_F(CliVerify, TheFirstWrongMoveIsNamedByLineAndColumn) {
  Serve(Wrong(2));
  const std::string moves = folder_.Write("moves", "RIGHT\nDOWN  UP\n");
  const CommandResult run = Run({"verify", "-", moves});
  EXPECT_EQ(run.exit_code, 17);
  EXPECT_EQ(run.err, moves + ":2:7: \"UP\" is not possible here; expected DOWN\n");
  EXPECT_EQ(run.out, "Not valid: 2 moves are possible, cost 2\n\nLast state\n2\n0 1\n2 3\n");
  const CommandResult as_json = Run({"verify", "-", moves, "-o", "json"});
  EXPECT_EQ(as_json.exit_code, 17);
  const json printed = json::parse(as_json.out, nullptr, false);
  EXPECT_EQ(printed["violation"], moves + ":2:7: \"UP\" is not possible here; expected DOWN");
  EXPECT_FALSE(printed.contains("valid"));
}

TEST_F(CliVerify, MovesMayComeFromStandardInput) {
  Serve(Wrong(4));
  const std::string board = folder_.Write("board", "3\n0 1 3\n4 2 5\n7 8 6\n");
  // A board is on standard input: its numbers are taken for operators.
  const CommandResult run = Run({"verify", board, "-"});
  EXPECT_EQ(run.exit_code, 17);
  EXPECT_EQ(run.err.substr(0, 15), "<stdin>:3:1: \"U") << run.err;
}

TEST_F(CliVerify, APathThatStopsShortIsNoSolution) {
  FakeBehaviour behaviour;
  behaviour.checked_path.set_valid(true);
  behaviour.checked_path.set_first_violation(-1);
  behaviour.checked_path.set_final_state("1 0");
  Serve(behaviour);
  const CommandResult run = Run({"verify", "-", folder_.Write("moves", "")});
  EXPECT_EQ(run.exit_code, 17);
  EXPECT_NE(run.out.find("Valid: 0 moves, cost 0\nThe goal is not reached.\n"), std::string::npos) << run.out;
}

TEST_F(CliVerify, WhatIsNoPathIsBadInput) {
  Serve();
  const CommandResult number = Run({"verify", "-", folder_.Write("moves", "1\n 99999999999\n")});
  EXPECT_EQ(number.exit_code, 6);
  EXPECT_NE(number.err.find("moves:2:2: 99999999999 is no operator"), std::string::npos) << number.err;
  const CommandResult text = Run({"verify", "-", folder_.Write("moves", "UP\n\xff\n")});
  EXPECT_EQ(text.exit_code, 6);
  EXPECT_NE(text.err.find("moves:2:1: this word is not UTF-8"), std::string::npos) << text.err;
  EXPECT_EQ(Run({"verify", "-", folder_ / "none"}).exit_code, 6);
  EXPECT_EQ(Run({"verify", "-", "-"}).exit_code, 2);
  EXPECT_EQ(Run({"verify", "-"}).exit_code, 2);
}

TEST_F(CliVerify, FaultsOfTheInstanceNameItsFile) {
  FakeBehaviour behaviour;
  behaviour.path_piece = [](const v1::ValidatePathRequest&) { return false; };
  behaviour.path_status = RichError(grpc::StatusCode::INVALID_ARGUMENT, "bad", "INSTANCE_REJECTED",
                                    {{"instance", "line 2, column 3: 4 twice"}});
  Serve(behaviour);
  const CommandResult run = Run({"verify", "-", folder_.Write("moves", "UP")});
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_EQ(run.err, "<stdin>:2:3: 4 twice\n");
}

}  // namespace
}  // namespace astrolabe::testing
