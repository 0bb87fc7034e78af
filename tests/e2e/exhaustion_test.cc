// When descriptors, memory or the disk run out: the daemon says so, stays up, and serves again when there is room.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/background_solve.h"
#include "tests/support/live_daemon.h"
#include "tests/support/raw_socket.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

bool IsIdle(pid_t daemon) {
  const long before = CpuTicks(daemon);
  std::this_thread::sleep_for(milliseconds(300));  // in which it could spin
  return CpuTicks(daemon) - before <= 5;
}

TEST(Descriptors, ConnectionsBeyondTheLimitAreToldAndTheOthersAreServedOn) {
  LiveDaemon daemon({"--slots", "1"}, {"prlimit", "--nofile=256:256"});
  BackgroundSolve running(daemon, {"--algorithm", "idastar", "--heuristic", "hamming"});
  ASSERT_TRUE(running.WaitUntilSearching()) << running.output() << daemon.log();
  std::vector<Fd> silent;
  for (int i = 0; i < 400; ++i) {
    silent.push_back(ConnectTo(daemon.socket()));
    ASSERT_TRUE(silent.back().valid()) << i << std::strerror(errno);
  }
  CommandResult refused;
  EXPECT_TRUE(Eventually([&] {
    refused = daemon.Cli({"server", "info", "-o", "json"});
    return ResultJson(refused).Text("/error/reason") == "TOO_MANY_CONNECTIONS";
  })) << refused.out
      << refused.err << daemon.log();
  EXPECT_EQ(refused.exit_code, 7);
  EXPECT_EQ(ResultJson(refused).Text("/error/code"), "RESOURCE_EXHAUSTED");
  EXPECT_NE(ResultJson(refused).Text("/error/message").find("ulimit -n"), std::string::npos) << refused.out;
  EXPECT_GT(ResultJson(refused).Number("/error/retryDelayMs"), 0) << refused.out;
  EXPECT_NE(daemon.log().find("no descriptors are left"), std::string::npos) << daemon.log();
  EXPECT_TRUE(Eventually([&] { return IsIdle(daemon.process().pid()); })) << "it spins";
  silent.clear();
  EXPECT_TRUE(Eventually([&] { return daemon.Healthy(); })) << daemon.log();
  running.Signal(SIGINT);
  EXPECT_EQ(running.Wait(), 13) << "who was there before was not disturbed: " << running.output();
  ExpectServes(daemon);
}

TEST(Descriptors, TooFewOfThemAreToldAtTheStart) {
  const TempFolder folder;
  const auto start = [&](const std::string& limit) {
    return RunCommand({"prlimit", "--nofile=" + limit + ":" + limit, BinDir() + "/astrolabed", "--address",
                       "unix:" + folder / "s", "--state-dir", folder / "state", "--cache-dir", folder / "cache",
                       "--slots", "1", "--idle-timeout", "300ms"});
  };
  const CommandResult refused = start("64");
  EXPECT_EQ(refused.exit_code, 1) << refused.err;
  const size_t at = refused.err.find("at least ");
  ASSERT_NE(at, std::string::npos) << refused.err;
  const CommandResult started = start(std::to_string(std::stoi(refused.err.substr(at + 9))));
  EXPECT_EQ(started.exit_code, 0) << started.err;
  EXPECT_NE(started.err.find("ready at"), std::string::npos) << started.err;
}

