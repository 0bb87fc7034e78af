// Admission: slots, order, bounds, positions, queue timeout, idempotency, updates.
#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

class Queueing : public ServiceFixture {
 protected:
  static v1::JobSpec Spec(int priority, int threads = 1) {
    v1::JobSpec spec = SmallSpec();
    spec.set_priority(priority);
    spec.set_threads(threads);
    return spec;
  }
  // The job whose RunJob the n-th worker got.
  std::string RunBy(size_t n) { return pool.WaitWorker(n)->sent()[0].run().job(); }
};

TEST_F(Queueing, SlotsCountThreadsAndNobodyOvertakesTheFirstInLine) {
  options.slots = 3;
  const std::string two = Create(Spec(0, 2));
  const std::string wide = Create(Spec(0, 3));
  const std::string narrow = Create(Spec(0, 1));
  EXPECT_EQ(RunBy(0), two);
  EXPECT_EQ(service().load().running, 1);
  EXPECT_EQ(service().load().queued, 2);
  EXPECT_EQ(Get(wide).queue_position(), 1);
  EXPECT_EQ(Get(narrow).queue_position(), 2);
  pool.WaitWorker(0)->SaySolved();
  EXPECT_EQ(RunBy(1), wide);
  EXPECT_EQ(pool.leases(), 2u);
  pool.WaitWorker(1)->SaySolved();
  EXPECT_EQ(RunBy(2), narrow);
}

TEST_F(Queueing, HigherPriorityRunsFirstAndEqualOnesInOrder) {
  Create(Spec(0));
  const std::string low = Create(Spec(-5));
  const std::string first = Create(Spec(7));
  const std::string second = Create(Spec(7));
  pool.WaitWorker(0)->SaySolved();
  EXPECT_EQ(RunBy(1), first);
  pool.WaitWorker(1)->SaySolved();
  EXPECT_EQ(RunBy(2), second);
  pool.WaitWorker(2)->SaySolved();
  EXPECT_EQ(RunBy(3), low);
}

TEST_F(Queueing, AFullQueueRefusesAtOnceAndSaysWhenToTryAgain) {
  options.queue_limit = 2;
  for (int i = 0; i < 3; ++i) Create(SmallSpec());
  const Result<std::string> refused = service().CreateJob(SmallSpec(), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(refused.error().reason, "QUEUE_FULL");
  ASSERT_TRUE(refused.error().retry_after.has_value());
  EXPECT_GE(refused.error().retry_after->count(), 100);
  pool.WaitWorker(0)->SaySolved();
  EXPECT_TRUE(service().CreateJob(SmallSpec(), {}).ok());
}

TEST_F(Queueing, AnOwnerHasNoMoreJobsThanTheQuota) {
  options.owner_jobs = 2;
  CreateOptions mine;
  mine.owner = "me";
  CreateOptions theirs;
  theirs.owner = "them";
  Create(SmallSpec(), mine);
  Create(SmallSpec(), mine);
  const Result<std::string> refused = service().CreateJob(SmallSpec(), mine);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(refused.error().reason, "QUOTA");
  EXPECT_TRUE(refused.error().retry_after.has_value());
  EXPECT_TRUE(service().CreateJob(SmallSpec(), theirs).ok()) << "others are not disturbed";
  pool.WaitWorker(0)->SaySolved();
  const Result<std::string> waiting = service().CreateJob(SmallSpec(), mine);
  ASSERT_TRUE(waiting.ok()) << "what has ended does not count";
  EXPECT_FALSE(service().CreateJob(SmallSpec(), mine).ok());
  ASSERT_TRUE(service().CancelJob(*waiting).ok());
  EXPECT_TRUE(service().CreateJob(SmallSpec(), mine).ok()) << "nor what is cancelled";
}

TEST_F(Queueing, TheQueueIsBoundedByBytesToo) {
  options.queue_bytes = 3000;
  Create(SmallSpec());
  Create(SmallSpec(std::string(2000, '1')));
  EXPECT_EQ(service().CreateJob(SmallSpec(std::string(2000, '1')), {}).error().reason, "QUEUE_FULL");
  EXPECT_TRUE(service().CreateJob(SmallSpec(), {}).ok());
}

TEST_F(Queueing, AJobThatStartsAtOnceNeedsNoRoomInTheQueue) {
  options.queue_limit = 0;
  EXPECT_TRUE(service().CreateJob(SmallSpec(), {}).ok());
  EXPECT_FALSE(service().CreateJob(SmallSpec(), {}).ok());
}

TEST_F(Queueing, PositionsAreToldAtFirstAndWhenTheyChange) {
  Create(SmallSpec());
  auto second = Solve(SmallSpec());
  auto third = Solve(SmallSpec());
  EXPECT_EQ(TakeAll(second.watch.get())[0].accepted().queue_position(), 1);
  EXPECT_EQ(TakeAll(third.watch.get())[0].accepted().queue_position(), 2);
  time.Advance(milliseconds(100));
  EXPECT_TRUE(TakeAll(third.watch.get()).empty()) << "nothing has changed";
  pool.WaitWorker(0)->SaySolved();
  time.Advance(milliseconds(100));
  const std::vector<v1::Event> moved = TakeAll(third.watch.get());
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved[0].state().state(), v1::JOB_STATE_QUEUED);
  EXPECT_EQ(moved[0].state().queue_position(), 1);
  EXPECT_EQ(TakeAll(second.watch.get())[0].state().state(), v1::JOB_STATE_PREPARING);
}

