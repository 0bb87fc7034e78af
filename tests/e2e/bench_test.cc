// `astrolabe bench` with the real daemon: its figures are those of `solve`, and its table that of the textbook.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

constexpr char kExamples[] = SOURCE_ROOT "/examples/instances/";

std::vector<json> Lines(const std::string& text) {
  std::vector<json> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

TEST(Bench, CountsAreThoseOfSolve) {
  LiveDaemon daemon;
  std::vector<std::string> args = {"bench"};
  for (const char* name : {"8puzzle-13.txt", "8puzzle-26.txt", "8puzzle-unsolvable.txt", "15puzzle-9.txt"}) {
    args.push_back(std::string(kExamples) + name);
  }
  args.insert(args.end(), {"--algorithm", "astar", "--algorithm", "idastar", "--algorithm", "breadth_first",
                           "--heuristic", "hamming", "--heuristic", "manhattan+hamming", "-o", "json"});
  const CommandResult run = daemon.Cli(args);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const json all = json::parse(run.out);
  ASSERT_EQ(all["runs"].size(), 4u * 5);
  for (const json& row : all["runs"]) {
    SCOPED_TRACE(row.dump());
    std::vector<std::string> solve = {"solve", row["instance"], "--algorithm", row["algorithm"], "-o", "json"};
    const std::string heuristics = row.value("heuristics", "");
    if (heuristics == "hamming") solve.insert(solve.end(), {"--heuristic", "hamming"});
    if (heuristics == "max(manhattan, hamming)") {
      solve.insert(solve.end(), {"--heuristic", "manhattan", "--heuristic", "hamming"});
    }
    const ResultJson result(daemon.Cli(solve));
    ASSERT_TRUE(result.valid());
    EXPECT_EQ("OUTCOME_" + row["outcome"].get<std::string>(), result.outcome());
    EXPECT_EQ("PROOF_" + row["proof"].get<std::string>(), result.proof());
    EXPECT_EQ(row["expanded"], result.expanded());
    EXPECT_EQ(row["generated"], result.generated());
    EXPECT_EQ(row["initialH"], result.Number("/statistics/initialH"));
    EXPECT_EQ(row.value("length", -1), result.Number("/path/length", result.cost() < 0 ? -1 : 0));
    EXPECT_EQ(row.value("cost", -1), result.cost());
    if (!row.contains("length")) continue;
    // generated = 1 + b + ... + b^d
    const double b = row["effectiveBranchingFactor"];
    const double d = row["length"];
    EXPECT_NEAR((std::pow(b, d + 1) - 1) / (b - 1) / row["generated"].get<double>(), 1, 1e-6);
  }
}

// The depths that the files claim are checked by a breadth-first search, which knows no heuristic.
TEST(Bench, TheTableOfTheTextbook) {
  LiveDaemon daemon;
  const CommandResult run =
      daemon.Cli({"bench", std::string(kExamples) + "8puzzle", "--lines", "--config", "breadth_first", "--config",
                  "astar hamming", "--config", "astar manhattan", "--group-by", "length", "-o", "ndjson"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::map<int, int> instances;
  std::map<int, std::map<std::string, double>> generated;
  for (const json& line : Lines(run.out)) {
    if (line.contains("run")) {
      const json& row = line["run"];
      const std::string name = row["instance"];
      const int depth = std::stoi(name.substr(name.find("depth-") + 6, 2));
      ASSERT_EQ(row["length"], depth) << row;
      ASSERT_EQ(row["proof"], "OPTIMAL") << row;
      if (row["algorithm"] == "breadth_first") ++instances[depth];
    } else if (line.contains("group")) {
      for (const json& config : line["group"]["configurations"]) {
        EXPECT_EQ(config["solved"], line["group"]["instances"]);
        generated[line["group"]["length"]][config["configuration"]] = config["meanGenerated"];
      }
    } else {
      EXPECT_EQ(line["summary"]["complete"], true);
    }
  }
  std::map<int, int> expected = {{2, 4}, {4, 16}, {6, 39}};
  for (int depth = 8; depth <= 28; depth += 2) expected[depth] = 100;
  EXPECT_EQ(instances, expected);
  ASSERT_EQ(generated.size(), expected.size());
  for (auto& [depth, mean] : generated) {
    if (depth < 6) continue;
    EXPECT_LT(mean["astar + manhattan"], mean["astar + hamming"]) << depth;
    EXPECT_LT(mean["astar + hamming"], mean["breadth_first"]) << depth;
  }
}

TEST(Bench, ABadBoardAndALimitAreRows) {
  LiveDaemon daemon;
  const std::string boards =
      daemon.folder().Write("boards", "1 2 3/4 4 6/7 8 0\n8 6 7/2 5 4/3 0 1\n1 2 3/4 5 6/7 0 8\n");
  const CommandResult run = daemon.Cli({"bench", boards, "--lines", "--algorithm", "astar", "--heuristic", "hamming",
                                        "--max-expansions", "50", "-o", "ndjson"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::vector<json> lines = Lines(run.out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0]["run"]["outcome"], "REJECTED");
  EXPECT_EQ(lines[1]["run"]["outcome"], "LIMIT_REACHED");
  EXPECT_EQ(lines[1]["run"]["limit"], "EXPANSIONS");
  EXPECT_EQ(lines[1]["run"]["expanded"], 50);
  EXPECT_EQ(lines[2]["run"]["outcome"], "SOLVED");
  EXPECT_EQ(lines[2]["run"]["length"], 1);
  EXPECT_EQ(lines[3]["summary"]["configurations"][0]["solved"], 1);
}

TEST(Bench, APluginThatCrashesIsARowAndTheNextRunIsMade) {
  LiveDaemon daemon;
  const auto load = daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/segv_in_eval.so"});
  ASSERT_EQ(load.exit_code, 0) << load.err;
  const std::string crash = daemon.folder().Write("crash", "#problem: segv_in_eval\n0 10\n");
  const CommandResult run =
      daemon.Cli({"bench", crash, std::string(kExamples) + "8puzzle-4.txt", "--algorithm", "astar", "-o", "ndjson"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  const std::vector<json> lines = Lines(run.out);
  ASSERT_EQ(lines.size(), 3u) << run.out;
  EXPECT_EQ(lines[0]["run"]["outcome"], "PLUGIN_FAILED");
  EXPECT_EQ(lines[1]["run"]["outcome"], "SOLVED");
}

}  // namespace
}  // namespace astrolabe::testing
