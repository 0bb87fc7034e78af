#include "client/cli/result_text.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

using client::Outcome;
using client::Proof;
using client::Result;

Result Solved() {
  Result result;
  result.outcome = Outcome::kSolved;
  result.proof = Proof::kOptimal;
  result.cost = 1;
  result.path = {{3}, {"RIGHT"}, {"1 0\n3 2", "0 1\n3 2"}, 1, false};
  result.verified = true;
  result.statistics.expanded = 5;
  result.statistics.generated = 12;
  result.provenance.algorithm = "astar";
  result.provenance.heuristics = {"manhattan"};
  result.provenance.tier = client::EngineTier::kGeneric;
  return result;
}

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ResultText, AnOptimalSolutionIsPrintedAsInTheAssignment) {
  const std::string text = ResultText(Solved(), {"RIGHT"});
  EXPECT_TRUE(text.starts_with("Minimum number of moves = 1\n\n2\n1 0\n3 2\n\nRIGHT\n2\n0 1\n3 2\n\n")) << text;
  EXPECT_TRUE(Has(text, "optimal")) << text;
  EXPECT_TRUE(Has(text, "verified")) << text;
  EXPECT_TRUE(Has(text, "5 expanded, 12 generated")) << text;
  EXPECT_TRUE(Has(text, "astar with manhattan; engine tier generic")) << text;
}

TEST(ResultText, ALongPreparationIsNotTakenForSearching) {
  Result result = Solved();
  result.statistics.prepare_time = std::chrono::seconds(3);
  result.statistics.search_time = std::chrono::milliseconds(500);
  EXPECT_TRUE(Has(ResultText(result, {"RIGHT"}), "12 generated, 3.50 s with 3.00 s of preparation ("))
      << ResultText(result, {"RIGHT"});
  result.statistics.prepare_time = std::chrono::milliseconds(400);
  EXPECT_FALSE(Has(ResultText(result, {"RIGHT"}), "preparation"));
}

TEST(ResultText, MinimumIsSaidOnlyWhenProven) {
  for (const Proof proof : {Proof::kFeasible, Proof::kBounded, Proof::kNone}) {
    Result result = Solved();
    result.proof = proof;
    const std::string text = ResultText(result, {"RIGHT"});
    EXPECT_FALSE(Has(text, "Minimum")) << text;
    EXPECT_TRUE(text.starts_with("Number of moves = 1 (not proven minimal)\n")) << text;
  }
}

Result Climbed() {
  Result result;
  result.outcome = Outcome::kSolved;
  result.proof = Proof::kFeasible;
  result.objective = 0;
  result.final_state = ". Q . .\n. . . Q\nQ . . .\n. . Q .";
  result.verified = true;
  result.statistics.local = client::LocalStatistics{
      .climbs = 3, .solved = 1, .stuck = 2, .steps = 7, .steps_solved = 3, .steps_stuck = 4, .sideways_steps = 1};
  result.provenance.algorithm = "hill_climbing";
  result.provenance.heuristics = {"attacking_pairs"};
  return result;
}

TEST(ResultText, LocalSearchPrintsItsStateAndObjective) {
  const std::string text = ResultText(Climbed(), {});
  EXPECT_TRUE(text.starts_with("solved: objective 0\n\n. Q . .\n. . . Q\nQ . . .\n. . Q .\n\n")) << text;
  EXPECT_TRUE(Has(text, "objective computed anew from the state")) << text;
  EXPECT_TRUE(Has(text, "3 climbs (1 solved, 2 stuck), 7 steps (1 sideways)")) << text;
  EXPECT_FALSE(Has(text, "moves")) << text;
}

TEST(ResultText, ALocalOptimumIsToldWithItsBestState) {
  Result result = Climbed();
  result.outcome = Outcome::kExhaustedLocal;
  result.objective = 1;
  result.explanation = "Stopped in a local optimum, objective 1, after 3 steps.";
  const std::string text = ResultText(result, {});
  EXPECT_TRUE(
      text.starts_with("Stopped in a local optimum, objective 1, after 3 steps.\nbest state: objective 1\n\n. Q"))
      << text;
}

TEST(ResultText, ATargetThatIsReachedIsNoSolution) {
  Result result = Climbed();
  result.proof = Proof::kNone;
  result.objective = 3;
  const std::string text = ResultText(result, {});
  EXPECT_TRUE(text.starts_with("target reached: objective 3\n")) << text;
  EXPECT_FALSE(Has(text, "a solution")) << text;
}

TEST(ResultText, NoSolutionsAreCountedToo) {
  Result result;
  result.outcome = Outcome::kUnsolvable;
  result.provenance.algorithm = "all_solutions";
  EXPECT_TRUE(Has(ResultText(result, {}), "Number of solutions = 0\n"));
  result.provenance.algorithm = "astar";
  EXPECT_FALSE(Has(ResultText(result, {}), "Number of solutions"));
}

TEST(ResultText, WhatTheAlgorithmSaysOfItsSolutionIsANote) {
  Result result;
  result.outcome = Outcome::kSolved;
  result.proof = Proof::kFeasible;
  result.cost = 4;
  result.explanation = "A solution of cost 4; nothing more is known. It was made so. Take more time.";
  EXPECT_TRUE(Has(ResultText(result, {}), "\nNote:    It was made so. Take more time.\n")) << ResultText(result, {});
  result.explanation = "A solution of cost 4; nothing more is known.";
  EXPECT_FALSE(Has(ResultText(result, {}), "Note:"));
}

