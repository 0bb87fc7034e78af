#include <signal.h>

#include "tests/daemon/workers/pool_fixture.h"

namespace astrolabe::workers {
namespace {

class ProbeTest : public PoolTest {
 protected:
  ProbeOutcome Probe(const std::string& command) {
    if (pool_ == nullptr) MakePool();
    return pool_->Probe(File(command, 1), "{\"manifest\": 1}");
  }
};

TEST_F(ProbeTest, PassesAGoodPluginWithItsWarnings) {
  const ProbeOutcome outcome = Probe("good");
  EXPECT_EQ(outcome.code, "");
  EXPECT_EQ(outcome.hint, "");
  EXPECT_EQ(outcome.warnings, (std::vector<std::string>{"manifest of 15 bytes"}));
}

TEST_F(ProbeTest, PassesOnWhatTheWorkerFound) {
  const ProbeOutcome outcome = Probe("refused");
  EXPECT_EQ(outcome.code, "INIT_FAILED");
  EXPECT_EQ(outcome.message, "no licence");
}

TEST_F(ProbeTest, TellsTheSignalOfACrashAndWhatWasPrinted) {
  for (const char* command : {"crash", "segv-silent"}) {
    const ProbeOutcome outcome = Probe(command);
    EXPECT_EQ(outcome.code, "PROBE_CRASHED") << command;
    EXPECT_NE(outcome.found.find("signal 11 (SIGSEGV)"), std::string::npos) << outcome.found;
    EXPECT_NE(outcome.hint.find(std::string("probing ") + command), std::string::npos) << outcome.hint;
  }
}

TEST_F(ProbeTest, TellsTheExitCode) {
  const ProbeOutcome outcome = Probe("exit");
  EXPECT_EQ(outcome.code, "EXITED");
  EXPECT_EQ(outcome.found, "exit code 7");
  EXPECT_EQ(Probe("exit-after-fork").code, "EXITED");
}

TEST_F(ProbeTest, TellsTheFunctionThatThrew) {
  const ProbeOutcome outcome = Probe("throw");
  EXPECT_EQ(outcome.code, "THREW");
  EXPECT_NE(outcome.message.find("eval"), std::string::npos);
  EXPECT_NE(outcome.message.find("what() text"), std::string::npos);
}

TEST_F(ProbeTest, EndsAPluginThatHangs) {
  options_.probe_timeout = std::chrono::milliseconds(300);
  for (const char* command : {"hang", "close-socket"}) {
    const ProbeOutcome outcome = Probe(command);
    EXPECT_EQ(outcome.code, "PROBE_TIMEOUT") << command;
    EXPECT_EQ(outcome.expected, "loaded and checked within 300 ms");
    EXPECT_EQ(outcome.found, "still in stage load");
  }
}

TEST_F(ProbeTest, CallsTheWorkersOwnAlarmATimeout) { EXPECT_EQ(Probe("alarm").code, "PROBE_TIMEOUT"); }

TEST_F(ProbeTest, CallsBrokenFramesAContractViolation) {
  for (const char* command : {"garbage", "huge-length", "bad-proto", "short-crash"}) {
    EXPECT_EQ(Probe(command).code, "CONTRACT_VIOLATION") << command;
  }
}

TEST_F(ProbeTest, SaysThatNoProcessBecameReady) {
  MakePool();
  SetMode("exit-at-start");
  const ProbeOutcome outcome = Probe("good");
  EXPECT_EQ(outcome.code, "EXITED");
  EXPECT_NE(outcome.hint.find("no such luck"), std::string::npos) << outcome.hint;
}

TEST_F(ProbeTest, GivesUpAtShutdown) {
  MakePool();
  ProbeOutcome outcome;
  std::thread probing([&] { outcome = Probe("hang"); });
  ASSERT_TRUE(Eventually([&] { return CountChildren() >= 2; }));
  pool_->Shutdown();
  probing.join();
  EXPECT_EQ(outcome.code, "PROBE_TIMEOUT");
  EXPECT_EQ(CountChildren(), 0);
}

}  // namespace
}  // namespace astrolabe::workers
