#include <signal.h>
#include <sys/stat.h>

#include <cstring>

#include "tests/daemon/workers/pool_fixture.h"

namespace astrolabe::workers {
namespace {

class PoolFaults : public PoolTest {
 protected:
  // What OnGone says after `command`. The pool must serve the next job whatever happened.
  WorkerExit ExitAfter(const std::string& command) {
    if (pool_ == nullptr) MakePool();
    WorkerExit exit;
    {
      Listener listener;
      std::unique_ptr<Lease> lease = Acquire(&listener);
      EXPECT_TRUE(lease->Send(RunJob(command)).ok());
      exit = listener.WaitGone().value_or(WorkerExit{});
      EXPECT_TRUE(listener.exit.has_value()) << "no OnGone";
      EXPECT_FALSE(lease->Send(RunJob("more")).ok());
      lease->Release(true);
    }
    Listener next;
    std::unique_ptr<Lease> lease = Acquire(&next);
    if (lease == nullptr) return exit;
    EXPECT_TRUE(lease->Send(RunJob("next")).ok());
    EXPECT_EQ(next.WaitResult(), "next");
    lease->Release(true);
    return exit;
  }
};

TEST_F(PoolFaults, ReportsACrashFrameWithItsRecordAndStage) {
  const WorkerExit exit = ExitAfter("crash");
  ASSERT_TRUE(exit.crash.has_value());
  EXPECT_EQ(exit.crash->signal, SIGSEGV);
  EXPECT_STREQ(exit.crash->code, "CRASHED");
  EXPECT_STREQ(exit.crash->plugin, "org.test.p");
  EXPECT_STREQ(exit.crash->message, "what() text ?");
  EXPECT_EQ(exit.plugin, "org.test.p");
  EXPECT_EQ(exit.stage, "search");
  EXPECT_FALSE(exit.killed_by_us);
}

TEST_F(PoolFaults, ReportsACrashFrameAtOnceAlthoughTheProcessLingers) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  const int pid = lease->pid();
  ASSERT_TRUE(lease->Send(RunJob("crash-and-linger")).ok());
  ASSERT_TRUE(listener.WaitGone().has_value());
  EXPECT_TRUE(listener.exit->crash.has_value());
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; })) << "it must be killed in the end";
}

TEST_F(PoolFaults, ReportsASignalWithoutCrashFrame) {
  const WorkerExit exit = ExitAfter("segv-silent");
  EXPECT_FALSE(exit.crash.has_value());
  EXPECT_EQ(exit.signal, SIGSEGV);
  EXPECT_EQ(exit.stage, "eval");
  EXPECT_EQ(exit.protocol_error, "");
}

TEST_F(PoolFaults, ReportsAnExitCode) {
  const WorkerExit exit = ExitAfter("exit");
  EXPECT_EQ(exit.exit_code, 7);
  EXPECT_EQ(exit.signal, 0);
  EXPECT_EQ(exit.protocol_error, "");
}

TEST_F(PoolFaults, NoticesTheEndAlthoughAChildHoldsTheSocketAndEndsTheChild) {
  const WorkerExit exit = ExitAfter("exit-after-fork");
  EXPECT_EQ(exit.exit_code, 7);
  EXPECT_EQ(exit.protocol_error, "");
}

TEST_F(PoolFaults, CallsHalfAFrameFollowedByDeathADeath) {
  const WorkerExit exit = ExitAfter("half-frame-then-segv");
  EXPECT_EQ(exit.signal, SIGSEGV);
  EXPECT_EQ(exit.protocol_error, "");
}

TEST_F(PoolFaults, EndsAWorkerThatClosesItsSocket) {
  const WorkerExit exit = ExitAfter("close-socket");
  EXPECT_EQ(exit.protocol_error, "closed its frame socket but went on running");
}

TEST_F(PoolFaults, EndsAWorkerThatSendsNoFrames) {
  EXPECT_NE(ExitAfter("garbage").protocol_error, "");
  EXPECT_EQ(ExitAfter("huge-length").protocol_error, "frame length 2147483647 is out of range");
  EXPECT_EQ(ExitAfter("bad-proto").protocol_error, "sent a message that cannot be parsed");
  EXPECT_EQ(ExitAfter("short-crash").protocol_error, "sent a crash record of the wrong size");
  EXPECT_EQ(ExitAfter("bad-nodes").protocol_error, "sent a node batch with impossible ordinals");
  EXPECT_EQ(ExitAfter("short-nodes").protocol_error, "sent a node batch without header");
  EXPECT_EQ(ExitAfter("two-results").protocol_error, "ended a job that it was not given");
  EXPECT_EQ(ExitAfter("hello-again").protocol_error, "said hello twice");
}

TEST_F(PoolFaults, RandomBytesFromAWorkerHarmNobodyElse) {
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    ExitAfter("random-" + std::to_string(seed));
  }
}

TEST_F(PoolFaults, KillEndsAWorkerThatIgnoresEverything) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  const int pid = lease->pid();
  ASSERT_TRUE(lease->Send(RunJob("ignore-eof")).ok());
  lease->Kill("it does not stop");
  const std::optional<WorkerExit> exit = listener.WaitGone();
  ASSERT_TRUE(exit.has_value());
  EXPECT_TRUE(exit->killed_by_us);
  EXPECT_EQ(exit->signal, SIGKILL);
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; }));
}

