// Cancel, interrupt, wall time: at every step of a job.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

internal::v1::RunJob SlowSearch() {
  internal::v1::RunJob job = FixtureJob("counter", "0 1000000");
  SetParam(job, "eval_us", 200);
  return job;
}

internal::v1::RunJob SlowBuild() {
  internal::v1::RunJob job = FixtureJob("counter");
  SetParam(job, "build_ms", 60000);
  return job;
}

bool IsSearching(const internal::v1::ToDaemon& message) {
  return message.has_state() && message.state().state() == v1::JOB_STATE_SEARCHING;
}
bool IsPreparing(const internal::v1::ToDaemon& message) { return message.has_preparing(); }

TEST(Stop, CancelsASearch) {
  WorkerProcess worker;
  worker.SendJob(SlowSearch());
  ASSERT_TRUE(worker.WaitFor(&IsSearching));
  worker.SendStop("jobs/1", internal::v1::STOP_REASON_CANCEL);
  const auto sent = std::chrono::steady_clock::now();
  const v1::Result result = worker.Collect().result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_CANCELLED);
  EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(20));  // it would take minutes
  // The worker is as good as new.
  EXPECT_EQ(worker.Run(FixtureJob("counter", "0 6")).result().cost(), 2);
}

TEST(Stop, InterruptsASearch) {
  WorkerProcess worker;
  worker.SendJob(SlowSearch());
  ASSERT_TRUE(worker.WaitFor(&IsSearching));
  worker.SendStop("jobs/1", internal::v1::STOP_REASON_INTERRUPT);
  EXPECT_EQ(worker.Collect().result().outcome(), v1::OUTCOME_INTERRUPTED);
}

TEST(Stop, CancelsABuildThatPolls) {
  WorkerProcess worker;
  worker.SendJob(SlowBuild());
  ASSERT_TRUE(worker.WaitFor(&IsPreparing));
  worker.SendStop("jobs/1", internal::v1::STOP_REASON_CANCEL);
  EXPECT_EQ(worker.Collect().result().outcome(), v1::OUTCOME_CANCELLED);
}

TEST(Stop, AJobThatStillWaitsIsCancelledToo) {
  WorkerProcess worker;
  worker.SendJob(SlowBuild());
  internal::v1::RunJob second = FixtureJob("counter", "0 6");
  second.set_job("jobs/2");
  worker.SendJob(second);
  worker.SendStop("jobs/2", internal::v1::STOP_REASON_CANCEL);
  worker.SendStop("jobs/1", internal::v1::STOP_REASON_CANCEL);
  EXPECT_EQ(worker.Collect().result().outcome(), v1::OUTCOME_CANCELLED);
  EXPECT_EQ(worker.Collect().result().outcome(), v1::OUTCOME_CANCELLED);
}

TEST(Stop, OfAJobThatIsNotHereIsIgnored) {
  WorkerProcess worker;
  worker.SendStop("jobs/77", internal::v1::STOP_REASON_CANCEL);
  EXPECT_EQ(worker.Run(FixtureJob("counter", "0 6")).result().outcome(), v1::OUTCOME_SOLVED);
}

TEST(Stop, WallTimeCoversTheBuild) {
  WorkerProcess worker;
  internal::v1::RunJob job = SlowBuild();
  job.mutable_spec()->mutable_limits()->mutable_wall_time()->set_nanos(50'000'000);
  const v1::Result result = worker.Run(job).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(result.limit(), v1::LIMIT_KIND_WALL_TIME);
}

TEST(Stop, WallTimeEndsTheSearch) {
  WorkerProcess worker;
  internal::v1::RunJob job = SlowSearch();
  job.mutable_spec()->mutable_limits()->mutable_wall_time()->set_nanos(100'000'000);
  const v1::Result result = worker.Run(job).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(result.limit(), v1::LIMIT_KIND_WALL_TIME);
  EXPECT_GT(result.statistics().expanded(), 0);
}

TEST(Stop, ExpansionsAreLimitedExactly) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter", "0 1000");
  job.mutable_spec()->mutable_limits()->set_max_expansions(17);
  for (const char* algorithm : {"astar", "idastar"}) {
    job.mutable_spec()->mutable_algorithm()->set_id(algorithm);
    const v1::Result result = worker.Run(job).result();
    EXPECT_EQ(result.limit(), v1::LIMIT_KIND_EXPANSIONS) << algorithm;
    EXPECT_EQ(result.statistics().expanded(), 17) << algorithm;
  }
}

TEST(Stop, OfAHeuristicThatDoesNotReturnIsBlamedOnItAndNotOnTheProblem) {
  ASTROLABE_NEEDS_PROMPT_SIGNALS();
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter");
  *job.add_plugins() = FixtureFile("loop_in_eval");
  job.mutable_spec()->mutable_heuristics(0)->set_id("loop_in_eval_h");
  worker.SendJob(job);
  ASSERT_TRUE(worker.WaitFor(&IsSearching));
  // Again and again, should the first have come before the heuristic was reached.
  Seen seen;
  for (int i = 0; i < 100 && !seen.message; ++i) {
    worker.SendStop("jobs/1", internal::v1::STOP_REASON_CANCEL);
    seen = worker.Next(std::chrono::milliseconds(200));
  }
  ASSERT_TRUE(seen.message && seen.message->has_stage());
  EXPECT_EQ(seen.message->stage().plugin(), FixtureId("loop_in_eval"));
  EXPECT_EQ(seen.message->stage().stage(), "search");
}

TEST(Preparing, ProgressNamesTheHeuristicAndIsConflated) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter");
  SetParam(job, "build_ms", 300);
  job.set_progress_interval_ms(50);
  const Frames frames = worker.Run(job);
  EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_SOLVED);
  int count = 0;
  for (const auto& message : frames.messages) {
    if (!message.has_preparing()) continue;
    ++count;
    EXPECT_EQ(message.preparing().heuristic(), "counter_h");
    EXPECT_EQ(message.preparing().what(), "tables");
  }
  EXPECT_GE(count, 2);
  EXPECT_LE(count, 100);  // of 300 calls
}

}  // namespace
}  // namespace astrolabe::testing
