// From Solve to Result: order of events, what is filled in, one Result for every ending.
#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

class Lifecycle : public ServiceFixture {};

TEST_F(Lifecycle, AcceptedComesFirstStatesFollowAndTheResultIsLast) {
  auto solving = Solve(SmallSpec());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayState(v1::JOB_STATE_SEARCHING);
  worker->SayState(v1::JOB_STATE_FINISHING);
  worker->SaySolved();

  const std::vector<v1::Event> events = TakeAll(solving.watch.get());
  ASSERT_EQ(events.size(), 5u);
  EXPECT_TRUE(events[0].has_accepted());
  EXPECT_EQ(events[1].state().state(), v1::JOB_STATE_PREPARING);
  EXPECT_EQ(events[2].state().state(), v1::JOB_STATE_SEARCHING);
  EXPECT_EQ(events[3].state().state(), v1::JOB_STATE_FINISHING);
  EXPECT_EQ(ResultOf(events).outcome(), v1::OUTCOME_SOLVED);
  ExpectDense(events);
  for (const v1::Event& event : events) EXPECT_EQ(event.job(), solving.name);
  EXPECT_TRUE(TakeAll(solving.watch.get()).empty());
}

TEST_F(Lifecycle, AcceptedTellsTheDefaultsThatWereFilledIn) {
  options.default_limits.mutable_wall_time()->set_seconds(60);
  auto solving = Solve(SmallSpec());
  const v1::JobAccepted accepted = TakeOne(solving.watch.get())->accepted();
  EXPECT_EQ(accepted.queue_position(), 0);
  EXPECT_EQ(accepted.algorithm().id(), "astar");
  EXPECT_EQ(accepted.algorithm().params().at("ties").string_value(), "high_g");
  ASSERT_EQ(accepted.heuristics_size(), 1);
  EXPECT_EQ(accepted.heuristics(0).id(), "manhattan");
  EXPECT_EQ(accepted.limits().wall_time().seconds(), 60);
}

TEST_F(Lifecycle, TheWorkerGetsTheCheckedSpecItsPluginsAndCredit) {
  options.default_limits.mutable_wall_time()->set_seconds(60);
  auto solving = Solve(SmallSpec());
  const internal::v1::RunJob run = pool.WaitWorker(0)->sent()[0].run();
  EXPECT_EQ(run.job(), solving.name);
  EXPECT_EQ(run.spec().text(), "1 2 3/4 5 6/7 0 8");
  EXPECT_EQ(run.spec().params().at("goal").string_value(), "blank-last");
  EXPECT_EQ(run.spec().threads(), 1);
  EXPECT_EQ(run.spec().limits().wall_time().seconds(), 60);
  ASSERT_EQ(run.plugins_size(), 2);
  EXPECT_EQ(run.plugins(0).id(), "org.astrolabe.sliding_tile");
  EXPECT_EQ(run.plugins(1).id(), "org.astrolabe.manhattan");
  EXPECT_EQ(run.plugins(0).generation(), 1);
  EXPECT_GT(run.initial_credit_bytes(), 0);
  EXPECT_GT(run.progress_interval_ms(), 0);
}

TEST_F(Lifecycle, TheResultCarriesWhatOnlyTheDaemonKnows) {
  v1::JobSpec spec = SmallSpec();
  spec.set_seed(42);
  auto first = Solve(spec);
  auto second = Solve(spec);  // waits for the only slot
  time.Advance(milliseconds(1500));
  pool.WaitWorker(0)->SaySolved();
  pool.WaitWorker(1)->SaySolved();
  const v1::Result result = ResultOf(TakeAll(second.watch.get()));
  EXPECT_EQ(result.provenance().server_version(), "0.1.0-test");
  EXPECT_EQ(result.provenance().seed(), 42u);
  EXPECT_EQ(result.provenance().threads(), 1);
  EXPECT_EQ(result.provenance().algorithm(), "astar");
  ASSERT_EQ(result.provenance().heuristics_size(), 1);
  ASSERT_EQ(result.provenance().plugins_size(), 2);
  EXPECT_EQ(result.provenance().plugins(0).id(), "org.astrolabe.sliding_tile");
  EXPECT_EQ(result.provenance().plugins(0).version(), "1.0.1");
  EXPECT_EQ(result.provenance().plugins(0).sha256(), std::string(64, '1'));
  EXPECT_EQ(result.provenance().plugins(0).generation(), 1);
  EXPECT_EQ(result.statistics().queue_time().seconds(), 1);
  EXPECT_EQ(result.statistics().queue_time().nanos(), 500'000'000);
}

