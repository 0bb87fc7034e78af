// Clients, workers and daemons that die, are killed or talk nonsense: only the job concerned ends.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/background_solve.h"
#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;

pid_t BusiestChild(pid_t parent) {
  pid_t busiest = -1;
  long most = -1;
  for (pid_t child : ChildrenOf(parent)) {
    const long ticks = CpuTicks(child);
    if (ticks > most) {
      most = ticks;
      busiest = child;
    }
  }
  return busiest;
}

// No worker of this daemon uses the processor: between two looks none of them counts a tick of 10 ms.
bool WorkersAreIdle(pid_t daemon) {
  const auto ticks = [daemon] {
    long sum = 0;
    for (const pid_t child : ChildrenOf(daemon)) sum += CpuTicks(child);
    return sum;
  };
  const long before = ticks();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return ticks() == before;
}

TEST(Faults, AKilledWorkerEndsItsJobAloneAndTheNextIsServed) {
  LiveDaemon daemon;
  BackgroundSolve solve(daemon, {"--algorithm", "idastar", "--heuristic", "hamming"});
  ASSERT_TRUE(solve.WaitUntilSearching()) << solve.output() << daemon.log();
  ASSERT_TRUE(Eventually([&] { return CpuTicks(BusiestChild(daemon.process().pid())) > 5; }));
  ::kill(BusiestChild(daemon.process().pid()), SIGKILL);
  EXPECT_EQ(solve.Wait(), 14) << solve.output();
  EXPECT_NE(solve.output().find("OUTCOME_PLUGIN_FAILED"), std::string::npos) << solve.output();
  EXPECT_NE(solve.output().find("SIGKILL"), std::string::npos) << solve.output();
  ExpectServes(daemon);
}

// Plugins that never return, one a stage.
struct Looping {
  const char* fixture;
  const char* stage;
};
constexpr Looping kLooping[] = {{"loop_in_parse", "parse"},
                                {"loop_in_build", "build"},
                                {"loop_in_eval", "search"},
                                {"loop_in_expand", "search"},
                                {"loop_in_destroy", "extract"}};

