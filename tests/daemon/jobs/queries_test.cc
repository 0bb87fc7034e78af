// GetJob, ListJobs, ListPathSteps, ReadContent, DeleteJob; retention and the budget.
#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

class Queries : public ServiceFixture {
 protected:
  std::string Done(const v1::JobSpec& spec, const CreateOptions& create = {}) {
    const std::string name = Create(spec, create);
    pool.WaitWorker(pool.leases() == 0 ? 0 : next_)->SaySolved();
    ++next_;
    return name;
  }
  size_t next_ = 0;
};

TEST_F(Queries, GetJobShowsSpecStateTimesAndResult) {
  v1::JobSpec spec = SmallSpec();
  (*spec.mutable_labels())["kind"] = "test";
  const std::string name = Create(spec);
  EXPECT_EQ(name.substr(0, 5), "jobs/");
  pool.WaitWorker(0);
  v1::Job job = Get(name);
  EXPECT_EQ(job.state(), v1::JOB_STATE_PREPARING);
  EXPECT_EQ(job.spec().text(), spec.text());
  EXPECT_EQ(job.spec().algorithm().id(), "astar");
  EXPECT_GT(job.create_time().seconds(), 0);
  EXPECT_GT(job.start_time().seconds(), 0);
  EXPECT_FALSE(job.has_end_time());
  EXPECT_EQ(job.first_sequence(), 1);
  EXPECT_EQ(job.last_sequence(), 2);
  pool.WaitWorker(0)->SaySolved();
  job = Get(name);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.result().path().ops_size(), 4);
  EXPECT_GT(job.end_time().seconds(), 0);
  EXPECT_EQ(service().GetJob("jobs/none").error().code, ErrorCode::kNotFound);
}

TEST_F(Queries, AVeryLargeInstanceIsLeftOutOfAnswers) {
  const std::string name = Done(SmallSpec(std::string(300 << 10, '1')));
  EXPECT_LT(Get(name).ByteSizeLong(), 10000u);
}

TEST_F(Queries, ListJobsPagesNewestFirstWithoutInstanceAndPath) {
  options.slots = 10;
  std::vector<std::string> names;
  for (int i = 0; i < 5; ++i) names.push_back(Done(SmallSpec()));
  v1::ListJobsRequest request;
  request.set_page_size(2);
  std::vector<std::string> listed;
  for (int page = 0; page < 3; ++page) {
    const Result<v1::ListJobsResponse> response = service().ListJobs(request);
    ASSERT_TRUE(response.ok());
    for (const v1::Job& job : response->jobs()) {
      listed.push_back(job.name());
      EXPECT_FALSE(job.spec().has_text());
      EXPECT_FALSE(job.result().has_path());
      EXPECT_EQ(job.result().cost(), 4);
    }
    EXPECT_EQ(response->next_page_token().empty(), page == 2);
    request.set_page_token(response->next_page_token());
    Done(SmallSpec());  // new jobs do not disturb the pages
  }
  EXPECT_EQ(listed, std::vector<std::string>(names.rbegin(), names.rend()));
}

TEST_F(Queries, ListJobsFiltersByStateAndLabels) {
  v1::JobSpec labelled = SmallSpec();
  (*labelled.mutable_labels())["team"] = "a";
  (*labelled.mutable_labels())["kind"] = "b";
  const std::string done = Done(labelled);
  Done(SmallSpec());
  const std::string running = Create(labelled);
  v1::ListJobsRequest request;
  (*request.mutable_labels())["team"] = "a";
  EXPECT_EQ(service().ListJobs(request)->jobs_size(), 2);
  request.add_states(v1::JOB_STATE_DONE);
  ASSERT_EQ(service().ListJobs(request)->jobs_size(), 1);
  EXPECT_EQ(service().ListJobs(request)->jobs(0).name(), done);
  (*request.mutable_labels())["kind"] = "other";
  EXPECT_EQ(service().ListJobs(request)->jobs_size(), 0);
}

