// The promise of the project: a heuristic of one's own, built against an installed prefix that was moved,
// loaded into a running daemon, changed, reloaded, while nothing of ours is rebuilt or restarted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;

const char kBoard[] = "3\n8 1 3\n4 0 2\n7 6 5\n";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "'" << from << "' is not in the example any more";
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// An install prefix, moved after the installation.
class PluginSwap : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder();
    const auto install = RunCommand({"cmake", "--install", BUILD_ROOT, "--prefix", *folder_ / "first"});
    ASSERT_EQ(install.exit_code, 0) << install.out << install.err;
    fs::rename(*folder_ / "first", *folder_ / "moved");
    ::setenv("ASTROLABE_BIN_DIR", (*folder_ / "moved/bin").c_str(), 1);
  }
  static void TearDownTestSuite() {
    ::unsetenv("ASTROLABE_BIN_DIR");
    delete folder_;
  }
  static std::string prefix() { return *folder_ / "moved"; }

  // Builds SOURCE.cc of the example by its own command, in a copy outside of the source tree.
  static std::string CopyExample() {
    const std::string copy = *folder_ / "mine";
    fs::remove_all(copy);
    fs::copy(std::string(SOURCE_ROOT) + "/examples/custom_heuristic", copy, fs::copy_options::recursive);
    return copy;
  }
  static CommandResult Build(const std::string& example, const std::string& source) {
    CommandOptions options;
    options.directory = example;
    options.env["ASTROLABE_PREFIX"] = prefix();
    return RunCommand({example + "/build.sh", source}, options);
  }
  static TempFolder* folder_;
};
TempFolder* PluginSwap::folder_ = nullptr;

TEST_F(PluginSwap, AHeuristicIsWrittenLoadedUsedChangedAndReloadedWhileTheDaemonRuns) {
  LiveDaemon daemon;
  const pid_t daemon_pid = daemon.process().pid();
  const std::string example = CopyExample();
  const auto build = Build(example, "row_column.cc");
  ASSERT_EQ(build.exit_code, 0) << build.out << build.err;
  const std::string library = example + "/row_column.so";

  const auto load = daemon.Cli({"plugin", "load", library});
  ASSERT_EQ(load.exit_code, 0) << load.out << load.err << daemon.log();
  const auto first = daemon.Solve(kBoard, {"--heuristic", "row_column", "--algorithm", "astar", "-o", "json"});
  ASSERT_EQ(first.exit_code, 0) << first.out << first.err;
  const ResultJson result(first);
  EXPECT_EQ(result.cost(), 14);
  EXPECT_EQ(result.proof(), "PROOF_OPTIMAL");
  const int64_t h = result.Number("/statistics/initialH");
  EXPECT_GT(h, 0);

  // Changed: columns no longer count, still admissible.
  const std::string source = example + "/row_column.cc";
  const std::string changed = Replaced(ReadFile(source), " + (puzzle.col(square) != puzzle.goal_col(tile))", "");
  std::ofstream(source) << changed;
  const auto rebuild = Build(example, "row_column.cc");
  ASSERT_EQ(rebuild.exit_code, 0) << rebuild.out << rebuild.err;
  const auto reload = daemon.Cli({"plugin", "reload", "row_column"});
  ASSERT_EQ(reload.exit_code, 0) << reload.out << reload.err << daemon.log();
  const ResultJson second(daemon.Solve(kBoard, {"--heuristic", "row_column", "--algorithm", "astar", "-o", "json"}));
  EXPECT_EQ(second.cost(), 14);
  EXPECT_LT(second.Number("/statistics/initialH"), h) << "the next solve uses the new version";
  EXPECT_GT(second.Number("/statistics/initialH"), 0);
  EXPECT_EQ(daemon.process().pid(), daemon_pid);
  EXPECT_TRUE(daemon.process().running());

  EXPECT_EQ(daemon.Cli({"plugin", "unload", "row_column"}).exit_code, 0);
  const auto unloaded = daemon.Solve(kBoard, {"--heuristic", "row_column"});
  EXPECT_EQ(unloaded.exit_code, 6);
  EXPECT_NE(unloaded.err.find("unloaded"), std::string::npos) << unloaded.err;
  EXPECT_EQ(daemon.Solve(kBoard).exit_code, 0);
}

TEST_F(PluginSwap, ABrokenNewVersionLeavesTheOldOneWorking) {
  LiveDaemon daemon;
  const std::string example = CopyExample();
  ASSERT_EQ(Build(example, "row_column.cc").exit_code, 0);
  ASSERT_EQ(daemon.Cli({"plugin", "load", example + "/row_column.so"}).exit_code, 0);
  fs::remove(example + "/row_column.so");
  std::ofstream(example + "/row_column.so") << "not a library";
  const auto reload = daemon.Cli({"plugin", "reload", "row_column"});
  EXPECT_NE(reload.exit_code, 0);
  EXPECT_NE(reload.err.find("NOT_ELF"), std::string::npos) << reload.err;
  EXPECT_EQ(daemon.Solve(kBoard, {"--heuristic", "row_column"}).exit_code, 0);
}