// A job that loops in that stage, and the worker that it keeps busy.
struct LoopingJob {
  LoopingJob(const LiveDaemon& daemon, pid_t daemon_pid, const std::string& fixture)
      : load(daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/" + fixture + ".so"})),
        solve(daemon, {"--problem", fixture, "--algorithm", "astar"}, "0 10") {
    EXPECT_EQ(load.exit_code, 0) << load.err;
    EXPECT_TRUE(Eventually([&] { return CpuTicks(BusiestChild(daemon_pid)) > 30; })) << daemon.log();
    worker = BusiestChild(daemon_pid);
  }
  CommandResult load;
  BackgroundSolve solve;
  pid_t worker = -1;
};

// The last line of the command: the Result, of a job whose worker was killed.
void ExpectKilledIn(const std::string& stage, BackgroundSolve& solve) {
  EXPECT_EQ(solve.Wait(), 14) << solve.output();
  const std::string output = solve.output();
  const ResultJson event(output.substr(output.rfind('\n', output.size() - 2) + 1));
  EXPECT_EQ(event.Text("/result/pluginFailure/code"), "KILLED") << output;
  EXPECT_EQ(event.Text("/result/pluginFailure/stage"), stage) << output;
  EXPECT_EQ(event.Text("/result/pluginFailure/signalName"), "SIGKILL") << output;
}

TEST(Faults, AWorkerKilledInAnyStageEndsItsJobWithTheStage) {
  LiveDaemon daemon;
  for (const Looping& looping : kLooping) {
    SCOPED_TRACE(looping.fixture);
    LoopingJob job(daemon, daemon.process().pid(), looping.fixture);
    ::kill(job.worker, SIGKILL);
    ExpectKilledIn(looping.stage, job.solve);
    EXPECT_TRUE(Eventually([&] { return ::kill(job.worker, 0) != 0; })) << "it was not reaped";
    ExpectServes(daemon);
  }
}

// Workers that load the plugin beforehand are killed like that of the job: those cost no job anything.
TEST(Faults, AWorkerKilledWhileItLoadsAPluginEndsItsJobWithTheStage) {
  for (const Looping& looping : {Looping{"loop_in_later_load", "load"}, Looping{"loop_in_later_start", "init"}}) {
    SCOPED_TRACE(looping.fixture);
    LiveDaemon daemon;
    const auto load =
        daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/" + looping.fixture + ".so"});
    ASSERT_EQ(load.exit_code, 0) << load.err;
    BackgroundSolve solve(daemon, {"--problem", looping.fixture, "--algorithm", "astar"}, "0 10");
    const auto kill_one_that_loops = [&] {
      const pid_t busiest = BusiestChild(daemon.process().pid());
      if (CpuTicks(busiest) > 10) ::kill(busiest, SIGKILL);
      return !solve.running();
    };
    EXPECT_TRUE(Eventually(kill_one_that_loops, std::chrono::seconds(30))) << daemon.log();
    ExpectKilledIn(looping.stage, solve);
    ExpectServes(daemon);
  }
}

// The idle workers load it, so that a job finds them warm, and hang in it: the pool does without them.
TEST(Faults, APluginThatHangsWhenItIsLoadedAgainHoldsUpNobody) {
  LiveDaemon daemon;
  const auto load = daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/loop_in_later_start.so"});
  ASSERT_EQ(load.exit_code, 0) << load.err;
  ASSERT_TRUE(Eventually([&] { return !WorkersAreIdle(daemon.process().pid()); })) << "none of them hangs";
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 3; ++round) ExpectServes(daemon);
  // Two workers may be given a job before it is known that the plugin does not load.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Faults, AnIdleWorkerThatIsKilledCostsNoJob) {
  LiveDaemon daemon;
  for (int round = 0; round < 5; ++round) {
    for (const pid_t worker : ChildrenOf(daemon.process().pid())) ::kill(worker, SIGKILL);
    ExpectServes(daemon);
  }
}

// All that was streamed before is there, in order and once; then comes the Result.
TEST(Faults, AWorkerKilledWhileItStreamsLeavesAWholeStream) {
  LiveDaemon daemon;
  BackgroundSolve solve(daemon, {"--algorithm", "astar", "--events", "nodes"});
  ASSERT_TRUE(Eventually([&] { return solve.output().size() > (1 << 20); })) << daemon.log();
  ::kill(BusiestChild(daemon.process().pid()), SIGKILL);
  ExpectKilledIn("search", solve);
  std::istringstream lines(solve.output());
  std::string line;
  int64_t sequence = 0;
  int64_t ordinal = 0;
  bool result = false;
  while (std::getline(lines, line)) {
    const ResultJson event(line);
    ASSERT_TRUE(event.valid()) << line;
    EXPECT_FALSE(result) << "nothing comes after the Result";
    result = event.json().contains("result");
    if (const int64_t number = event.Number("/sequence"); number != 0) ASSERT_EQ(number, ++sequence) << line;
    if (!event.json().contains("nodes")) continue;
    ASSERT_EQ(event.Number("/nodes/firstOrdinal"), ordinal) << line.substr(0, 300);
    ordinal += event.Number("/nodes/count");
  }
  EXPECT_TRUE(result);
  EXPECT_GT(ordinal, 0);
  ExpectServes(daemon);
}

TEST(Faults, AClientThatDiesInAnyStageLeavesNoWorkerBusy) {
  LiveDaemon daemon;
  for (const Looping& looping : kLooping) {
    SCOPED_TRACE(looping.fixture);
    LoopingJob job(daemon, daemon.process().pid(), looping.fixture);
    job.solve.Signal(SIGKILL);
    job.solve.Wait();
    EXPECT_TRUE(Eventually([&] { return WorkersAreIdle(daemon.process().pid()); })) << "it loops on";
    ExpectServes(daemon);
  }
}

