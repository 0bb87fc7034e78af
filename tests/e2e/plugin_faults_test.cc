// Plugins that fail, at load or in a job: they are told apart and named, and nobody else is hurt.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/background_solve.h"
#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;

std::string PluginList(const LiveDaemon& daemon) {
  const auto run = daemon.Cli({"plugin", "ls"});
  return run.out + run.err;
}

TEST(PluginFaults, P01FilesThatAreNoPluginsAreToldOneByOneAndTheOthersWork) {
  TempFolder folder;
  folder.Write("notalib.so", "this is not a shared library\n");
  folder.Write("empty.so", "");
  ASSERT_EQ(::mkdir((folder / "x.so").c_str(), 0700), 0);
  LiveDaemon daemon({"--plugin-dir", folder.path()});
  ExpectServes(daemon);
  const std::string list = PluginList(daemon);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"notalib.so", "NOT_ELF"}, {"empty.so", "TRUNCATED"}, {"x.so", "NOT_ELF"}};
  for (const auto& [name, code] : files) {
    const size_t at = list.find(name);
    ASSERT_NE(at, std::string::npos) << list;
    EXPECT_NE(list.find(code, at), std::string::npos) << list;
    EXPECT_NE(daemon.log().find(name), std::string::npos) << daemon.log();
  }
}

// Every fixture that fails while it is loaded: refused with a code of its own, nobody is hurt.
TEST(PluginFaults, PluginsThatFailAtLoadNeverHurtTheDaemon) {
  LiveDaemon daemon;
  int tried = 0;
  for (const auto& entry : fs::directory_iterator(ASTROLABE_FIXTURE_DIR)) {
    const std::string name = entry.path().stem();
    const bool at_load = name.find("_constructor") != std::string::npos || name.find("_init") != std::string::npos ||
                         name.find("abi_") == 0 || name.find("wrong_magic") != std::string::npos ||
                         name.find("no_manifest") != std::string::npos || name.find("size_") == 0;
    if (entry.path().extension() != ".so" || !at_load) continue;
    SCOPED_TRACE(name);
    ++tried;
    const auto load = daemon.Cli({"plugin", "load", entry.path()});
    EXPECT_NE(load.exit_code, 0) << load.out;
    EXPECT_FALSE(load.err.empty());
    ExpectServes(daemon);
  }
  EXPECT_GE(tried, 5) << "fixtures are missing from " << ASTROLABE_FIXTURE_DIR;
}

// Its constructor would abort, which would be another code.
TEST(PluginFaults, APluginForANewerAbiIsRefusedByItsManifestAlone) {
  LiveDaemon daemon;
  const auto load =
      daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/abi_2_and_abort_in_constructor.so"});
  EXPECT_EQ(load.exit_code, 6) << load.out;
  EXPECT_NE(load.err.find("ABI_TOO_NEW (stage manifest)"), std::string::npos) << load.err;
  EXPECT_NE(load.err.find("ABI major 2"), std::string::npos) << load.err;
}

TEST(PluginFaults, P02OlderAndNewerMajorsAreRefusedWithBothNumbers) {
  LiveDaemon daemon;
  for (const std::string major : {"0", "2"}) {
    const auto load =
        daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/abi_major_" + major + ".so"});
    EXPECT_EQ(load.exit_code, 6) << load.out;
    for (const std::string& number : {major, std::string("1")}) {
      EXPECT_NE(load.err.find("major " + number), std::string::npos) << load.err;
    }
  }
  ExpectServes(daemon);
}