// A small file system of the daemon's own below $TEST_FOLDER, in a mount namespace that ends with it; the tests look
// into it through /proc/PID/root.
class FullDisk : public ::testing::Test {
 protected:
  static std::vector<std::string> Wrapper(const std::string& folder, const std::string& size) {
    const std::string script = "mkdir -p \"$TEST_FOLDER/" + folder + "\" && mount -t tmpfs -o mode=0700,size=" + size +
                               " tmpfs \"$TEST_FOLDER/" + folder + "\" && exec \"$@\"";
    return {"unshare", "-m", "sh", "-c", script, "sh"};
  }
  void SetUp() override {
    const CommandResult can = RunCommand({"unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs \"$PWD\""},
                                         {.directory = probe_.path()});
    if (can.exit_code != 0) GTEST_SKIP() << "no file system can be mounted here: " << can.err;
  }
  static std::string Inside(LiveDaemon& daemon, const std::string& path) {
    return "/proc/" + std::to_string(daemon.process().pid()) + "/root" + (daemon.folder() / path);
  }
  // Takes all that is left.
  static void Fill(const std::string& file) {
    std::ofstream out(file, std::ios::binary);
    const std::string block(64 << 10, 'x');
    while (out.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
    std::ofstream rest(file + "2", std::ios::binary);
    while (rest.put('x').flush()) {
    }
  }
  static void Empty(const std::string& file) {
    fs::remove(file);
    fs::remove(file + "2");
  }
  static std::string Detach(const LiveDaemon& daemon) {
    const CommandResult run = daemon.Solve(kEasy, {"--detach"});
    EXPECT_EQ(run.exit_code, 0) << run.err << daemon.log();
    const std::string name = run.out.substr(0, run.out.find('\n'));
    EXPECT_EQ(daemon.Cli({"watch", name}).exit_code, 0) << daemon.log();
    return name;
  }

 private:
  TempFolder probe_;
};

TEST_F(FullDisk, OfTheStateFolderEndsNoJobAndTheJournalHasAllWhenThereIsRoomAgain) {
  LiveDaemon daemon({}, Wrapper("state", "64m"));
  const std::string filler = Inside(daemon, "state/filler");
  std::vector<std::string> names = {Detach(daemon)};
  Fill(filler);
  // As many as fill what is left of the last block.
  EXPECT_TRUE(Eventually([&] {
    names.push_back(Detach(daemon));
    return daemon.log().find("the job journal is not written") != std::string::npos || HasFailure();
  })) << daemon.log();
  EXPECT_NE(daemon.log().find("No space left on device"), std::string::npos) << daemon.log();
  ExpectServes(daemon);
  const auto load = daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/segv_in_eval.so"});
  EXPECT_NE(load.exit_code, 0) << "a private copy is what cannot be made";
  EXPECT_NE((load.out + load.err).find("No space left on device"), std::string::npos) << load.out << load.err;
  ExpectServes(daemon);

  Empty(filler);
  names.push_back(Detach(daemon));
  EXPECT_TRUE(Eventually([&] { return daemon.log().find("the job journal is written again") != std::string::npos; }))
      << daemon.log();
  const auto loaded = daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/segv_in_eval.so"});
  EXPECT_EQ(loaded.exit_code, 0) << loaded.out << loaded.err;

  // What a daemon killed now would leave: the next one knows every job, and its result.
  const TempFolder left;
  const std::string copy = left / "jobs";
  EXPECT_TRUE(Eventually([&] {
    fs::remove_all(copy);
    fs::copy(Inside(daemon, "state/jobs"), copy, fs::copy_options::recursive);
    return ReadFile(copy + "/jobs.journal").find(names.back()) != std::string::npos;
  }));
  EXPECT_EQ(daemon.Stop(), 0) << daemon.log();
  LiveDaemon next(
      {}, {"sh", "-c",
           "mkdir -p \"$TEST_FOLDER/state\" && cp -r \"" + copy + "\" \"$TEST_FOLDER/state\" && exec \"$@\"", "sh"});
  for (const std::string& name : names) {
    const CommandResult get = next.Cli({"jobs", "get", name});
    // The last one may have been written when it was accepted, and not yet when it ended.
    EXPECT_TRUE(get.exit_code == 0 || (name == names.back() && get.exit_code == 16)) << name << get.out << get.err;
  }
}

TEST_F(FullDisk, OfTheCacheFolderCostsTheTableNotTheJob) {
  LiveDaemon daemon({}, Wrapper("cache", "4m"));
  const std::string filler = Inside(daemon, "cache/filler");
  Fill(filler);
  const std::string board = "3\n8 1 3\n4 0 2\n7 6 5\n";
  const CommandResult run = daemon.Solve(board, {"--heuristic", "pattern_database", "-o", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err << daemon.log();
  const auto files = ResultJson(run).json()["provenance"]["cacheFiles"];
  ASSERT_FALSE(files.empty()) << run.out;
  for (const auto& file : files) EXPECT_TRUE(file.value("inMemory", false)) << run.out;
  const CommandResult build = daemon.Cli({"pdb", "build", "--partition", "1 2 3 4/5 6 7 8"});
  EXPECT_EQ(build.exit_code, 7) << build.out << build.err;
  EXPECT_NE(build.err.find("No space left on device"), std::string::npos) << build.err;
  EXPECT_NE(build.err.find("is not kept"), std::string::npos) << build.err;
  Empty(filler);
  const CommandResult again = daemon.Cli({"pdb", "build", "--partition", "1 2 3 4/5 6 7 8"});
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  EXPECT_EQ(daemon.Cli({"pdb", "verify"}).exit_code, 0) << daemon.log();
}

std::string Graph(int edges) {
  std::string graph = "start 0\ngoal 1\n";
  for (int i = 0; i < edges; ++i) graph += "edge " + std::to_string(i) + " " + std::to_string(i + 1) + " 1\n";
  return graph;
}

// Of as many clients that send the instance at the same time.
std::vector<CommandResult> SolveAtOnce(const LiveDaemon& daemon, const std::string& instance, int clients) {
  const std::string file = daemon.folder().Write("instance", instance);
  std::vector<CommandResult> results(static_cast<size_t>(clients));
  std::vector<std::thread> threads;
  for (CommandResult& result : results) {
    threads.emplace_back([&] {
      result = daemon.Cli({"solve", file, "--problem", "explicit_graph", "--detach", "-o", "json"});
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

// Instances that are all there at once several times over: as requests, in the queue, on the way to workers.
TEST(Memory, ADaemonWithLittleOfItTakesOrRefusesLargeInstancesAndStaysUp) {
  LiveDaemon daemon({"--slots", "1"}, {"prlimit", "--as=440000000"});
  const std::string graph = Graph(300'000);
  int taken = 0;
  int refused = 0;
  for (const CommandResult& result : SolveAtOnce(daemon, graph, 10)) {
    if (result.exit_code == 0) {
      ++taken;
      continue;
    }
    ++refused;
    const ResultJson json(result);
    const std::string reason = json.Text("/error/reason");
    EXPECT_TRUE(reason == "QUEUE_FULL" || reason == "SERVER_MEMORY") << result.out << result.err << daemon.log();
    EXPECT_EQ(json.Text("/error/code"), reason == "QUEUE_FULL" ? "UNAVAILABLE" : "RESOURCE_EXHAUSTED") << result.out;
    EXPECT_GT(json.Number("/error/retryDelayMs"), 0) << result.out;
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused, 0) << "the limit is no longer one: make the instance larger";
  EXPECT_TRUE(daemon.process().running()) << daemon.log();
  ExpectServes(daemon);
}

// Many times what the daemon has is on its way at once, and nothing of it is there whole before the memory is gone.
TEST(Memory, WhatIsBeingReceivedIsBoundedToo) {
  LiveDaemon daemon({"--slots", "1", "--max-request-size", "8MiB"}, {"prlimit", "--as=250000000"});
  const std::string graph = Graph(350'000);
  for (const CommandResult& result : SolveAtOnce(daemon, graph, 20)) {
    const std::string reason = result.exit_code == 0 ? "" : ResultJson(result).Text("/error/reason");
    // gRPC ends calls, and closes connections that have none at the moment.
    EXPECT_TRUE(reason.empty() || reason == "QUEUE_FULL" || reason == "SERVER_MEMORY" || reason == "CONNECTION_LOST")
        << result.out << result.err;
  }
  EXPECT_TRUE(daemon.process().running()) << daemon.log();
  ExpectServes(daemon);
}

TEST(StateFolder, ThatCannotBeWrittenIsToldAtTheStart) {
  const TempFolder folder;
  const std::string file = folder.Write("file", "no folder");
  const CommandResult run = RunCommand({BinDir() + "/astrolabed", "--address", "unix:" + folder / "s", "--state-dir",
                                        file + "/state", "--cache-dir", folder / "cache"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.err.find("cannot make the folder " + file + "/state (--state-dir)"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(folder / "s")) << "it never served";
}

TEST(Memory, TooLittleOfItIsToldAtTheStart) {
  const TempFolder folder;
  const auto start = [&](int64_t mebibytes, const std::vector<std::string>& flags) {
    std::vector<std::string> command = {"prlimit",
                                        "--as=" + std::to_string(mebibytes << 20),
                                        BinDir() + "/astrolabed",
                                        "--address",
                                        "unix:" + folder / "s",
                                        "--state-dir",
                                        folder / "state",
                                        "--cache-dir",
                                        folder / "cache",
                                        "--slots",
                                        "1",
                                        "--idle-timeout",
                                        "300ms"};
    command.insert(command.end(), flags.begin(), flags.end());
    return RunCommand(command);
  };
  const CommandResult refused = start(1000, {"--event-budget", "700MiB"});
  EXPECT_EQ(refused.exit_code, 1) << refused.err;
  EXPECT_NE(refused.err.find("700 MiB for --event-budget"), std::string::npos) << refused.err;
  const size_t at = refused.err.find("it needs ");
  ASSERT_NE(at, std::string::npos) << refused.err;
  const CommandResult raised = start(std::stoll(refused.err.substr(at + 9)), {"--event-budget", "700MiB"});
  EXPECT_EQ(raised.exit_code, 0) << raised.err;
  const CommandResult lowered = start(1000, {});
  EXPECT_EQ(lowered.exit_code, 0) << lowered.err;
  EXPECT_NE(lowered.err.find("ready at"), std::string::npos) << lowered.err;
}

}  // namespace
}  // namespace astrolabe::testing
