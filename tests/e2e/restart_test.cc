// Jobs across restarts of the real daemon: SIGTERM, kill -9, a torn and a damaged journal.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;

const char kEasy[] = "3\n0 1 3\n4 2 5\n7 8 6\n";
// Hours with hamming.
const char kHard[] = "4\n0 15 14 13\n12 11 10 9\n8 7 6 5\n4 3 2 1\n";

class Restart : public ::testing::Test {
 protected:
  std::string Detach(const std::string& board, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"--detach"};
    args.insert(args.end(), more.begin(), more.end());
    const CommandResult run = daemon_.Solve(board, args);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out.substr(0, run.out.find('\n'));
  }
  std::string Hard() {
    const std::string name = Detach(kHard, {"--algorithm", "idastar", "--heuristic", "hamming"});
    EXPECT_TRUE(Eventually([&] { return Get(name).out.find("SEARCHING") != std::string::npos; }));
    return name;
  }
  CommandResult Get(const std::string& name) { return daemon_.Cli({"jobs", "get", name}); }
  CommandResult Watch(const std::string& name) { return daemon_.Cli({"watch", name, "-o", "json"}); }
  // Everything that does not say when.
  std::string Done(const std::string& name) {
    const CommandResult run = Watch(name);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }
  std::string state() const { return daemon_.folder() / "state"; }
  std::string journal() const { return state() + "/jobs/jobs.journal"; }

  LiveDaemon daemon_;
};

TEST_F(Restart, ResultsSurviveTheEndAndTheKill) {
  const std::string name = Detach(kEasy);
  const std::string before = Done(name);
  EXPECT_EQ(daemon_.Stop(), 0);
  daemon_.Start();
  EXPECT_EQ(Done(name), before);
  daemon_.Kill();
  daemon_.Start();
  EXPECT_EQ(Done(name), before);
  EXPECT_EQ(daemon_.Solve(kEasy).exit_code, 0);
}

TEST_F(Restart, AJobThatRanWhenTheDaemonWasKilledIsInterrupted) {
  const std::string name = Hard();
  daemon_.Kill();
  daemon_.Start();
  const CommandResult run = Watch(name);
  EXPECT_EQ(run.exit_code, 16) << run.out << run.err;
  EXPECT_EQ(ResultJson(run).outcome(), "OUTCOME_INTERRUPTED");
  EXPECT_EQ(ResultJson(run).Text("/explanation"), "The server ended before the job did.");
  EXPECT_EQ(daemon_.Cli({"jobs", "rm", name}).exit_code, 0);
  EXPECT_EQ(daemon_.Stop(), 0);
  daemon_.Start();
  EXPECT_EQ(Get(name).exit_code, 5);
}

TEST_F(Restart, AJobThatRanWhenTheDaemonWasAskedToEndIsInterrupted) {
  const std::string name = Hard();
  EXPECT_EQ(daemon_.Stop(), 0);
  daemon_.Start();
  EXPECT_EQ(Watch(name).exit_code, 16);
}

TEST_F(Restart, ATornJournalIsCutAndADamagedOneIsKept) {
  const std::string first = Detach(kEasy);
  const std::string before = Done(first);
  EXPECT_EQ(daemon_.Stop(), 0);
  std::ofstream(journal(), std::ios::binary | std::ios::app) << std::string("\x10\0\0\0torn", 8);
  daemon_.Start();
  EXPECT_EQ(Done(first), before);
  EXPECT_NE(daemon_.log().find("ends in the middle of a record"), std::string::npos) << daemon_.log();
  const std::string second = Detach(kEasy);
  Done(second);
  EXPECT_EQ(daemon_.Stop(), 0);

  std::string bytes = ReadFile(journal());
  const size_t last = bytes.rfind(second);  // in the last record
  ASSERT_LT(last, bytes.size() - 40);
  bytes[last + 40] ^= 1;
  std::ofstream(journal(), std::ios::binary | std::ios::trunc) << bytes;
  daemon_.Start();
  EXPECT_EQ(Done(first), before);
  EXPECT_NE(daemon_.log().find("the job journal is damaged"), std::string::npos) << daemon_.log();
  EXPECT_EQ(ReadFile(journal() + ".damaged"), bytes);
  EXPECT_EQ(Watch(second).exit_code, 16) << "its end is lost, not its beginning";
}

TEST_F(Restart, AJournalOfAnotherVersionIsNotOverwritten) {
  EXPECT_EQ(daemon_.Stop(), 0);
  std::ofstream(journal(), std::ios::trunc) << "astrolabe records 2\n";
  const CommandResult run = RunCommand(
      {BinDir() + "/astrolabed", "--address", "unix:" + (daemon_.folder() / "other.sock"), "--state-dir", state()});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.err.find("is no job journal of this version; move it away"), std::string::npos) << run.err;
  EXPECT_EQ(ReadFile(journal()), "astrolabe records 2\n");
  fs::remove(journal());
  daemon_.Start();
  EXPECT_EQ(daemon_.Solve(kEasy).exit_code, 0);
}

}  // namespace
}  // namespace astrolabe::testing