TEST(PluginFaults, P03TheSecondFileOfAnIdIsRefusedAndTheFirstWorks) {
  TempFolder folder;
  for (const std::string name : {"a_counter.so", "b_counter.so"}) {
    fs::copy_file(std::string(ASTROLABE_FIXTURE_DIR) + "/counter.so", folder / name);
  }
  LiveDaemon daemon({"--plugin-dir", folder.path()});
  const std::string list = PluginList(daemon);
  const size_t at = list.find("DUPLICATE_ID");
  ASSERT_NE(at, std::string::npos) << list;
  EXPECT_NE(list.find("b_counter.so", at), std::string::npos) << list;
  const auto load = daemon.Cli({"plugin", "load", folder / "b_counter.so"});
  EXPECT_NE(load.exit_code, 0) << load.out;
  for (const std::string name : {"a_counter.so", "b_counter.so"}) {
    EXPECT_NE(daemon.log().find(folder / name), std::string::npos) << daemon.log();
    EXPECT_NE(load.err.find(folder / name), std::string::npos) << load.err;
  }
  EXPECT_EQ(daemon.Solve("0 30", {"--problem", "counter"}).exit_code, 0);
}

#if defined(__x86_64__)
// It has none of the optional functions; were one of them demanded now, it would be refused.
TEST(PluginFaults, ABinaryOfTheFirstVersionStillLoadsAndSolves) {
  TempFolder folder;
  fs::copy_file(std::string(SOURCE_ROOT) + "/tests/conformance/golden_rows_v1.so", folder / "golden_rows.so");
  LiveDaemon daemon;
  const auto load = daemon.Cli({"plugin", "load", folder / "golden_rows.so"});
  ASSERT_EQ(load.exit_code, 0) << load.err;
  for (const std::string algorithm : {"astar", "idastar"}) {
    const ResultJson result(
        daemon.Solve(kEasy, {"--heuristic", "golden_rows", "--algorithm", algorithm, "-o", "json"}));
    EXPECT_EQ(result.cost(), 4) << algorithm;
    EXPECT_EQ(result.proof(), "PROOF_OPTIMAL") << algorithm;
  }
}
#endif

TEST(PluginFaults, OverwritingAPluginsFileDoesNotTouchARunningSolve) {
  TempFolder folder;
  const std::string file = folder / "counter.so";
  fs::copy_file(std::string(ASTROLABE_FIXTURE_DIR) + "/counter.so", file);
  LiveDaemon daemon({"--plugin-dir", folder.path()});
  const std::vector<std::string> slow = {
      "--problem", "counter", "--algorithm", "astar", "--heuristic", "counter_h:eval_us=1000", "-o", "ndjson"};
  const std::string board = folder.Write("instance", "0 1500");
  std::vector<std::string> command = {BinDir() + "/astrolabe", "solve", board};
  command.insert(command.end(), slow.begin(), slow.end());
  Process solve(command, {{"ASTROLABE_SERVER", daemon.address()}}, folder / "out");
  ASSERT_TRUE(Eventually([&] { return ReadFile(folder / "out").find("JOB_STATE_SEARCHING") != std::string::npos; }))
      << ReadFile(folder / "out") << daemon.log();
  std::ofstream(file, std::ios::binary | std::ios::in) << std::string(2000, 'x');  // in place: the same inode
  fs::resize_file(file, 1000);
  EXPECT_EQ(solve.Wait(std::chrono::seconds(60)), 0) << ReadFile(folder / "out") << daemon.log();
  EXPECT_NE(ReadFile(folder / "out").find("\"cost\":\"500\""), std::string::npos) << ReadFile(folder / "out");
  EXPECT_EQ(daemon.Solve("0 30", {"--problem", "counter"}).exit_code, 0) << "nor the next";
}

