// Crashes, kills and bad plugins: only the job concerned ends, and the daemon goes on.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;

const char kEasy[] = "3\n0 1 3\n4 2 5\n7 8 6\n";
// The hardest 15-puzzle boards need minutes with hamming: long enough to be interrupted.
const char kHard[] = "4\n0 15 14 13\n12 11 10 9\n8 7 6 5\n4 3 2 1\n";

void ExpectServes(const LiveDaemon& daemon) {
  const auto run = daemon.Solve(kEasy, {"-o", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err << daemon.log();
  EXPECT_EQ(ResultJson(run).cost(), 4);
}

// A job in the background; `expanding` waits until its search has begun.
class BackgroundSolve {
 public:
  BackgroundSolve(const LiveDaemon& daemon, std::vector<std::string> args) {
    file_ = folder_.Write("board.txt", kHard);
    args.insert(args.begin(), {BinDir() + "/astrolabe", "solve", file_, "-o", "ndjson"});
    process_ = std::make_unique<Process>(
        args, std::map<std::string, std::string>{{"ASTROLABE_SERVER", daemon.address()}}, folder_ / "out");
  }
  bool WaitUntilSearching() {
    return Eventually([this] { return ReadFile(folder_ / "out").find("JOB_STATE_SEARCHING") != std::string::npos; });
  }
  int Wait() { return process_->Wait(std::chrono::seconds(30)); }
  void Signal(int signal) { process_->Signal(signal); }
  std::string output() const { return ReadFile(folder_ / "out"); }

 private:
  TempFolder folder_;
  std::string file_;
  std::unique_ptr<Process> process_;
};

// Milliseconds of processor time used by a process.
long CpuTicks(pid_t pid) {
  const std::string stat = ReadFile("/proc/" + std::to_string(pid) + "/stat");
  const size_t paren = stat.rfind(')');
  if (paren == std::string::npos) return 0;
  std::istringstream fields(stat.substr(paren + 2));
  std::string skip;
  long user = 0, system = 0;
  for (int i = 0; i < 11; ++i) fields >> skip;
  fields >> user >> system;
  return user + system;
}

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
  constexpr int kJobs = 150;
  constexpr int kQueue = 100;
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

// --- plugins ---------------------------------------------------------------------------------------------

std::string PluginList(const LiveDaemon& daemon) {
  const auto run = daemon.Cli({"plugin", "ls"});
  return run.out + run.err;
}

TEST(Faults, P01FilesThatAreNoPluginsAreToldOneByOneAndTheOthersWork) {
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
TEST(Faults, PluginsThatFailAtLoadNeverHurtTheDaemon) {
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
TEST(Faults, APluginForANewerAbiIsRefusedByItsManifestAlone) {
  LiveDaemon daemon;
  const auto load =
      daemon.Cli({"plugin", "load", std::string(ASTROLABE_FIXTURE_DIR) + "/abi_2_and_abort_in_constructor.so"});
  EXPECT_EQ(load.exit_code, 14) << load.out;
  EXPECT_NE(load.err.find("ABI_TOO_NEW (manifest)"), std::string::npos) << load.err;
  EXPECT_NE(load.err.find("major 2"), std::string::npos) << load.err;
}

TEST(Faults, OverwritingAPluginsFileDoesNotTouchARunningSolve) {
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
TEST(Faults, AHeuristicThatEndsTheProcessIsNamed) {
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

}  // namespace
}  // namespace astrolabe::testing