TEST(Faults, TheFirstInterruptCancelsTheJob) {
  LiveDaemon daemon;
  BackgroundSolve solve(daemon, {"--algorithm", "idastar", "--heuristic", "hamming"});
  ASSERT_TRUE(solve.WaitUntilSearching()) << solve.output() << daemon.log();
  solve.Signal(SIGINT);
  EXPECT_EQ(solve.Wait(), 13) << solve.output();
  EXPECT_NE(solve.output().find("OUTCOME_CANCELLED"), std::string::npos);
}

TEST(Faults, AClientThatDiesStopsItsSearch) {
  LiveDaemon daemon;
  BackgroundSolve solve(daemon, {"--algorithm", "idastar", "--heuristic", "hamming"});
  ASSERT_TRUE(solve.WaitUntilSearching()) << solve.output() << daemon.log();
  solve.Signal(SIGKILL);
  solve.Wait();
  EXPECT_TRUE(Eventually([&] {
    const auto info = daemon.Cli({"server", "info", "-o", "json"});
    return ResultJson(info).Number("/load/running", 0) == 0 && info.exit_code == 0;
  })) << daemon.log();
  EXPECT_TRUE(Eventually([&] { return WorkersAreIdle(daemon.process().pid()); })) << "somebody still searches";
  ExpectServes(daemon);
}

TEST(Faults, R06AKilledDaemonLeavesNoWorkerAndStartsAgainOnTheSamePath) {
  LiveDaemon daemon;
  ExpectServes(daemon);
  const std::vector<pid_t> workers = ChildrenOf(daemon.process().pid());
  ASSERT_FALSE(workers.empty());
  daemon.Kill();
  EXPECT_TRUE(fs::exists(daemon.socket()));
  for (pid_t worker : workers) {
    EXPECT_TRUE(Eventually(
        [worker] {
          return ::kill(worker, 0) != 0 ||
                 ReadFile("/proc/" + std::to_string(worker) + "/stat").find(") Z") != std::string::npos;
        },
        std::chrono::seconds(1)))
        << "worker " << worker << " outlived its daemon";
  }
  daemon.Start();
  ExpectServes(daemon);
}

TEST(Faults, ASecondDaemonOnALiveAddressFailsAndHarmsNothing) {
  LiveDaemon daemon;
  const auto second = RunCommand({BinDir() + "/astrolabed", "--address", daemon.address()});
  EXPECT_NE(second.exit_code, 0);
  EXPECT_NE(second.err.find("already"), std::string::npos) << second.err << second.out;
  ExpectServes(daemon);
}

TEST(Faults, SigtermEndsWithCodeZeroAndRemovesTheSocket) {
  LiveDaemon daemon({"--drain-time", "200ms"});
  BackgroundSolve solve(daemon, {"--algorithm", "idastar", "--heuristic", "hamming"});
  ASSERT_TRUE(solve.WaitUntilSearching()) << solve.output() << daemon.log();
  EXPECT_EQ(daemon.Stop(), 0) << daemon.log();
  EXPECT_FALSE(fs::exists(daemon.socket()));
  EXPECT_EQ(solve.Wait(), 16) << solve.output();
  EXPECT_NE(solve.output().find("OUTCOME_INTERRUPTED"), std::string::npos);
}