// The heuristic is blamed, not the problem whose kernel called it.
TEST(PluginFaults, AHeuristicThatEndsTheProcessIsNamed) {
  LiveDaemon daemon;
  for (const std::string name : {"tile_abort", "tile_exit"}) {
    const auto load = daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/" + name + ".so"});
    ASSERT_EQ(load.exit_code, 0) << load.err;
    for (const std::string algorithm : {"idastar", "astar"}) {
      SCOPED_TRACE(name + " under " + algorithm);
      const auto run = daemon.Solve(kHard, {"--algorithm", algorithm, "--heuristic", name, "-o", "json"});
      EXPECT_EQ(run.exit_code, 14) << run.out << run.err;
      const ResultJson result(run);
      EXPECT_EQ(result.Text("/pluginFailure/plugin"), "org.astrolabe.test." + name) << run.out;
      EXPECT_EQ(result.Text("/pluginFailure/code"), name == "tile_abort" ? "CRASHED" : "EXITED");
      EXPECT_EQ(result.Text("/pluginFailure/stage"), "search");
    }
    ExpectServes(daemon);
  }
}

// Also on a machine that is busy: the worker asks again until it knows.
TEST(PluginFaults, AHeuristicThatNeverReturnsIsNamed) {
  LiveDaemon daemon;
  for (const std::string name : {"counter", "loop_in_eval"}) {
    const auto load = daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/" + name + ".so"});
    ASSERT_EQ(load.exit_code, 0) << load.err;
  }
  for (int round = 0; round < 5; ++round) {
    const auto run = daemon.Solve("0 10", {"--problem", "counter", "--algorithm", "astar", "--heuristic",
                                           "loop_in_eval_h", "--time-limit", "50ms", "-o", "json"});
    EXPECT_EQ(run.exit_code, 12) << run.out << run.err;
    EXPECT_NE(ResultJson(run).Text("/explanation").find("in stage search of plugin org.astrolabe.fixture.loop_in_eval"),
              std::string::npos)
        << run.out;
  }
}

// The others stop when they are told; the job's own thread waits for the one that hangs.
TEST(PluginFaults, AHeuristicThatNeverReturnsOnAnotherThreadIsNamed) {
  LiveDaemon daemon({"--slots", "3"});
  const std::string fixture = "loop_in_eval_of_others";
  for (const std::string& name : {std::string("counter"), fixture}) {
    const auto load = daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/" + name + ".so"});
    ASSERT_EQ(load.exit_code, 0) << load.err;
  }
  for (int round = 0; round < 3; ++round) {
    const auto run = daemon.Solve("0 100", {"--problem", "counter", "--algorithm", "hda_star", "--threads", "3",
                                            "--heuristic", fixture + "_h", "--time-limit", "100ms", "-o", "json"});
    EXPECT_EQ(run.exit_code, 12) << run.out << run.err;
    EXPECT_NE(ResultJson(run).Text("/explanation").find("in stage search of plugin org.astrolabe.fixture." + fixture),
              std::string::npos)
        << run.out;
  }
}

struct InAJob {
  std::string fixture;
  std::vector<std::string> flags;
  int exit_code;
  std::string code;  // of the plugin's failure; empty: none
  std::string stage;
  std::string signal;  // empty: none
};

