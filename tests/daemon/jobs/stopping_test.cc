// Cancel, limits, crashes, drain: what ends a job from outside, and the Result the daemon writes then.
#include <csignal>
#include <cstring>

#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

class Stopping : public ServiceFixture {
 protected:
  // A job in stage search of its problem, with figures.
  JobService::Solving Searching() {
    auto solving = Solve(SmallSpec());
    worker = pool.WaitWorker(pool.leases() == 0 ? 0 : pool.leases() - 1);
    worker->SayStage("org.astrolabe.sliding_tile", "search");
    worker->SayState(v1::JOB_STATE_SEARCHING);
    worker->SayProgress(1000);
    return solving;
  }
  FakeWorkerPtr worker;
};

TEST_F(Stopping, CancelAsksTheWorkerAndTakesItsResult) {
  auto solving = Searching();
  const Result<v1::Job> job = service().CancelJob(solving.name);
  ASSERT_TRUE(job.ok());
  EXPECT_TRUE(job->cancel_requested());
  EXPECT_NE(job->state(), v1::JOB_STATE_DONE);
  worker->WaitFor([](const FakeWorker& w) { return w.sent_stop(); });
  EXPECT_EQ(worker->sent().back().stop().reason(), internal::v1::STOP_REASON_CANCEL);
  EXPECT_EQ(worker->sent().back().stop().job(), solving.name);
  v1::Result cancelled;
  cancelled.set_outcome(v1::OUTCOME_CANCELLED);
  cancelled.mutable_statistics()->set_expanded(1234);
  worker->SayResult(cancelled);
  time.Advance(seconds(1));
  EXPECT_FALSE(worker->killed());
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_CANCELLED);
  EXPECT_EQ(result.statistics().expanded(), 1234);
}

TEST_F(Stopping, AWorkerThatDoesNotObeyIsKilledAfterTheGraceAndTheDaemonWritesTheResult) {
  auto solving = Searching();
  (void)service().CancelJob(solving.name);
  time.Advance(milliseconds(49));
  EXPECT_FALSE(worker->killed());
  EXPECT_EQ(Get(solving.name).state(), v1::JOB_STATE_SEARCHING);
  time.Advance(milliseconds(1));
  EXPECT_TRUE(worker->killed());
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_CANCELLED);
  EXPECT_EQ(result.statistics().expanded(), 1000);
  EXPECT_EQ(result.statistics().generated(), 2000);
  EXPECT_EQ(result.statistics().peak_memory_bytes(), 4096);
  EXPECT_EQ(result.statistics().search_time().nanos(), 50'000'000) << "since it said that it searches";
  EXPECT_EQ(result.lower_bound(), 17) << "astar with an admissible heuristic: its f-bound is proven";
  EXPECT_EQ(result.proof(), v1::PROOF_NONE);
  EXPECT_NE(result.explanation().find("stage search"), std::string::npos) << result.explanation();
}

