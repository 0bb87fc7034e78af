// Local search on queens through the real daemon: the cases A-N, the forms of input and output, seeds, limits in the
// middle of a climb, boards of a million queens, statistics of many climbs, and counting. What the daemon says of a
// board is not believed: conflicts are counted here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

// Six queens on the main diagonal.
constexpr const char* kDiagonal = "6\n0 1 2 3 4 5\n";
// One pair attacks, and every neighbour has more.
constexpr const char* kLocalMinimum = "7\n4 2 5 6 1 3 0\n";
constexpr const char* kSolution = "4\n1 3 0 2\n";
// 17 pairs; the textbook's board (Russell and Norvig, figure 4.3).
constexpr const char* kTextbook = "8\n4 5 6 3 4 5 6 5\n";

// The row of the queen in each column, of a drawing or of a list.
std::vector<uint32_t> RowsOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<uint32_t> rows;
  if (text.find('Q') == std::string::npos) {
    for (uint32_t row = 0; in >> row;) rows.push_back(row);
    return rows;
  }
  std::string line;
  for (uint32_t row = 0; std::getline(in, line); ++row) {
    std::erase(line, ' ');
    if (rows.empty()) rows.resize(line.size());
    for (size_t column = 0; column < line.size(); ++column) {
      if (line[column] == 'Q') rows.at(column) = row;
    }
  }
  return rows;
}

// Pairs in a row or on a diagonal, from the number of queens on each line.
int64_t Conflicts(const std::vector<uint32_t>& rows) {
  const size_t n = rows.size();
  std::vector<int64_t> row(n);
  std::vector<int64_t> rising(2 * n);
  std::vector<int64_t> falling(2 * n);
  for (size_t column = 0; column < n; ++column) {
    ++row.at(rows[column]);
    ++rising[column + rows[column]];
    ++falling[column + n - rows[column]];
  }
  int64_t pairs = 0;
  for (const auto& lines : {row, rising, falling}) {
    for (const int64_t queens : lines) pairs += queens * (queens - 1) / 2;
  }
  return pairs;
}

LiveDaemon* daemon = nullptr;

class LocalSearch : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon = new LiveDaemon({"--slots", "2"}); }
  static void TearDownTestSuite() {
    delete daemon;
    daemon = nullptr;
  }

  static CommandResult Queens(const std::string& instance, std::vector<std::string> args) {
    args.insert(args.begin(), {"--problem", "queens", "--time-limit", "120s"});
    return daemon->Solve(instance, std::move(args));
  }
  static CommandResult QueensJson(const std::string& instance, std::vector<std::string> args = {}) {
    args.insert(args.end(), {"-o", "json"});
    return Queens(instance, std::move(args));
  }

  // As the daemon tells: one that is added is tried without a word here.
  static std::vector<std::string> LocalAlgorithms() {
    const auto rows = nlohmann::json::parse(daemon->Cli({"list", "algorithms", "-o", "json"}).out, nullptr, false);
    std::vector<std::string> ids;
    for (const auto& row : rows) {
      if (row.value("localSearch", false)) ids.push_back(row.at("id"));
    }
    EXPECT_FALSE(ids.empty());
    return ids;
  }

  static std::string Detached(const std::string& file, const std::string& algorithm, const std::string& time_limit) {
    const CommandResult created = daemon->Cli(
        {"solve", file, "--problem", "queens", "--algorithm", algorithm, "--time-limit", time_limit, "--detach"});
    EXPECT_EQ(created.exit_code, 0) << created.err;
    return created.out.substr(0, created.out.find('\n'));
  }

  // The state that a job kept, too large for its Result, is that of the objective.
  static void ExpectBestStateOf(const std::string& job, const ResultJson& result) {
    EXPECT_GT(result.Number("/objective", -1), 0) << result.json();
    const CommandResult state = daemon->Cli({"watch", job, "-o", "state"});
    EXPECT_EQ(Conflicts(RowsOf(state.out)), result.Number("/objective"));
  }

  static void ExpectSolution(const ResultJson& result, size_t queens) {
    EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED") << result.json();
    EXPECT_EQ(result.Number("/objective", -1), 0);
    EXPECT_TRUE(result.Flag("/verified"));
    const std::vector<uint32_t> rows = RowsOf(result.Text("/finalState"));
    EXPECT_EQ(rows.size(), queens);
    EXPECT_EQ(Conflicts(rows), 0) << result.Text("/finalState");
  }
};