TEST_F(Lifecycle, TheWorkerIsGivenBackReusableUnlessItAsksToBeRecycled) {
  auto first = Solve(SmallSpec());
  const FakeWorkerPtr tidy = pool.WaitWorker(0);
  tidy->SaySolved();
  EXPECT_TRUE(tidy->released());
  EXPECT_TRUE(tidy->reusable());
  auto second = Solve(SmallSpec());
  const FakeWorkerPtr heavy = pool.WaitWorker(1);
  heavy->SayResult(Solved(0, {}), "used much memory");
  EXPECT_TRUE(heavy->released());
  EXPECT_FALSE(heavy->reusable());
}

TEST_F(Lifecycle, StatesThatGoBackwardsAreNotBelieved) {
  auto solving = Solve(SmallSpec());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayState(v1::JOB_STATE_FINISHING);
  worker->SayState(v1::JOB_STATE_SEARCHING);
  worker->SayState(v1::JOB_STATE_QUEUED);
  worker->SayState(v1::JOB_STATE_DONE);
  worker->SayState(v1::JOB_STATE_FINISHING);
  EXPECT_EQ(Get(solving.name).state(), v1::JOB_STATE_FINISHING);
  worker->SaySolved();
  EXPECT_EQ(TakeAll(solving.watch.get()).size(), 4u);  // accepted, PREPARING, FINISHING, result
}

TEST_F(Lifecycle, AfterTheResultTheWorkerIsNotListenedTo) {
  auto solving = Solve(SmallSpec());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SaySolved();
  worker->SayState(v1::JOB_STATE_SEARCHING);
  worker->SaySolved();
  worker->Die({});
  EXPECT_EQ(ResultOf(TakeAll(solving.watch.get())).outcome(), v1::OUTCOME_SOLVED);
}