TEST(Faults, WhileItDrainsADaemonIsNotServingAndTakesNoNewJobs) {
  LiveDaemon daemon({"--drain-time", "10m"});
  BackgroundSolve solve(daemon, {"--algorithm", "idastar", "--heuristic", "hamming"});
  ASSERT_TRUE(solve.WaitUntilSearching()) << solve.output() << daemon.log();
  daemon.process().Signal(SIGTERM);
  EXPECT_TRUE(Eventually([&] { return daemon.Cli({"server", "health"}).out == "NOT_SERVING\n"; })) << daemon.log();
  const auto refused = daemon.Solve(kEasy, {"-o", "json"});
  EXPECT_EQ(refused.exit_code, 7) << refused.out << refused.err;
  EXPECT_EQ(ResultJson(refused).Text("/error/reason"), "DRAINING") << refused.out << refused.err;
  EXPECT_TRUE(daemon.process().running()) << "the job has ten minutes";
  daemon.process().Signal(SIGTERM);
  EXPECT_EQ(daemon.process().Wait(std::chrono::seconds(20)), 0) << daemon.log();
  EXPECT_EQ(solve.Wait(), 16) << solve.output();
}

// A slot for one, a queue of 100: of 150 more each waits where one can see it, or is refused with a time to come back.
TEST(Faults, R08OfManyJobsAtOnceEachRunsWaitsVisiblyOrIsRefused) {
#ifdef ASTROLABE_SANITIZED
  constexpr int kJobs = 30;
  constexpr int kQueue = 20;
#else
  constexpr int kJobs = 150;
  constexpr int kQueue = 100;
#endif
  LiveDaemon daemon({"--slots", "1", "--queue-limit", std::to_string(kQueue)});
  BackgroundSolve first(daemon, {"--algorithm", "idastar", "--heuristic", "hamming"});
  ASSERT_TRUE(first.WaitUntilSearching()) << first.output() << daemon.log();
  std::vector<CommandResult> results(kJobs);
  std::vector<std::thread> clients;
  for (int c = 0; c < 6; ++c) {
    clients.emplace_back([&, c] {
      for (size_t i = static_cast<size_t>(c); i < kJobs; i += 6) {
        results[i] = daemon.Solve(kEasy, {"--detach", "-o", "json"});
      }
    });
  }
  for (std::thread& client : clients) client.join();
  int waiting = 0;
  for (const CommandResult& result : results) {
    if (result.exit_code == 0) {
      ++waiting;
    } else {
      EXPECT_EQ(result.exit_code, 7) << result.out << result.err;
      EXPECT_EQ(ResultJson(result).Text("/error/reason"), "QUEUE_FULL") << result.out;
    }
  }
  EXPECT_EQ(waiting, kQueue);
  std::vector<int64_t> positions;
  const auto list = nlohmann::json::parse(daemon.Cli({"jobs", "ls", "-o", "json"}).out);
  for (const auto& job : list) {
    if (job.value("state", "") == "JOB_STATE_QUEUED") positions.push_back(job.value("queuePosition", 0));
  }
  std::sort(positions.begin(), positions.end());
  std::vector<int64_t> expected(kQueue);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(positions, expected);
  first.Signal(SIGINT);
  EXPECT_EQ(first.Wait(), 13) << first.output();
  EXPECT_TRUE(Eventually(
      [&] {
        const ResultJson info(daemon.Cli({"server", "info", "-o", "json"}));
        return info.valid() && info.Number("/load/running") + info.Number("/load/queued") == 0;
      },
      std::chrono::seconds(60)))
      << "all that waited ran";
  int solved = 0;
  for (const auto& job : nlohmann::json::parse(daemon.Cli({"jobs", "ls", "-o", "json"}).out)) {
    if (job.contains("result")) solved += job["result"].value("outcome", "") == "OUTCOME_SOLVED";
  }
  EXPECT_EQ(solved, kQueue);
}

// gRPC's idle threads would keep it for ten seconds more, with its sockets gone and its lock held.
TEST(Faults, SigtermWithOpenNodeStreamsIsNotHeldUp) {
  LiveDaemon daemon({"--drain-time", "200ms"});
  const std::vector<std::string> args = {"--algorithm", "astar", "--events", "nodes"};
  BackgroundSolve first(daemon, args);
  BackgroundSolve second(daemon, args);
  ASSERT_TRUE(first.WaitUntilSearching()) << first.output() << daemon.log();
  ASSERT_TRUE(second.WaitUntilSearching()) << second.output() << daemon.log();
  daemon.process().Signal(SIGTERM);
  EXPECT_EQ(daemon.process().Wait(std::chrono::seconds(8)), 0) << daemon.log();
  first.Wait();
  second.Wait();
}