TEST_F(LocalSearch, AN01TwoAndThreeQueensAreProvenToHaveNoSolution) {
  for (const std::string n : {"2", "3"}) {
    for (const std::string& algorithm : LocalAlgorithms()) {
      const CommandResult run = QueensJson(n + "\n", {"--algorithm", algorithm + ":restarts=-1"});
      EXPECT_EQ(run.exit_code, 10) << algorithm << ": " << run.out << run.err;
      const ResultJson result(run);
      EXPECT_EQ(result.outcome(), "OUTCOME_UNSOLVABLE") << algorithm;
      EXPECT_EQ(result.proof(), "PROOF_UNSOLVABLE_THEORY") << algorithm;
    }
    for (const std::string algorithm : {"astar", "depth_first", "all_solutions"}) {
      const CommandResult run = QueensJson(n + "\n", {"--algorithm", algorithm, "--param", "formulation=incremental"});
      EXPECT_EQ(run.exit_code, 10) << algorithm << ": " << run.out << run.err;
    }
  }
}

TEST_F(LocalSearch, AN02QueensOnOneDiagonalAreNoSolution) {
  for (const std::string& algorithm : LocalAlgorithms()) {
    const ResultJson solved(QueensJson(kDiagonal, {"--algorithm", algorithm + ":restarts=-1", "--seed", "3"}));
    if (algorithm != "local_beam") {  // which begins with random boards besides
      EXPECT_EQ(solved.Number("/statistics/initialH"), 15) << algorithm;
    }
    ExpectSolution(solved, 6);
    // Without restarts it may end anywhere, but says how many pairs are left.
    const CommandResult once = QueensJson(kDiagonal, {"--algorithm", algorithm + ":restarts=0,steps=3"});
    const ResultJson result(once);
    const int64_t conflicts = Conflicts(RowsOf(result.Text("/finalState")));
    EXPECT_EQ(result.Number("/objective", -1), conflicts) << algorithm << ": " << once.out;
    EXPECT_EQ(once.exit_code, conflicts == 0 ? 0 : 15) << algorithm << ": " << once.out;
  }
}