TEST_F(Queueing, AJobThatWaitsTooLongEndsByTimer) {
  Create(SmallSpec());
  v1::JobSpec spec = SmallSpec();
  spec.mutable_limits()->mutable_queue_timeout()->set_seconds(3);
  auto waiting = Solve(spec);
  time.Advance(milliseconds(2999));
  EXPECT_EQ(Get(waiting.name).state(), v1::JOB_STATE_QUEUED);
  time.Advance(milliseconds(1));
  const v1::Result result = ResultOf(TakeAll(waiting.watch.get()));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(result.limit(), v1::LIMIT_KIND_QUEUE_TIMEOUT);
  EXPECT_EQ(result.statistics().queue_time().seconds(), 3);
  EXPECT_EQ(result.provenance().plugins_size(), 0);
}

TEST_F(Queueing, AJobThatStartedInTimeIsNotTimedOut) {
  Create(SmallSpec());
  v1::JobSpec spec = SmallSpec();
  spec.mutable_limits()->mutable_queue_timeout()->set_seconds(3);
  auto waiting = Solve(spec);
  pool.WaitWorker(0)->SaySolved();
  time.Advance(seconds(10));
  EXPECT_EQ(Get(waiting.name).state(), v1::JOB_STATE_PREPARING);
}

TEST_F(Queueing, ARepeatedRequestIdReturnsTheSameJob) {
  CreateOptions create;
  create.request_id = "abc";
  const std::string name = Create(SmallSpec(), create);
  EXPECT_EQ(Create(SmallSpec(), create), name);
  EXPECT_EQ(Get(name).request_id(), "abc");
  EXPECT_EQ(service().ListJobs({})->jobs_size(), 1);
  // Its plugins may be gone by then.
  registry.SetCatalog({});
  EXPECT_EQ(Create(SmallSpec(), create), name);
}

TEST_F(Queueing, ARequestIdWithAnotherSpecOrInstanceAlreadyExists) {
  CreateOptions create;
  create.request_id = "abc";
  const std::string name = Create(SmallSpec(), create);
  const Result<std::string> instance = service().CreateJob(SmallSpec("3 2 1"), create);
  ASSERT_FALSE(instance.ok());
  EXPECT_EQ(instance.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(instance.error().metadata.at("job"), name);
  v1::JobSpec seeded = SmallSpec();
  seeded.set_seed(1);
  EXPECT_EQ(service().CreateJob(seeded, create).error().code, ErrorCode::kAlreadyExists);
  CreateOptions other = create;
  other.owner = "somebody else";
  EXPECT_NE(Create(seeded, other), name);
  create.request_id = std::string(129, 'x');
  EXPECT_EQ(service().CreateJob(SmallSpec(), create).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(Queueing, UpdatingAQueuedJobChangesItsPlaceAndItsLimits) {
  Create(SmallSpec());
  const std::string first = Create(SmallSpec());
  const std::string second = Create(SmallSpec());
  v1::UpdateJobRequest update;
  update.set_name(second);
  update.set_priority(10);
  update.mutable_limits()->set_max_expansions(99);
  update.mutable_limits()->mutable_queue_timeout()->set_seconds(60);
  const Result<v1::Job> job = service().UpdateJob(update);
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->queue_position(), 1);
  EXPECT_EQ(job->spec().priority(), 10);
  EXPECT_EQ(job->spec().limits().max_expansions(), 99);
  pool.WaitWorker(0)->SaySolved();
  EXPECT_EQ(RunBy(1), second);
  EXPECT_EQ(pool.WaitWorker(1)->sent()[0].run().spec().limits().max_expansions(), 99);
  EXPECT_EQ(Get(first).queue_position(), 1);
}

TEST_F(Queueing, AShorterQueueTimeoutTakesEffect) {
  Create(SmallSpec());
  const std::string waiting = Create(SmallSpec());
  v1::UpdateJobRequest update;
  update.set_name(waiting);
  update.mutable_limits()->mutable_queue_timeout()->set_seconds(2);
  ASSERT_TRUE(service().UpdateJob(update).ok());
  time.Advance(seconds(2));
  EXPECT_EQ(Get(waiting).result().limit(), v1::LIMIT_KIND_QUEUE_TIMEOUT);
}

TEST_F(Queueing, ARunningJobsWallTimeCanBeShortenedOnly) {
  v1::JobSpec spec = SmallSpec();
  spec.mutable_limits()->mutable_wall_time()->set_seconds(100);
  const std::string name = Create(spec);
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  v1::UpdateJobRequest update;
  update.set_name(name);
  update.mutable_limits()->mutable_wall_time()->set_seconds(200);
  EXPECT_EQ(service().UpdateJob(update).error().code, ErrorCode::kFailedPrecondition);
  update.mutable_limits()->mutable_wall_time()->set_seconds(5);
  EXPECT_EQ(service().UpdateJob(update)->spec().limits().wall_time().seconds(), 5);
  time.Advance(milliseconds(5025));
  worker->WaitFor([](const FakeWorker& w) { return w.sent_stop(); });
  v1::UpdateJobRequest priority;
  priority.set_name(name);
  priority.set_priority(1);
  EXPECT_EQ(service().UpdateJob(priority).error().code, ErrorCode::kFailedPrecondition);
  worker->SaySolved();
  EXPECT_EQ(service().UpdateJob(update).error().reason, "JOB_DONE");
  update.set_name("jobs/none");
  EXPECT_EQ(service().UpdateJob(update).error().code, ErrorCode::kNotFound);
  priority.set_priority(101);
  EXPECT_EQ(service().UpdateJob(priority).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace astrolabe::jobs