TEST_F(Stopping, ALongPathHasMoreTime) {
  auto solving = Searching();
  internal::v1::ToDaemon message;
  message.mutable_improvement()->set_cost(6'000'000);
  message.mutable_improvement()->set_length(6'000'000);
  worker->Say(message);
  (void)service().CancelJob(solving.name);
  time.Advance(milliseconds(6'999));
  EXPECT_FALSE(worker->killed());
  time.Advance(milliseconds(1));
  EXPECT_TRUE(worker->killed());
}

TEST_F(Stopping, AWorkerThatHasASolutionIsGivenTimeToHandItOver) {
  auto solving = Searching();
  internal::v1::ToDaemon message;
  message.mutable_improvement()->set_cost(20);
  worker->Say(message);
  (void)service().CancelJob(solving.name);
  time.Advance(milliseconds(999));
  EXPECT_FALSE(worker->killed());
  time.Advance(milliseconds(1));
  EXPECT_TRUE(worker->killed());
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  ASSERT_EQ(result.notes_size(), 1);
  EXPECT_NE(result.notes(0).find("a solution of cost 20 had been found"), std::string::npos) << result.notes(0);
}

TEST_F(Stopping, ABoundOfAnInadmissibleHeuristicIsNotReported) {
  v1::JobSpec spec = SmallSpec();
  spec.add_heuristics()->set_id("hamming");  // the fake makes no claim
  auto solving = Solve(spec);
  pool.WaitWorker(0)->SayProgress(5);
  (void)service().CancelJob(solving.name);
  time.Advance(milliseconds(50));
  EXPECT_FALSE(ResultOf(TakeAll(solving.watch.get())).has_lower_bound());
}

// "bfs" of the fakes is not optimal: what it tells is a bound all the same.
TEST_F(Stopping, ABoundOfAnAlgorithmThatIsNotOptimalIsKept) {
  v1::JobSpec spec = SmallSpec();
  spec.mutable_algorithm()->set_id("bfs");
  spec.add_heuristics()->set_id("manhattan");
  auto solving = Solve(spec);
  worker = pool.WaitWorker(0);
  worker->SayProgress(5);
  (void)service().CancelJob(solving.name);
  time.Advance(milliseconds(50));
  EXPECT_TRUE(worker->killed());
  EXPECT_EQ(ResultOf(TakeAll(solving.watch.get())).lower_bound(), 17);
}

TEST_F(Stopping, CancelIsIdempotentAndDoneJobsStayAsTheyAre) {
  auto solving = Searching();
  (void)service().CancelJob(solving.name);
  (void)service().CancelJob(solving.name);
  worker->WaitFor([](const FakeWorker& w) { return w.sent_stop(); });
  worker->SaySolved();  // it was faster
  const Result<v1::Job> again = service().CancelJob(solving.name);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->result().outcome(), v1::OUTCOME_SOLVED);
  EXPECT_EQ(ResultOf(TakeAll(solving.watch.get())).outcome(), v1::OUTCOME_SOLVED);
  EXPECT_EQ(service().CancelJob("jobs/none").error().code, ErrorCode::kNotFound);
}

TEST_F(Stopping, AQueuedJobIsCancelledAtOnce) {
  auto running = Searching();
  auto waiting = Solve(SmallSpec());
  const Result<v1::Job> job = service().CancelJob(waiting.name);
  EXPECT_EQ(job->state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(ResultOf(TakeAll(waiting.watch.get())).outcome(), v1::OUTCOME_CANCELLED);
  EXPECT_EQ(service().load().queued, 0);
}

TEST_F(Stopping, AJobCancelledWhileItsWorkerIsTakenNeverReachesIt) {
  pool.HoldAcquire(true);
  auto solving = Solve(SmallSpec());
  (void)service().CancelJob(solving.name);
  // Cancelled before or while Acquire blocks: either way the Result does not wait for it.
  for (int i = 0; i < 1000 && Get(solving.name).state() != v1::JOB_STATE_DONE; ++i) {
    (void)service().CancelJob(solving.name);
    std::this_thread::yield();
  }
  EXPECT_EQ(ResultOf(TakeAll(solving.watch.get())).outcome(), v1::OUTCOME_CANCELLED);
  pool.HoldAcquire(false);
  DestroyService();
  if (pool.leases() > 0) {
    EXPECT_TRUE(pool.WaitLease(0)->sent().empty());
    EXPECT_TRUE(pool.WaitLease(0)->reusable());
  }
}

TEST_F(Stopping, TheDaemonGuardsWallTimeWhenTheWorkerDoesNot) {
  options.default_limits.mutable_wall_time()->set_seconds(2);
  auto solving = Searching();
  time.Advance(milliseconds(2000));
  EXPECT_FALSE(worker->sent_stop()) << "the worker's own deadline comes first";
  time.Advance(milliseconds(25));
  worker->WaitFor([](const FakeWorker& w) { return w.sent_stop(); });
  EXPECT_EQ(worker->sent().back().stop().reason(), internal::v1::STOP_REASON_WALL_TIME);
  time.Advance(milliseconds(50));
  EXPECT_TRUE(worker->killed());
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(result.limit(), v1::LIMIT_KIND_WALL_TIME);
}

TEST_F(Stopping, TheWorkerGetsOnlyWhatIsLeftOfTheWallTime) {
  options.default_limits.mutable_wall_time()->set_seconds(2);
  pool.HoldAcquire(true);
  auto solving = Solve(SmallSpec());
  time.Advance(milliseconds(500));
  pool.HoldAcquire(false);
  const auto limits = pool.WaitWorker(0)->sent()[0].run().spec().limits();
  EXPECT_EQ(limits.wall_time().seconds(), 1);
  EXPECT_EQ(limits.wall_time().nanos(), 500'000'000);
}

TEST_F(Stopping, TheMemoryWatchdogKillsAboveTheLimitAndAQuarter) {
  std::atomic<int64_t> bytes{0};
  private_bytes = [&](int pid) {
    EXPECT_EQ(pid, 1000);
    return std::optional<int64_t>(bytes.load());
  };
  options.default_limits.set_max_memory_bytes(1 << 30);
  auto solving = Searching();
  bytes = (1 << 30) + (1 << 28);
  time.Advance(milliseconds(100));
  EXPECT_FALSE(worker->killed());
  bytes = (1 << 30) + (1 << 28) + (17 << 20);
  time.Advance(milliseconds(100));
  EXPECT_TRUE(worker->killed());
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(result.limit(), v1::LIMIT_KIND_MEMORY);
  EXPECT_EQ(result.statistics().expanded(), 1000);
}

TEST_F(Stopping, ACrashNamesPluginStageAndSignal) {
  auto solving = Searching();
  workers::WorkerExit exit;
  exit.crash.emplace();
  exit.crash->signal = SIGSEGV;
  std::strcpy(exit.crash->code, "CRASHED");
  std::strcpy(exit.crash->plugin, "org.astrolabe.manhattan");
  std::strcpy(exit.crash->stage, "search");
  std::strcpy(exit.crash->function, "eval");
  worker->Die(exit);
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_PLUGIN_FAILED);
  EXPECT_EQ(result.plugin_failure().plugin(), "org.astrolabe.manhattan");
  EXPECT_EQ(result.plugin_failure().stage(), "search");
  EXPECT_EQ(result.plugin_failure().signal(), SIGSEGV);
  EXPECT_EQ(result.plugin_failure().signal_name(), "SIGSEGV");
  EXPECT_EQ(result.plugin_failure().code(), "CRASHED");
  EXPECT_EQ(result.plugin_failure().function(), "eval");
  EXPECT_EQ(result.statistics().expanded(), 1000);
  EXPECT_EQ(result.explanation(),
            "The plugin org.astrolabe.manhattan crashed in eval in stage search (signal 11, SIGSEGV).");
}

TEST_F(Stopping, AWorkerThatExitsIsBlamedOnTheStageItWasIn) {
  auto solving = Searching();
  workers::WorkerExit exit;
  exit.exit_code = 3;
  worker->Die(exit);
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.plugin_failure().code(), "EXITED");
  EXPECT_EQ(result.plugin_failure().plugin(), "") << "the problem calls the heuristic: it may have been either";
  EXPECT_NE(result.plugin_failure().message().find("which plugin of the job it was is not known"), std::string::npos);
  EXPECT_EQ(result.plugin_failure().stage(), "search");
  EXPECT_EQ(result.plugin_failure().signal(), 0);
}