TEST(ResultText, ALargeStateIsNotPutOnTheScreen) {
  Result result = Climbed();
  result.final_state = std::string(5000, '1');
  EXPECT_TRUE(Has(ResultText(result, {}), "-o state writes it"));
  EXPECT_FALSE(Has(ResultText(result, {}), "1111"));
  result.final_state.clear();  // the server left it out
  EXPECT_TRUE(Has(ResultText(result, {}), "-o state writes it"));
}

TEST(ResultText, SolutionsThatWereCountedAreTold) {
  Result result = Solved();
  result.solution_count = 92;
  EXPECT_TRUE(ResultText(result, {"RIGHT"}).starts_with("Number of solutions = 92\n"));
}

TEST(ResultText, ZeroMovesIsASolution) {
  Result result = Solved();
  result.cost = 0;
  result.path = {{}, {}, {"1 2\n3 0"}, 0, false};
  EXPECT_TRUE(ResultText(result, {}).starts_with("Minimum number of moves = 0\n\n2\n1 2\n3 0\n"))
      << ResultText(result, {});
}

TEST(ResultText, MovesThatDoNotCostOneAreTold) {
  Result result = Solved();
  result.cost = 141421356;
  result.cost_scale = 100000000;
  EXPECT_TRUE(ResultText(result, {"RIGHT"}).starts_with("Minimum cost = 1.41421356\nNumber of moves = 1\n"));
}

TEST(ResultText, ALongPathIsItsMovesAlone) {
  Result result = Solved();
  result.path.length = 201;
  result.cost = 201;
  result.path.states.assign(202, "1 2\n3 0");
  const std::vector<std::string> moves(201, "LEFT");
  const std::string text = ResultText(result, moves);
  EXPECT_FALSE(Has(text, "\n2\n")) << text;
  EXPECT_TRUE(Has(text, "LEFT LEFT LEFT"));
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) EXPECT_LE(end - start, 110u);
}

TEST(ResultText, AnUnsolvableBoardSaysWhy) {
  Result result;
  result.outcome = Outcome::kUnsolvable;
  result.proof = Proof::kUnsolvableTheory;
  result.explanation = "the permutation is odd";
  const std::string text = ResultText(result, {});
  EXPECT_TRUE(text.starts_with("no solution: the permutation is odd\nNumber of moves = -1\n")) << text;
}

TEST(ResultText, ThatThereIsNoSolutionIsSaidOnce) {
  Result result;
  result.outcome = Outcome::kUnsolvable;
  result.explanation = "There is no solution: everything that can be reached was searched.";
  const std::string text = ResultText(result, {});
  EXPECT_TRUE(text.starts_with("no solution: everything that can be reached was searched.\n")) << text;
}

TEST(ResultText, ALimitShowsTheBestSoFar) {
  Result result = Solved();
  result.outcome = Outcome::kLimitReached;
  result.limit = client::LimitKind::kWallTime;
  result.proof = Proof::kFeasible;
  result.lower_bound = 1;
  result.explanation = "It was slow.";
  const std::string text = ResultText(result, {"RIGHT"});
  EXPECT_TRUE(Has(text, "stopped by the time limit; the best solution found so far is shown\nIt was slow.\n")) << text;
  EXPECT_TRUE(Has(text, "Number of moves = 1 (not proven minimal)")) << text;
  result.cost.reset();
  EXPECT_TRUE(Has(ResultText(result, {}), "no solution was found"));
  EXPECT_FALSE(Has(ResultText(result, {}), "Number of moves"));
}

TEST(ResultWarnings, AViolationNamesFileLineAndColumn) {
  Result result;
  result.violations = {{"instance", 2, 5, "4 stands here twice", "each tile once", "remove one"},
                       {"params.goal", 1, 1, "bad", "", ""},
                       {"", 0, 0, "empty", "a board", ""},
                       {"heuristics[0]", 0, 0, "wrong problem", "", ""}};
  EXPECT_EQ(ResultWarnings(result, {"board.txt", "goal.txt"}),
            "board.txt:2:5: 4 stands here twice; expected each tile once; remove one\n"
            "goal.txt:1:1: bad\n"
            "board.txt: empty; expected a board\n"
            "heuristics[0]: wrong problem\n");
}

TEST(ResultWarnings, ARefutedClaimNamesHeuristicAndState) {
  Result result = Solved();
  result.refuted_claims = {{"my_h", "admissible", "1 2\n3 0", 9, 7}};
  const std::string text = ResultWarnings(result, {});
  EXPECT_TRUE(Has(text, "my_h")) << text;
  EXPECT_TRUE(Has(text, "1 2/3 0")) << text;
  EXPECT_TRUE(Has(text, "9")) << text;
  EXPECT_TRUE(Has(text, "7")) << text;
}

TEST(ResultWarnings, APluginFailureNamesPluginStageAndSignal) {
  Result result;
  result.plugin_failure = client::PluginFailure{"org.x", "search", 11, "SIGSEGV", "CRASHED", "eval_ops", ""};
  EXPECT_EQ(ResultWarnings(result, {}),
            "plugin org.x failed in stage search (eval_ops): CRASHED, signal 11 (SIGSEGV)\n");
}

TEST(WrapWords, BreaksBetweenWords) {
  EXPECT_EQ(WrapWords({"UP", "DOWN", "LEFT"}, 7), "UP DOWN\nLEFT\n");
  EXPECT_EQ(WrapWords({}, 10), "");
}

}  // namespace
}  // namespace astrolabe::cli