std::string LongGraph(size_t bytes) {
  std::string text = "start 0\ngoal 1\n";
  for (int i = 0; text.size() < bytes; ++i) text += "edge " + std::to_string(i) + " " + std::to_string(i + 1) + " 1\n";
  return text;
}

TEST(Faults, R04AnInstanceOf5MBIsSolvedAndOneOf100MBRefusedWithSizeAndLimit) {
#ifdef ASTROLABE_SANITIZED
  GTEST_SKIP() << "a minute, all of it in the parser";
#endif
  LiveDaemon daemon;
  const auto large = daemon.Solve(LongGraph(5'000'000), {"--problem", "explicit_graph", "-o", "json"});
  EXPECT_EQ(large.exit_code, 0) << large.err;
  EXPECT_EQ(ResultJson(large).cost(), 1);
  const auto refused = daemon.Solve(LongGraph(100'000'000), {"--problem", "explicit_graph"});
  EXPECT_EQ(refused.exit_code, 6) << refused.out << refused.err;
  EXPECT_NE(refused.err.find("95.4 MiB"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("32.0 MiB"), std::string::npos) << refused.err;
  ExpectServes(daemon);
}

TEST(Faults, R09EveryStreamEndsWithExactlyOneResult) {
  LiveDaemon daemon;
  struct Ending {
    std::string board;
    std::vector<std::string> args;
    std::string outcome;
  };
  const std::vector<Ending> endings = {
      {kEasy, {}, "OUTCOME_SOLVED"},
      {kEasy, {"--algorithm", "astar", "--events", "nodes"}, "OUTCOME_SOLVED"},
      {"1 2 3\n4 5 6\n8 7 0\n", {}, "OUTCOME_UNSOLVABLE"},
      {"1 2 3\n4 5 6\n8 8 0\n", {}, "OUTCOME_REJECTED"},
      {kHard, {"--max-expansions", "50000", "--events", "progress"}, "OUTCOME_LIMIT_REACHED"},
      {kHard, {"--time-limit", "300ms"}, "OUTCOME_LIMIT_REACHED"},
  };
  for (const Ending& ending : endings) {
    std::vector<std::string> args = ending.args;
    args.insert(args.end(), {"-o", "ndjson"});
    const auto run = daemon.Solve(ending.board, args);
    std::istringstream lines(run.out);
    std::string line;
    int results = 0, accepted = 0, count = 0;
    int64_t sequence = 0, expanded = 0;
    bool last_is_result = false;
    while (std::getline(lines, line)) {
      const ResultJson event(line);
      ASSERT_TRUE(event.valid()) << line;
      last_is_result = event.json().contains("result");
      results += last_is_result;
      accepted += event.json().contains("accepted");
      if (count++ == 0) EXPECT_EQ(accepted, 1) << "the first event is JobAccepted: " << line;
      const int64_t number = event.Number("/sequence");
      if (number != 0) EXPECT_EQ(number, ++sequence) << "sequences are dense: " << line;
      const int64_t now = event.Number("/progress/expanded", expanded);
      EXPECT_GE(now, expanded) << "counters never go down";
      expanded = now;
      if (last_is_result) {
        EXPECT_EQ(event.Text("/result/outcome"), ending.outcome);
        EXPECT_GE(event.Number("/result/statistics/expanded"), expanded) << "nor in the result";
      }
    }
    EXPECT_EQ(results, 1) << run.out << run.err;
    EXPECT_EQ(accepted, 1);
    EXPECT_TRUE(last_is_result);
  }
}

}  // namespace
}  // namespace astrolabe::testing