TEST_F(LocalSearch, AN03ALocalMinimumIsToldAndARestartSolves) {
  const CommandResult stuck = QueensJson(kLocalMinimum, {"--algorithm", "hill_climbing"});
  EXPECT_EQ(stuck.exit_code, 15) << stuck.out << stuck.err;
  const ResultJson result(stuck);
  EXPECT_EQ(result.outcome(), "OUTCOME_EXHAUSTED_LOCAL");
  EXPECT_EQ(result.Number("/objective", -1), 1);
  EXPECT_EQ(result.Number("/statistics/local/steps", -1), -1) << "none, and zeros are left out";
  EXPECT_EQ(result.Number("/statistics/local/stuck"), 1);
  EXPECT_EQ(RowsOf(result.Text("/finalState")), (std::vector<uint32_t>{4, 2, 5, 6, 1, 3, 0}));

  const CommandResult text = Queens(kLocalMinimum, {"--algorithm", "hill_climbing"});
  EXPECT_EQ(text.exit_code, 15);
  EXPECT_NE(text.out.find("local optimum, conflicts 1"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find(". . . . . . Q\n. . . . Q . .\n"), std::string::npos) << text.out;

  ExpectSolution(ResultJson(QueensJson(kLocalMinimum, {"--algorithm", "hill_climbing:restarts=-1"})), 7);
}

TEST_F(LocalSearch, AN04NumbersOfQueensThatAreNoneAreRefused) {
  ExpectSolution(ResultJson(QueensJson("1\n")), 1);
  for (const std::string bad : {"0\n", "-3\n", "abc\n", "1000001\n", "\n"}) {
    const CommandResult run = QueensJson(bad);
    EXPECT_EQ(run.exit_code, 6) << bad << run.out << run.err;
    EXPECT_EQ(ResultJson(run).outcome(), "OUTCOME_REJECTED") << bad << run.out;
  }
}

TEST_F(LocalSearch, AN05EqualSeedsAreEqualBoards) {
  const std::vector<std::string> args = {"--algorithm", "min_conflicts:restarts=-1", "--seed", "7"};
  const ResultJson first(QueensJson("50\n", args));
  const ResultJson again(QueensJson("50\n", args));
  ExpectSolution(first, 50);
  EXPECT_EQ(first.Text("/finalState"), again.Text("/finalState"));
  EXPECT_EQ(first.json().at("statistics").at("local"), again.json().at("statistics").at("local"));
  const ResultJson other(QueensJson("50\n", {"--algorithm", "min_conflicts:restarts=-1", "--seed", "8"}));
  ExpectSolution(other, 50);
  EXPECT_NE(first.Text("/finalState"), other.Text("/finalState"));
}

TEST_F(LocalSearch, AN06AStartThatIsASolutionNeedsNoStep) {
  for (const std::string& algorithm : LocalAlgorithms()) {
    const ResultJson result(QueensJson(kSolution, {"--algorithm", algorithm}));
    ExpectSolution(result, 4);
    EXPECT_EQ(result.Number("/statistics/local/steps"), 0) << algorithm;
  }
}

TEST_F(LocalSearch, EachFormOfInputIsTheSameBoard) {
  const std::string drawing =
      ". . . . . . Q\n. . . . Q . .\n. Q . . . . .\n. . . . . Q .\nQ . . . . . .\n. . Q . . . .\n. . . Q . . .\n";
  std::string fingerprint;
  for (const std::string& instance : {std::string(kLocalMinimum), std::string("4 2 5 6 1 3 0\n"), drawing,
                                      std::string(R"({"n": 7, "rows": [4, 2, 5, 6, 1, 3, 0]})")}) {
    const ResultJson result(QueensJson(instance, {"--algorithm", "hill_climbing"}));
    EXPECT_EQ(result.Number("/objective", -1), 1) << instance << result.json();
    if (fingerprint.empty()) fingerprint = result.Text("/provenance/instanceFingerprint");
    EXPECT_EQ(result.Text("/provenance/instanceFingerprint"), fingerprint) << instance;
  }
  EXPECT_NE(fingerprint, "");
}

TEST_F(LocalSearch, PathSearchesOnCompleteBoardsAreRefusedWithAHint) {
  const CommandResult run = QueensJson("8\n", {"--algorithm", "astar"});
  EXPECT_EQ(run.exit_code, 6) << run.out;
  EXPECT_EQ(ResultJson(run).outcome(), "OUTCOME_REJECTED");
  EXPECT_NE(run.out.find("local search"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("hill_climbing"), std::string::npos) << run.out;
}

TEST_F(LocalSearch, IncrementalBoardsAreForPathSearches) {
  const ResultJson result(QueensJson("8\n", {"--algorithm", "astar", "--param", "formulation=incremental"}));
  EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED") << result.json();
  EXPECT_EQ(result.cost(), 8);
  EXPECT_EQ(Conflicts(RowsOf(result.Text("/finalState"))), 0);
}

TEST_F(LocalSearch, TheStepsReadLikeATextbook) {
  const CommandResult run =
      Queens(kTextbook, {"--algorithm", "hill_climbing:restarts=-1", "--seed", "1", "--events", "nodes"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_EQ(run.out.find("start: conflicts 17\nstep 1: conflicts 17 -> 12, moved column "), 0u) << run.out;
  EXPECT_NE(run.out.find("solved: conflicts 0 after "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("Q"), std::string::npos) << "the board is drawn";

  const CommandResult table = Queens(kTextbook, {"--algorithm", "hill_climbing:steps=1", "--events", "nodes",
                                                 "--node-kinds", "source,expanding,generating,closing,goal"});
  // Figure 4.3: the best neighbours have 12 pairs, and there are eight of them.
  EXPECT_EQ(table.out.find("start: conflicts 17\n"
                           "  18  12  14  13  13  12  14  14\n"
                           "  14  16  13  15  12  14  12  16\n"
                           "  14  12  18  13  15  12  14  14\n"
                           "  15  14  14   Q  13  16  13  16\n"
                           "   Q  14  17  15   Q  14  16  16\n"
                           "  17   Q  16  18  15   Q  15   Q\n"
                           "  18  14   Q  15  15  14   Q  16\n"
                           "  14  14  13  17  12  14  12  18\n"),
            0u)
      << table.out;
}

TEST_F(LocalSearch, NeighboursOfABoardAreListedByEval) {
  TempFolder folder;
  folder.Write("board", kTextbook);
  const CommandResult run = daemon->Cli({"eval", folder / "board", "--problem", "queens", "-o", "json"});
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << run.out << run.err;
  const auto& state = json.at("evaluations").at(0);
  EXPECT_EQ(state.at("values").at(0).at("h"), "17");
  ASSERT_EQ(state.at("neighbours").size(), 56u);
  int best = 0;
  for (const auto& neighbour : state.at("neighbours")) {
    const int h = std::stoi(neighbour.at("values").at(0).at("h").get<std::string>());
    EXPECT_EQ(h, Conflicts(RowsOf(neighbour.at("state")))) << neighbour;
    EXPECT_GE(h, 12);
    best += h == 12;
  }
  EXPECT_EQ(best, 8);
}

TEST_F(LocalSearch, AllSolutionsAreCountedAndToldIfAsked) {
  const std::vector<int64_t> counts = {1, 0, 0, 2, 10, 4, 40, 92};  // A000170
  for (size_t n = 1; n <= counts.size(); ++n) {
    // Without a word of the formulation: the problem says which one has the operators that counting needs.
    const CommandResult run = QueensJson(std::to_string(n) + "\n", {"--all"});
    EXPECT_EQ(run.exit_code, counts[n - 1] > 0 ? 0 : 10) << n << run.out << run.err;
    EXPECT_EQ(ResultJson(run).Number("/solutionCount"), counts[n - 1]) << n;
  }
  const CommandResult text = Queens("6\n", {"--all", "--events", "nodes"});
  EXPECT_NE(text.out.find("Number of solutions = 4"), std::string::npos) << text.out;
  int told = 0;
  std::istringstream lines(text.out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("goal ")) continue;
    ++told;
    std::string board =
        line.substr(line.find_last_of(' ', line.find('/')) == std::string::npos ? 0 : line.rfind("  ") + 2);
    std::ranges::replace(board, '/', '\n');
    EXPECT_EQ(Conflicts(RowsOf(board)), 0) << line;
    EXPECT_EQ(RowsOf(board).size(), 6u) << line;
  }
  EXPECT_EQ(told, 4) << text.out;

  // What was asked for is not changed, and what to do is said.
  const CommandResult complete = QueensJson("6\n", {"--all", "--param", "formulation=complete"});
  EXPECT_EQ(complete.exit_code, 6) << complete.out;
  EXPECT_NE(complete.out.find("formulation"), std::string::npos) << complete.out;
}

// Above 65,535 queens the steps have no numbers, and words all the same.
TEST_F(LocalSearch, StepsOfManyQueensHaveWords) {
  const CommandResult run = Queens("70000\n", {"--algorithm", "min_conflicts:steps=3", "--events", "nodes"});
  EXPECT_EQ(run.exit_code, 15) << run.out << run.err;
  EXPECT_NE(run.out.find("\nstep 1: conflicts "), std::string::npos) << run.out.substr(0, 500);
  int moved = 0;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) moved += line.find(", moved column ") != std::string::npos;
  EXPECT_GE(moved, 1) << run.out.substr(0, 500);
}

TEST_F(LocalSearch, AMillionQueensAreDeliveredWhole) {
  TempFolder folder;
  folder.Write("queens", "1000000\n");
  std::vector<std::vector<uint32_t>> boards;
  for (const std::string seed : {"1", "2"}) {
    const CommandResult created = daemon->Cli(
        {"solve", folder / "queens", "--problem", "queens", "--seed", seed, "--time-limit", "300s", "--detach"});
    ASSERT_EQ(created.exit_code, 0) << created.err;
    const std::string job = created.out.substr(0, created.out.find('\n'));
    const CommandResult json = daemon->Cli({"watch", job, "-o", "json"});
    ASSERT_EQ(json.exit_code, 0) << json.out << json.err;
    const ResultJson result(json);
    EXPECT_EQ(result.Number("/objective", -1), 0);
    EXPECT_TRUE(result.Flag("/verified"));
    EXPECT_EQ(result.Text("/finalState"), "") << "too large for a Result";
    EXPECT_EQ(result.Text("/initialState"), "");
    // After the job has ended, in pieces.
    const CommandResult state = daemon->Cli({"watch", job, "-o", "state"});
    ASSERT_EQ(state.exit_code, 0) << state.err;
    boards.push_back(RowsOf(state.out));
    ASSERT_EQ(boards.back().size(), 1'000'000u);
    EXPECT_EQ(Conflicts(boards.back()), 0);
  }
  EXPECT_NE(boards[0], boards[1]) << "the board of a formula, not of a search";
}

// A steepest step looks at 10^12 neighbours, one of the textbook's method at a million: whatever stops the search stops
// it inside one.
TEST_F(LocalSearch, ATimeLimitStopsAClimbOfAMillionQueensWithItsBestState) {
  TempFolder folder;
  folder.Write("queens", "1000000\n");
  std::vector<std::string> jobs;  // at the same time
  for (const std::string algorithm : {"hill_climbing", "min_conflicts:method=textbook"}) {
    jobs.push_back(Detached(folder / "queens", algorithm, "5s"));
  }
  for (const std::string& job : jobs) {
    const CommandResult json = daemon->Cli({"watch", job, "-o", "json"});
    EXPECT_EQ(json.exit_code, 11) << json.out << json.err;
    const ResultJson result(json);
    EXPECT_EQ(result.outcome(), "OUTCOME_LIMIT_REACHED");
    EXPECT_EQ(result.Text("/limit"), "LIMIT_KIND_WALL_TIME");
    ExpectBestStateOf(job, result);
  }
}

TEST_F(LocalSearch, CancelStopsEachClimbOfAMillionQueensWithItsBestState) {
  TempFolder folder;
  folder.Write("queens", "1000000\n");
  // local_beam keeps boards: the test has not room for many of a million queens.
  const std::map<std::string, std::vector<std::string>> variants = {
      {"hill_climbing", {"", ":variant=first_choice", ":variant=stochastic"}},
      {"min_conflicts", {":method=textbook"}},
      {"local_beam", {":width=2"}},
  };
  std::vector<std::string> uses;
  for (const std::string& algorithm : LocalAlgorithms()) {
    const auto found = variants.find(algorithm);
    if (found == variants.end()) uses.push_back(algorithm);
    for (size_t i = 0; found != variants.end() && i < found->second.size(); ++i) {
      uses.push_back(algorithm + found->second[i]);
    }
  }
  for (const std::string& use : uses) {
    SCOPED_TRACE(use);
    const std::string job = Detached(folder / "queens", use, "600s");
    // Not before the search runs: the first event of progress says so.
    const CommandResult watch =
        RunCommand({"sh", "-c",
                    "'" + BinDir() + "/astrolabe' watch " + job + " --server " + daemon->address() +
                        " -o ndjson | while read -r line; do case \"$line\" in *JOB_STATE_SEARCHING*) '" + BinDir() +
                        "/astrolabe' jobs cancel " + job + " --server " + daemon->address() +
                        " >/dev/null;; *'\"result\"'*) echo \"$line\";; esac; done"});
    EXPECT_NE(watch.out.find("OUTCOME_CANCELLED"), std::string::npos) << watch.out << watch.err;
    const CommandResult json = daemon->Cli({"watch", job, "-o", "json"});
    EXPECT_EQ(json.exit_code, 13);
    ExpectBestStateOf(job, ResultJson(json));
  }
}

// The closed formula: its steps are replayed, from the given board or from all queens in one row, and the board to
// which they lead is tested.
TEST_F(LocalSearch, ConstructGivesAVerifiedSolutionInBothFormulations) {
  const auto construct = [](const std::string& instance, const std::string& formulation) {
    return QueensJson(instance, {"--algorithm", "construct", "--param", "formulation=" + formulation});
  };
  for (const std::string formulation : {"complete", "incremental"}) {
    for (const std::string n : {"1", "4", "8", "14", "15", "39"}) {
      const CommandResult run = construct(n + "\n", formulation);
      const ResultJson result(run);
      EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED") << formulation << " " << run.out << run.err;
      EXPECT_TRUE(result.Flag("/verified"));
      const std::vector<uint32_t> rows = RowsOf(result.Text("/finalState"));
      EXPECT_EQ(std::to_string(rows.size()), n);
      EXPECT_EQ(Conflicts(rows), 0) << formulation << " " << n;
    }
  }
  for (const std::string& instance : {std::string("3000\n"), std::string(kTextbook)}) {
    const CommandResult run = construct(instance, "complete");
    const ResultJson result(run);
    EXPECT_EQ(run.exit_code, 0) << run.out;
    EXPECT_TRUE(result.Flag("/verified"));
    EXPECT_EQ(Conflicts(RowsOf(result.Text("/finalState"))), 0);
  }
  const CommandResult large = construct("70000\n", "complete");
  EXPECT_EQ(large.exit_code, 6) << large.out;
  EXPECT_NE(large.out.find("min_conflicts"), std::string::npos) << large.out;
  // What searches from the constructed path on needs operators.
  EXPECT_EQ(QueensJson("8\n", {"--algorithm", "improve"}).exit_code, 6);
}

// The figures of the textbook and of a million climbs: 13.95 % in 4.08 steps or stuck after 3.06; with 100 sideways
// steps 94.4 % in 19.1 or stuck after 62.4. Bounds are four standard deviations of so many climbs, and more.
TEST_F(LocalSearch, BenchGivesTheFiguresOfEightQueens) {
  TempFolder folder;
  folder.Write("queens", "8\n");
  const CommandResult run =
      daemon->Cli({"bench", folder / "queens", "--problem", "queens", "--climbs", "100k", "--algorithm",
                   "hill_climbing", "--algorithm", "hill_climbing:max_sideways=100", "--seed", "5", "-o", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << run.out;
  const auto& steepest = json.at("runs").at(0).at("local");
  EXPECT_EQ(steepest.at("climbs"), 100'000);
  EXPECT_NEAR(steepest.at("successRate").get<double>(), 0.1395, 0.0045);
  EXPECT_NEAR(steepest.at("meanStepsSolved").get<double>(), 4.08, 0.05);
  EXPECT_NEAR(steepest.at("meanStepsStuck").get<double>(), 3.06, 0.05);
  const auto& interval = steepest.at("successInterval95");
  EXPECT_LT(interval.at(0).get<double>(), steepest.at("successRate").get<double>());
  EXPECT_GT(interval.at(1).get<double>(), steepest.at("successRate").get<double>());
  EXPECT_NEAR(interval.at(1).get<double>() - interval.at(0).get<double>(), 0.0043, 0.0003);
  const auto& sideways = json.at("runs").at(1).at("local");
  EXPECT_NEAR(sideways.at("successRate").get<double>(), 0.944, 0.003);
  EXPECT_NEAR(sideways.at("meanStepsSolved").get<double>(), 19.1, 0.5);
  EXPECT_NEAR(sideways.at("meanStepsStuck").get<double>(), 62.4, 2.5);
}

TEST_F(LocalSearch, BenchOfClimbsIsForLocalSearchAlone) {
  TempFolder folder;
  folder.Write("queens", "8\n");
  const CommandResult run =
      daemon->Cli({"bench", folder / "queens", "--problem", "queens", "--climbs", "10", "--algorithm", "astar"});
  EXPECT_EQ(run.exit_code, 6) << run.out;
  EXPECT_NE(run.err.find("hill_climbing"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace astrolabe::testing