TEST_F(PoolFaults, KillWorksAgainstAWorkerThatReadsNothing) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("hang")).ok());
  internal::v1::ToWorker big = RunJob("big");
  big.mutable_run()->mutable_spec()->set_text(std::string(30 << 20, 'x'));
  EXPECT_TRUE(lease->Send(big).ok()) << "Send must not wait for a worker that does not read";
  lease->Kill("stuck");
  EXPECT_TRUE(listener.WaitGone().has_value());
}

TEST_F(PoolFaults, ReplacesAWorkerThatDiesWhileIdle) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  const int pid = lease->pid();
  ASSERT_TRUE(lease->Send(RunJob("die-idle")).ok());
  EXPECT_EQ(listener.WaitResult(), "die-idle");
  lease->Release(true);
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; }));
  Listener next;
  lease = Acquire(&next);
  ASSERT_NE(lease, nullptr);
  ASSERT_TRUE(lease->Send(RunJob("next")).ok());
  EXPECT_EQ(next.WaitResult(), "next");
}

TEST_F(PoolFaults, NoticesAStrangersKill) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("until-stop")).ok());
  ::kill(lease->pid(), SIGKILL);
  const std::optional<WorkerExit> exit = listener.WaitGone();
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->signal, SIGKILL);
  EXPECT_FALSE(exit->killed_by_us);
}

class PoolStart : public PoolTest {
 protected:
  Error Refusal() {
    Result<std::unique_ptr<WorkerPool>> pool = WorkerPool::Create(options_);
    EXPECT_FALSE(pool.ok());
    return pool.ok() ? Error{} : pool.error();
  }
};

TEST_F(PoolStart, SaysThatTheProgramIsMissing) {
  options_.worker_path = dir_ + "/no-such-worker";
  EXPECT_EQ(Refusal().message, "the worker program " + options_.worker_path +
                                   " cannot be used: No such file or directory; it belongs beside the daemon: install "
                                   "Astrolabe again");
}

TEST_F(PoolStart, SaysThatTheProgramIsNoProgram) {
  options_.worker_path = dir_ + "/text";
  std::ofstream(options_.worker_path) << "hello\n";
  EXPECT_NE(Refusal().message.find("it is not executable"), std::string::npos);
  ::chmod(options_.worker_path.c_str(), 0755);
  EXPECT_NE(Refusal().message.find("Exec format error"), std::string::npos);
  options_.worker_path = dir_;
  EXPECT_NE(Refusal().message.find("it is not a regular file"), std::string::npos);
}

TEST_F(PoolStart, TellsBothNumbersOfAnotherBuild) {
  SetMode("hello-abi-2");
  const Error error = Refusal();
  EXPECT_NE(error.message.find("plugin ABI 2.0, expected 1.0"), std::string::npos) << error.message;
}

TEST_F(PoolStart, TellsHowTheFirstWorkerEndedAndWhatItPrinted) {
  SetMode("exit-at-start");
  const Error error = Refusal();
  EXPECT_NE(error.message.find("exited with code 3"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("cannot start: no such luck"), std::string::npos) << error.message;
}

TEST_F(PoolStart, RefusesAWorkerThatLiesAboutItself) {
  SetMode("hello-wrong-pid");
  EXPECT_NE(Refusal().message.find("said hello with another pid"), std::string::npos);
  SetMode("garbage-at-start");
  EXPECT_NE(Refusal().message.find("broke the frame protocol"), std::string::npos);
}

TEST_F(PoolStart, GivesUpOnAWorkerThatSaysNothing) {
  SetMode("silent");
  options_.spawn_timeout = std::chrono::milliseconds(200);
  EXPECT_NE(Refusal().message.find("did not say hello in time"), std::string::npos);
}

TEST_F(PoolStart, SpawnsFromTheProgramItOpenedAlthoughTheFileIsReplaced) {
  const std::string copy = dir_ + "/worker";
  std::filesystem::copy_file(FAKE_WORKER, copy);
  options_.worker_path = copy;
  options_.warm_workers = 0;
  MakePool();
  std::filesystem::remove(copy);
  std::ofstream(copy) << "another build\n";
  Listener listeners[2];
  std::unique_ptr<Lease> first = Acquire(&listeners[0]);
  std::unique_ptr<Lease> second = Acquire(&listeners[1]);
  ASSERT_NE(second, nullptr);
  ASSERT_TRUE(second->Send(RunJob("old")).ok());
  EXPECT_EQ(listeners[1].WaitResult(), "old");
}

TEST_F(PoolStart, AcquireFailsClearlyWhenWorkersNoLongerStart) {
  options_.warm_workers = 0;
  MakePool();
  Listener listeners[2];
  std::unique_ptr<Lease> first = Acquire(&listeners[0]);
  SetMode("exit-at-start");
  Result<std::unique_ptr<Lease>> second = pool_->Acquire({}, &listeners[1]);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(second.error().message.find("exited with code 3"), std::string::npos) << second.error().message;
}

}  // namespace
}  // namespace astrolabe::workers