TEST_F(Lifecycle, AResultThatMakesNoSenseIsABrokenContract) {
  auto solving = Solve(SmallSpec());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayResult(v1::Result());
  const v1::Result result = ResultOf(TakeAll(solving.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_PLUGIN_FAILED);
  EXPECT_EQ(result.plugin_failure().code(), "CONTRACT_VIOLATION");
  EXPECT_TRUE(worker->killed());
}

TEST_F(Lifecycle, IterationsImprovementsLogsAndPreparationReachTheLog) {
  auto solving = Solve(SmallSpec());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  internal::v1::ToDaemon message;
  message.mutable_preparing()->set_heuristic("manhattan");
  message.mutable_preparing()->set_fraction(0.5);
  worker->Say(message);
  message.mutable_iteration()->set_bound(12);
  worker->Say(message);
  message.mutable_improvement()->set_cost(20);
  worker->Say(message);
  message.mutable_log()->set_text("hello");
  worker->Say(message);
  message.mutable_loaded()->set_id("org.x");
  message.mutable_loaded()->add_warnings("static TLS");
  worker->Say(message);
  const std::vector<v1::Event> events = TakeAll(solving.watch.get());
  ASSERT_EQ(events.size(), 7u);
  EXPECT_EQ(events[2].preparing().fraction(), 0.5);
  EXPECT_EQ(events[3].iteration().bound(), 12);
  EXPECT_EQ(events[4].improvement().cost(), 20);
  EXPECT_EQ(events[5].log().text(), "hello");
  EXPECT_EQ(events[6].log().source(), "org.x");
  EXPECT_EQ(events[6].log().text(), "static TLS");
  ExpectDense(events);
}

TEST_F(Lifecycle, ProgressIsConflatedPerWatcherAndConsumesNoSequence) {
  v1::WatchOptions fast;
  fast.mutable_progress_interval()->set_nanos(50'000'000);
  auto solving = Solve(SmallSpec(), fast);
  const auto slow = Attach(solving.name);
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayState(v1::JOB_STATE_SEARCHING);
  TakeAll(solving.watch.get());
  TakeAll(slow.get());
  std::vector<int64_t> seen_fast;
  std::vector<int64_t> seen_slow;
  for (int i = 1; i <= 20; ++i) {
    worker->SayProgress(i);
    for (const auto& event : TakeAll(solving.watch.get())) {
      EXPECT_EQ(event.sequence(), 0);
      EXPECT_EQ(event.progress().state(), v1::JOB_STATE_SEARCHING);
      seen_fast.push_back(event.progress().expanded());
    }
    for (const auto& event : TakeAll(slow.get())) seen_slow.push_back(event.progress().expanded());
    time.Advance(milliseconds(100));
  }
  EXPECT_EQ(seen_fast.size(), 20u);
  EXPECT_EQ(seen_slow, (std::vector<int64_t>{1, 11}));
  EXPECT_EQ(Get(solving.name).progress().expanded(), 20);
}

TEST_F(Lifecycle, CountersOfProgressNeverGoDown) {
  auto solving = Solve(SmallSpec());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayProgress(100);
  worker->SayProgress(40);
  EXPECT_EQ(Get(solving.name).progress().expanded(), 100);
}

TEST_F(Lifecycle, AWatcherIsNotifiedAfterItFoundNothing) {
  auto solving = Solve(SmallSpec());
  std::atomic<int> calls{0};
  solving.watch->SetNotify([&] { ++calls; });
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  TakeAll(solving.watch.get());
  const int before = calls;
  worker->SayState(v1::JOB_STATE_SEARCHING);
  EXPECT_EQ(calls, before + 1);
  worker->SayState(v1::JOB_STATE_FINISHING);
  EXPECT_EQ(calls, before + 1) << "it has not asked again yet";
  solving.watch->Close();
  worker->SaySolved();
  EXPECT_EQ(calls, before + 1);
}

TEST_F(Lifecycle, AWatcherThatComesAfterTheEndReplaysAndEndsWithTheResult) {
  auto solving = Solve(SmallSpec());
  pool.WaitWorker(0)->SaySolved();
  const auto late = Attach(solving.name);
  const std::vector<v1::Event> events = TakeAll(late.get());
  ASSERT_EQ(events.size(), 3u);
  EXPECT_TRUE(events[0].has_accepted());
  EXPECT_EQ(ResultOf(events).cost(), 4);
  // Resuming behind the end still ends with the Result.
  const auto resumed = Attach(solving.name, 4);
  EXPECT_EQ(ResultOf(TakeAll(resumed.get())).cost(), 4);
}

TEST_F(Lifecycle, PluginsUnloadedWhileTheJobWaitedMakeItRejected) {
  auto running = Solve(SmallSpec());
  auto waiting = Solve(SmallSpec());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  registry::Catalog empty = *registry.catalog();
  empty.heuristics.clear();
  registry.SetCatalog(std::move(empty));
  worker->SaySolved();
  service().Drain(seconds(0));
  const v1::Result result = ResultOf(TakeAll(waiting.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_REJECTED);
  ASSERT_EQ(result.violations_size(), 1);
  EXPECT_EQ(result.violations(0).field(), "heuristics[0]");
}

TEST_F(Lifecycle, DestroyingTheServiceInterruptsAndEndsEveryWatch) {
  auto running = Solve(SmallSpec());
  auto waiting = Solve(SmallSpec());
  pool.WaitWorker(0);
  DestroyService();
  EXPECT_EQ(ResultOf(TakeAll(running.watch.get())).outcome(), v1::OUTCOME_INTERRUPTED);
  EXPECT_EQ(ResultOf(TakeAll(waiting.watch.get())).outcome(), v1::OUTCOME_INTERRUPTED);
}

}  // namespace
}  // namespace astrolabe::jobs