// While another job searches, which must not notice.
TEST(PluginFaults, EachEndsItsOwnJobAloneWithPluginStageAndSignal) {
  std::vector<InAJob> cases = {
      {"abort_in_parse", {}, 14, "CRASHED", "parse", "SIGABRT"},
      {"segv_in_build", {}, 14, "CRASHED", "build", "SIGSEGV"},
      {"segv_in_eval", {}, 14, "CRASHED", "search", "SIGSEGV"},
      {"segv_in_expand", {}, 14, "CRASHED", "search", "SIGSEGV"},
      {"abort_in_expand", {}, 14, "CRASHED", "search", "SIGABRT"},
      {"exit_in_parse", {}, 14, "EXITED", "parse", ""},
      {"exit_in_build", {}, 14, "EXITED", "build", ""},
      {"exit_in_expand", {}, 14, "EXITED", "search", ""},
      {"throw_in_parse", {}, 14, "THREW", "parse", ""},
      {"throw_in_eval", {}, 14, "THREW", "search", ""},
      {"throw_in_expand", {}, 14, "THREW", "search", ""},
      {"negative_h", {}, 14, "CONTRACT_VIOLATION", "search", ""},
      {"too_many_ops_in_a_job", {}, 14, "CONTRACT_VIOLATION", "search", ""},
      {"wrong_op", {}, 14, "CONTRACT_VIOLATION", "replay", ""},
      {"wrong_cost", {}, 14, "CONTRACT_VIOLATION", "search", ""},
      {"state_align_3", {}, 14, "CONTRACT_VIOLATION", "parse", ""},
      {"close_in_build", {}, 14, "CONTRACT_VIOLATION", "build", ""},
      {"close_in_expand", {}, 14, "CONTRACT_VIOLATION", "search", ""},
      {"loop_in_parse", {"--time-limit", "300ms"}, 12, "", "", ""},
      {"loop_in_build", {"--time-limit", "300ms"}, 12, "", "", ""},
      {"loop_in_eval", {"--time-limit", "300ms"}, 12, "", "", ""},
      {"loop_in_expand", {"--time-limit", "300ms"}, 12, "", "", ""},
      {"noisy", {}, 0, "", "", ""},
      {"noise_in_parse", {}, 0, "", "", ""},
      {"noise_in_build", {}, 0, "", "", ""},
      {"noise_in_eval", {}, 0, "", "", ""},
      {"noise_in_expand", {}, 0, "", "", ""},
      {"init_installs_handler", {}, 0, "", "", ""},
      {"init_leaves_thread", {}, 0, "", "", ""},
      {"handler_in_build", {}, 0, "", "", ""},
      {"handler_in_expand", {}, 0, "", "", ""},
      {"blocks_signals_in_parse", {}, 0, "", "", ""},
      {"thread_in_build", {}, 0, "", "", ""},
  };
#ifndef ASTROLABE_SANITIZED  // they tell of an overflow themselves, and no limit of memory can be set under them
  cases.push_back({"recursion_in_eval", {}, 14, "CRASHED", "search", "SIGSEGV"});
  cases.push_back({"recursion_in_expand", {}, 14, "CRASHED", "search", "SIGSEGV"});
  cases.push_back({"memory_bomb", {"--memory-limit", "256MiB"}, 12, "", "", ""});
  cases.push_back({"memory_bomb_in_expand", {"--memory-limit", "64MiB"}, 12, "", "", ""});
#endif
  LiveDaemon daemon({"--slots", "2"});
  BackgroundSolve other(daemon, {"--algorithm", "idastar", "--heuristic", "hamming"});
  ASSERT_TRUE(other.WaitUntilSearching()) << other.output() << daemon.log();
  for (const InAJob& expected : cases) {
    SCOPED_TRACE(expected.fixture);
    const auto load =
        daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/" + expected.fixture + ".so"});
    ASSERT_EQ(load.exit_code, 0) << load.err;
    std::vector<std::string> flags = {"--problem", expected.fixture, "--algorithm", "astar", "-o", "json"};
    flags.insert(flags.end(), expected.flags.begin(), expected.flags.end());
    const auto run = daemon.Solve("0 10", flags);
    EXPECT_EQ(run.exit_code, expected.exit_code) << run.out << run.err;
    const ResultJson result(run);
    EXPECT_EQ(result.Text("/pluginFailure/code"), expected.code) << run.out;
    EXPECT_EQ(result.Text("/pluginFailure/stage"), expected.stage) << run.out;
    EXPECT_EQ(result.Text("/pluginFailure/signalName"), expected.signal) << run.out;
    EXPECT_EQ(result.Text("/pluginFailure/plugin"),
              expected.code.empty() ? "" : "org.astrolabe.fixture." + expected.fixture)
        << run.out;
    ExpectServes(daemon);
  }
  other.Signal(SIGINT);
  EXPECT_EQ(other.Wait(), 13) << other.output();
  EXPECT_NE(other.output().find("OUTCOME_CANCELLED"), std::string::npos) << other.output();
}

}  // namespace
}  // namespace astrolabe::testing