TEST_F(Stopping, AWorkerWhoseSocketAPluginClosedSaysSoByItsExitCode) {
  auto solving = Searching();
  workers::WorkerExit exit;
  exit.exit_code = kLostSocketExit;
  worker->Die(exit);
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.plugin_failure().code(), "CONTRACT_VIOLATION");
  EXPECT_NE(result.plugin_failure().message().find("closed the socket"), std::string::npos);
}

TEST_F(Stopping, TheNextJobRunsAfterACrash) {
  auto first = Searching();
  auto second = Solve(SmallSpec());
  worker->Die({});
  pool.WaitWorker(1)->SaySolved();
  EXPECT_EQ(ResultOf(TakeAll(second.watch.get())).outcome(), v1::OUTCOME_SOLVED);
}

TEST_F(Stopping, AnIdleWorkerThatDiedBeforeItTookTheJobIsReplaced) {
  auto solving = Solve(SmallSpec());
  workers::WorkerExit exit;
  exit.signal = SIGKILL;
  pool.WaitWorker(0)->Die(exit);
  const FakeWorkerPtr second = pool.WaitWorker(1);
  second->SaySolved();
  EXPECT_EQ(ResultOf(TakeAll(solving.watch.get())).outcome(), v1::OUTCOME_SOLVED);
}

TEST_F(Stopping, AJobWhoseWorkersAllDieSilentlyFails) {
  auto solving = Solve(SmallSpec());
  workers::WorkerExit exit;
  exit.exit_code = 1;
  for (size_t i = 0; i < 3; ++i) pool.WaitWorker(i)->Die(exit);
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_PLUGIN_FAILED);
  EXPECT_EQ(result.plugin_failure().code(), "EXITED");
}

// As the pool does with a worker that is stuck in a plugin that it loads beforehand: that is no end of the server.
TEST_F(Stopping, AWorkerThatThePoolGivesUpIsReplacedHoweverManyDiedBefore) {
  auto solving = Solve(SmallSpec());
  workers::WorkerExit exit;
  exit.signal = SIGKILL;
  for (size_t i = 0; i < 2; ++i) pool.WaitWorker(i)->Die(exit);
  exit.killed_by_us = true;
  pool.WaitWorker(2)->Die(exit);
  for (int i = 0; i < 9000 && !pool.HasLease(3, milliseconds(1)); ++i) time.Advance(milliseconds(1));
  pool.WaitWorker(3)->SaySolved();
  EXPECT_EQ(ResultOf(TakeAll(solving.watch.get())).outcome(), v1::OUTCOME_SOLVED);
}