TEST_F(PluginSwap, TheBuildUsesNoFileOfTheSourceTree) {
  const std::string example = CopyExample();
  CommandOptions options;
  options.directory = example;
  options.env["PKG_CONFIG_PATH"] = prefix() + "/lib/pkgconfig";
  const auto files =
      RunCommand({"sh", "-c", "g++ -std=c++20 -M $(pkg-config --cflags astrolabe-sdk) row_column.cc"}, options);
  ASSERT_EQ(files.exit_code, 0) << files.err;
  EXPECT_NE(files.out.find(prefix()), std::string::npos) << files.out;
  EXPECT_EQ(files.out.find(SOURCE_ROOT), std::string::npos) << files.out;
}

TEST_F(PluginSwap, AFalseClaimOfAdmissibilityIsFoundOutAndTheStateNamed) {
  LiveDaemon daemon;
  const std::string example = CopyExample();
  const auto build = Build(example, "manhattan_with_blank.cc");
  ASSERT_EQ(build.exit_code, 0) << build.out << build.err;
  ASSERT_EQ(daemon.Cli({"plugin", "load", example + "/manhattan_with_blank.so"}).exit_code, 0) << daemon.log();
  const auto json = daemon.Solve("3\n2 7 3\n1 5 6\n8 0 4\n",
                                 {"--heuristic", "manhattan_with_blank", "--algorithm", "astar", "-o", "json"});
  const ResultJson result(json);
  EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED");
  EXPECT_EQ(result.proof(), "PROOF_FEASIBLE") << json.out;
  EXPECT_EQ(result.Text("/refutedClaims/0/heuristic"), "manhattan_with_blank") << json.out;
  EXPECT_NE(result.Text("/refutedClaims/0/state"), "");
  EXPECT_GT(result.Number("/refutedClaims/0/h"), result.Number("/refutedClaims/0/remainingCost"));
  const auto text =
      daemon.Solve("3\n2 7 3\n1 5 6\n8 0 4\n", {"--heuristic", "manhattan_with_blank", "--algorithm", "astar"});
  EXPECT_EQ(text.out.find("Minimum number of moves"), std::string::npos) << "not proven: " << text.out;
  EXPECT_NE((text.out + text.err).find("manhattan_with_blank"), std::string::npos);
}

// Local search makes any objective smaller, also one that knows nothing of steps.
TEST_F(PluginSwap, AnObjectiveOfOnesOwnLeadsLocalSearchAndIsReloaded) {
  LiveDaemon daemon;
  const std::string example = CopyExample();
  const auto build = Build(example, "attacked_queens.cc");
  ASSERT_EQ(build.exit_code, 0) << build.out << build.err;
  ASSERT_EQ(daemon.Cli({"plugin", "load", example + "/attacked_queens.so"}).exit_code, 0) << daemon.log();
  const std::vector<std::string> args = {"--problem",   "queens",          "--algorithm", "hill_climbing:restarts=-1",
                                         "--heuristic", "attacked_queens", "-o",          "json"};
  const std::string diagonal = "6\n0 1 2 3 4 4\n";
  const ResultJson first(daemon.Solve(diagonal, args));
  EXPECT_EQ(first.outcome(), "OUTCOME_SOLVED") << first.json();
  EXPECT_EQ(first.Number("/statistics/initialH"), 6) << "every queen is attacked; attacking_pairs would say 11";
  EXPECT_EQ(first.Number("/objective", -1), 0);
  EXPECT_EQ(first.Text("/provenance/heuristics/0"), "attacked_queens");

  // Changed: the queen of the first column does not count.
  const std::string source = example + "/attacked_queens.cc";
  const std::string changed =
      Replaced(ReadFile(source), "uint32_t column = 0; column < board", "uint32_t column = 1; column < board");
  std::ofstream(source) << changed;
  ASSERT_EQ(Build(example, "attacked_queens.cc").exit_code, 0);
  ASSERT_EQ(daemon.Cli({"plugin", "reload", "attacked_queens"}).exit_code, 0) << daemon.log();
  const ResultJson second(daemon.Solve(diagonal, args));
  EXPECT_EQ(second.Number("/statistics/initialH"), 5) << second.json();
  EXPECT_EQ(second.outcome(), "OUTCOME_SOLVED");
}

TEST_F(PluginSwap, AClientBuildsAgainstThePrefixAlone) {
  LiveDaemon daemon;
  TempFolder work;
  work.Write("main.cc", R"(
#include <astrolabe/client/client.h>
#include <iostream>
int main(int argc, char** argv) {
  auto client = astrolabe::client::Client::Connect({.address = argv[1]});
  if (!client.ok()) { std::cerr << client.status() << "\n"; return 1; }
  (void)argc;
  auto info = client->GetServerInfo();
  if (!info.ok()) { std::cerr << info.status() << "\n"; return 1; }
  std::cout << "version " << info->version << "\n";
}
)");
  work.Write("CMakeLists.txt", R"(
cmake_minimum_required(VERSION 3.22)
project(outside CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(astrolabe REQUIRED)
add_executable(outside main.cc)
target_link_libraries(outside PRIVATE astrolabe::client)
)");
  const auto configure =
      RunCommand({"cmake", "-S", work.path(), "-B", work / "build", "-DCMAKE_PREFIX_PATH=" + prefix()});
  ASSERT_EQ(configure.exit_code, 0) << configure.out << configure.err;
  const auto build = RunCommand({"cmake", "--build", work / "build"});
  ASSERT_EQ(build.exit_code, 0) << build.out << build.err;
  const auto run = RunCommand({work / "build/outside", daemon.address()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("version "), std::string::npos);
}

}  // namespace
}  // namespace astrolabe::testing