TEST_F(Queries, BadPagesAndStatesAreInvalid) {
  v1::ListJobsRequest request;
  request.set_page_size(-1);
  EXPECT_EQ(service().ListJobs(request).error().code, ErrorCode::kInvalidArgument);
  request.set_page_size(0);
  request.set_page_token("nonsense");
  EXPECT_EQ(service().ListJobs(request).error().reason, "BAD_PAGE_TOKEN");
  request.clear_page_token();
  request.add_states(v1::JOB_STATE_UNSPECIFIED);
  EXPECT_EQ(service().ListJobs(request).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(Queries, OnlyDoneJobsCanBeDeleted) {
  const std::string name = Create(SmallSpec());
  EXPECT_EQ(service().DeleteJob(name).error().code, ErrorCode::kFailedPrecondition);
  pool.WaitWorker(0)->SaySolved();
  const auto watch = Attach(name);
  EXPECT_TRUE(service().DeleteJob(name).ok());
  EXPECT_EQ(service().GetJob(name).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(service().DeleteJob(name).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ResultOf(TakeAll(watch.get())).cost(), 4) << "who was reading reads on";
}

TEST_F(Queries, LargePathsComeInPagesFromWhatTheWorkerSent) {
  const std::string name = Create(SmallSpec());
  internal::v1::ToDaemon content;
  for (int i = 0; i < 2500; ++i) content.mutable_content()->mutable_path_ops()->append({static_cast<char>(i), 1, 0, 0});
  content.mutable_content()->set_final_state("the end");
  content.mutable_content()->set_canonical_instance("canonical");
  pool.WaitWorker(0)->Say(content);
  v1::ListPathStepsRequest request;
  request.set_name(name);
  EXPECT_EQ(service().ListPathSteps(request).error().code, ErrorCode::kFailedPrecondition) << "not DONE yet";
  v1::Result result = Solved(2500, {});
  result.mutable_path()->set_length(2500);
  result.mutable_path()->set_truncated(true);
  pool.WaitWorker(0)->SayResult(result);
  std::vector<uint32_t> ops;
  do {
    const Result<v1::ListPathStepsResponse> page = service().ListPathSteps(request);
    ASSERT_TRUE(page.ok()) << page.error().message;
    EXPECT_EQ(page->total(), 2500);
    for (const auto& step : page->steps()) {
      EXPECT_EQ(step.index(), static_cast<int64_t>(ops.size()));
      ops.push_back(step.op());
    }
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  ASSERT_EQ(ops.size(), 2500u);
  EXPECT_EQ(ops[300], 256u + 300 % 256);
  request.clear_page_token();
  request.set_with_states(true);
  EXPECT_EQ(service().ListPathSteps(request).error().reason, "STATES_NOT_KEPT");
  EXPECT_EQ(**service().ReadContent(name, v1::CONTENT_PART_FINAL_STATE), "the end");
  EXPECT_EQ(**service().ReadContent(name, v1::CONTENT_PART_CANONICAL_INSTANCE), "canonical");
  EXPECT_EQ((*service().ReadContent(name, v1::CONTENT_PART_PATH))->size(), 10000u);
}

TEST_F(Queries, SmallPathsHaveNamesAndStates) {
  const std::string name = Create(SmallSpec());
  v1::Result result = Solved(2, {7, 8});
  for (const char* word : {"UP", "LEFT"}) result.mutable_path()->add_op_names(word);
  for (const char* state : {"s0", "s1", "s2"}) result.mutable_path()->add_states(state);
  pool.WaitWorker(0)->SayResult(result);
  v1::ListPathStepsRequest request;
  request.set_name(name);
  request.set_with_states(true);
  const Result<v1::ListPathStepsResponse> page = service().ListPathSteps(request);
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->steps_size(), 2);
  EXPECT_EQ(page->steps(1).op(), 8u);
  EXPECT_EQ(page->steps(1).op_name(), "LEFT");
  EXPECT_EQ(page->steps(1).state(), "s2");
  EXPECT_TRUE(page->next_page_token().empty());
  EXPECT_EQ(**service().ReadContent(name, v1::CONTENT_PART_PATH), std::string("\7\0\0\0\10\0\0\0", 8));
  EXPECT_EQ(service().ReadContent(name, v1::CONTENT_PART_CANONICAL_INSTANCE).error().reason, "NOT_KEPT");
}

TEST_F(Queries, AJobWithoutAPathSaysSo) {
  const std::string name = Create(SmallSpec());
  v1::Result result;
  result.set_outcome(v1::OUTCOME_UNSOLVABLE);
  pool.WaitWorker(0)->SayResult(result);
  v1::ListPathStepsRequest request;
  request.set_name(name);
  EXPECT_EQ(service().ListPathSteps(request).error().message, "the job ended UNSOLVABLE without a path");
}

TEST_F(Queries, AttachedJobsGoAMinuteAfterDeliveryDetachedOnesLater) {
  CreateOptions attached;
  attached.attached = true;
  auto solving = Solve(SmallSpec(), {}, attached);
  pool.WaitWorker(0)->SaySolved();
  next_ = 1;
  const std::string detached = Done(SmallSpec());
  time.Advance(seconds(30));
  TakeAll(solving.watch.get());  // delivered now
  time.Advance(seconds(59));
  EXPECT_TRUE(service().GetJob(solving.name).ok());
  time.Advance(seconds(1));
  EXPECT_FALSE(service().GetJob(solving.name).ok());
  EXPECT_TRUE(service().GetJob(detached).ok());
  time.Advance(seconds(3600));
  EXPECT_FALSE(service().GetJob(detached).ok());
}

TEST_F(Queries, AnAttachedJobWhoseReaderIsSlowIsKeptUntilItHasRead) {
  CreateOptions attached;
  attached.attached = true;
  auto solving = Solve(SmallSpec(), {}, attached);
  pool.WaitWorker(0)->SaySolved();
  time.Advance(seconds(600));
  EXPECT_TRUE(service().GetJob(solving.name).ok());
  solving.watch.reset();
  time.Advance(seconds(60));
  EXPECT_FALSE(service().GetJob(solving.name).ok());
}

TEST_F(Queries, OverTheBudgetTheOldestFinishedJobGoesFirstAndRunningOnesStay) {
  options.log_budget_bytes = 400 << 10;
  const std::string first = Done(SmallSpec(std::string(100 << 10, '1')));
  const std::string second = Done(SmallSpec(std::string(100 << 10, '2')));
  EXPECT_TRUE(service().GetJob(first).ok());
  const std::string third = Create(SmallSpec(std::string(250 << 10, '3')));
  EXPECT_FALSE(service().GetJob(first).ok());
  EXPECT_TRUE(service().GetJob(second).ok());
  const std::string fourth = Create(SmallSpec(std::string(300 << 10, '4')));
  EXPECT_FALSE(service().GetJob(second).ok());
  EXPECT_TRUE(service().GetJob(third).ok());
  EXPECT_TRUE(service().GetJob(fourth).ok());
}

TEST_F(Queries, OverTheBudgetARunningJobEvictsItsOwnOldNodes) {
  options.log_budget_bytes = 200 << 10;
  v1::WatchOptions drop;
  drop.set_overflow(v1::OVERFLOW_DROP);
  auto solving = Solve(RecordingSpec(), drop);
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  for (int i = 0; i < 40; ++i) worker->Nodes(i, 1, std::string(16 << 10, 'x'));
  EXPECT_GT(Get(solving.name).first_sequence(), 20);
}

}  // namespace
}  // namespace astrolabe::jobs