TEST_F(Stopping, AWorkerThatCannotBeStartedIsTriedAgainForTenSeconds) {
  pool.FailAcquire(MakeError(ErrorCode::kResourceExhausted, "POOL_FULL", "all workers are busy"), 3);
  auto solving = Solve(SmallSpec());
  // Fake time goes on more slowly than threads are scheduled, however busy the machine is.
  for (int i = 0; i < 9000 && !pool.HasLease(0, milliseconds(1)); ++i) time.Advance(milliseconds(1));
  pool.WaitWorker(0)->SaySolved();
  EXPECT_EQ(ResultOf(TakeAll(solving.watch.get())).outcome(), v1::OUTCOME_SOLVED);
  pool.FailAcquire(MakeError(ErrorCode::kResourceExhausted, "POOL_FULL", "all workers are busy"), 1 << 30);
  auto hopeless = Solve(SmallSpec());
  for (int i = 0; i < 100000 && Get(hopeless.name).state() != v1::JOB_STATE_DONE; ++i) {
    time.Advance(milliseconds(10));
    std::this_thread::yield();
  }
  const v1::Result result = ResultOf(TakeAll(hopeless.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_INTERRUPTED);
  EXPECT_NE(result.explanation().find("all workers are busy"), std::string::npos);
}

TEST_F(Stopping, FramesThatAreRefusedCountAsNotDelivered) {
  pool.refuse_frames = true;
  auto solving = Solve(SmallSpec());
  for (size_t i = 0; i < 3; ++i) pool.WaitLease(i)->WaitFor([](const FakeWorker& w) { return w.killed(); });
  for (int i = 0; i < 100000 && Get(solving.name).state() != v1::JOB_STATE_DONE; ++i) {
    time.Advance(milliseconds(10));
    std::this_thread::yield();
  }
  EXPECT_EQ(TakeAll(solving.watch.get()).back().event_case(), v1::Event::kResult);
}

TEST_F(Stopping, DrainRefusesNewJobsAndInterruptsWhatIsLeftAfterTheTimeout) {
  auto running = Searching();
  auto waiting = Solve(SmallSpec());
  std::thread drain([&] { service().Drain(seconds(5)); });
  while (!service().draining()) std::this_thread::yield();
  const Result<std::string> refused = service().CreateJob(SmallSpec(), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(refused.error().reason, "DRAINING");
  EXPECT_TRUE(refused.error().retry_after.has_value());
  EXPECT_EQ(Get(running.name).state(), v1::JOB_STATE_SEARCHING);
  // The drain's timer may not be set yet: time goes on until it fires.
  while (!worker->sent_stop() && !worker->killed()) {
    time.Advance(milliseconds(100));
    std::this_thread::yield();
  }
  time.Advance(milliseconds(50));
  drain.join();
  EXPECT_EQ(ResultOf(TakeAll(running.watch.get())).outcome(), v1::OUTCOME_INTERRUPTED);
  EXPECT_EQ(ResultOf(TakeAll(waiting.watch.get())).outcome(), v1::OUTCOME_INTERRUPTED);
}

TEST_F(Stopping, DrainReturnsAsSoonAsEverythingIsDone) {
  auto running = Searching();
  std::thread drain([&] { service().Drain(seconds(3600)); });
  while (!service().draining()) std::this_thread::yield();
  worker->SaySolved();
  drain.join();
  EXPECT_EQ(ResultOf(TakeAll(running.watch.get())).outcome(), v1::OUTCOME_SOLVED);
}

TEST_F(Stopping, AWorkerThatIgnoresItsCreditIsStopped) {
  options.node_log_bytes = 64 << 10;
  v1::WatchOptions block;
  auto solving = Solve(RecordingSpec(), block);
  worker = pool.WaitWorker(0);
  for (int i = 0; i < 40 && !worker->killed(); ++i) worker->Nodes(i, 1, std::string(16 << 10, 'x'));
  EXPECT_TRUE(worker->killed());
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_PLUGIN_FAILED);
  EXPECT_EQ(result.plugin_failure().code(), "CONTRACT_VIOLATION");
}

}  // namespace
}  // namespace astrolabe::jobs
