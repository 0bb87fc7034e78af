#include "daemon/server/solver_service.h"

#include <vector>

#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

using std::chrono::seconds;

TEST(SolverService, DrainRefusesNewJobsWithARetryTimeAndEndsWatchersWithAResult) {
  Harness h;
  const auto stub = h.Solver();
  grpc::ClientContext running;
  const auto reader = stub->Solve(&running, v1::SolveRequest());
  ASSERT_TRUE(h.jobs.WaitForJobs(1));
  h.jobs.Drain(seconds(1));
  v1::SolveResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.event().result().outcome(), v1::OUTCOME_INTERRUPTED);
  EXPECT_TRUE(reader->Finish().ok());
  grpc::ClientContext late;
  const grpc::Status status = stub->Solve(&late, v1::SolveRequest())->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  const auto retry = FindDetail<rpc::v1::RetryInfo>(status, "RetryInfo");
  EXPECT_EQ(retry.retry_delay().seconds(), 1);
  EXPECT_EQ(retry.retry_delay().nanos(), 500'000'000);
}

TEST(SolverService, ValidateOnlyChecksAndCreatesNothing) {
  Harness h;
  grpc::ClientContext context;
  v1::CreateJobRequest request;
  request.set_validate_only(true);
  v1::CreateJobResponse response;
  ASSERT_TRUE(h.Solver()->CreateJob(&context, request, &response).ok());
  EXPECT_EQ(response.job().spec().algorithm().id(), "filled_in");
  EXPECT_EQ(response.job().name(), "");
  EXPECT_TRUE(h.jobs.seen().specs.empty());
}

TEST(SolverService, CreateJobPassesTheRequestIdAndRefusesALongOne) {
  Harness h;
  const auto stub = h.Solver();
  v1::CreateJobRequest request;
  v1::CreateJobResponse response;
  request.set_request_id(std::string(128, 'i'));
  grpc::ClientContext first;
  ASSERT_TRUE(stub->CreateJob(&first, request, &response).ok());
  EXPECT_EQ(h.jobs.seen().options.at(0).request_id.size(), 128u);
  EXPECT_FALSE(h.jobs.seen().options.at(0).attached);
  request.set_request_id(std::string(129, 'i'));
  grpc::ClientContext second;
  EXPECT_EQ(stub->CreateJob(&second, request, &response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST(SolverService, ContentComesInChunksOf256KiB) {
  Harness h;
  h.jobs.content.resize((600u << 10) + 5);
  for (size_t i = 0; i < h.jobs.content.size(); ++i) h.jobs.content[i] = static_cast<char>(i * 7 + i / 251);
  grpc::ClientContext context;
  v1::ReadContentRequest request;
  request.set_name("jobs/1");
  request.set_part(v1::CONTENT_PART_PATH);
  const auto stub = h.Solver();
  const auto reader = stub->ReadContent(&context, request);
  std::vector<size_t> sizes;
  std::string all;
  v1::ReadContentResponse response;
  while (reader->Read(&response)) {
    sizes.push_back(response.chunk().size());
    all += response.chunk();
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(sizes, (std::vector<size_t>{256u << 10, 256u << 10, (88u << 10) + 5}));
  EXPECT_EQ(all, h.jobs.content);
}

TEST(SolverService, EmptyContentIsAStreamWithoutChunksAndAnUnknownPartIsRefused) {
  Harness h;
  const auto stub = h.Solver();
  v1::ReadContentRequest request;
  v1::ReadContentResponse response;
  request.set_part(v1::CONTENT_PART_FINAL_STATE);
  grpc::ClientContext first;
  const auto reader = stub->ReadContent(&first, request);
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_TRUE(reader->Finish().ok());
  request.set_part(v1::CONTENT_PART_UNSPECIFIED);
  grpc::ClientContext second;
  EXPECT_EQ(stub->ReadContent(&second, request)->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST(SolverService, ValidateInstanceAnswersRefusesAndIsDroppedWithItsClient) {
  Harness h;
  const auto stub = h.Solver();
  v1::ValidateInstanceRequest request;
  request.mutable_instance()->set_text("1 2 0");
  v1::ValidateInstanceResponse response;
  grpc::ClientContext good;
  ASSERT_TRUE(stub->ValidateInstance(&good, request, &response).ok());
  EXPECT_EQ(response.canonical_text(), "canonical 1 2 0");

  Error error = MakeError(ErrorCode::kInvalidArgument, "BAD_INSTANCE", "bad");
  error.violations = {{"instance:1:3", "expected a number"}};
  h.jobs.refuse = error;
  grpc::ClientContext bad;
  const grpc::Status status = stub->ValidateInstance(&bad, request, &response);
  EXPECT_EQ(FindDetail<rpc::v1::BadRequest>(status, "BadRequest").field_violations(0).field(), "instance:1:3");

  const int dropped = h.jobs.seen().validations_dropped;
  h.jobs.validate_waits = true;
  grpc::ClientContext gone;
  gone.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
  EXPECT_EQ(stub->ValidateInstance(&gone, request, &response).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(testing::Eventually([&] { return h.jobs.seen().validations_dropped > dropped; }));
}

TEST(SolverService, EvaluateStatesAnswersRefusesAndIsDroppedWithItsClient) {
  Harness h;
  const auto stub = h.Solver();
  v1::EvaluateStatesRequest request;
  request.add_states("1 2 0");
  request.add_states("1 0 2");
  v1::EvaluateStatesResponse response;
  grpc::ClientContext good;
  ASSERT_TRUE(stub->EvaluateStates(&good, request, &response).ok());
  ASSERT_EQ(response.evaluations_size(), 2);
  EXPECT_EQ(response.evaluations(1).state(), "state 1 0 2");

  Error error = MakeError(ErrorCode::kInvalidArgument, "BAD_INSTANCE", "bad");
  error.violations = {{"states[1]", "expected a board"}};
  h.jobs.refuse = error;
  grpc::ClientContext bad;
  const grpc::Status status = stub->EvaluateStates(&bad, request, &response);
  EXPECT_EQ(FindDetail<rpc::v1::BadRequest>(status, "BadRequest").field_violations(0).field(), "states[1]");

  const int dropped = h.jobs.seen().validations_dropped;
  h.jobs.validate_waits = true;
  grpc::ClientContext gone;
  gone.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
  EXPECT_EQ(stub->EvaluateStates(&gone, request, &response).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(testing::Eventually([&] { return h.jobs.seen().validations_dropped > dropped; }));
}

TEST(SolverService, TheOtherCallsReachTheJobTable) {
  Harness h;
  const auto stub = h.Solver();
  {
    grpc::ClientContext context;
    v1::UpdateJobRequest request;
    request.set_name("jobs/5");
    request.set_priority(7);
    v1::UpdateJobResponse response;
    ASSERT_TRUE(stub->UpdateJob(&context, request, &response).ok());
    EXPECT_EQ(response.job().spec().priority(), 7);
  }
  {
    grpc::ClientContext context;
    v1::DeleteJobRequest request;
    request.set_name("jobs/5");
    v1::DeleteJobResponse response;
    ASSERT_TRUE(stub->DeleteJob(&context, request, &response).ok());
  }
  {
    grpc::ClientContext context;
    v1::ListJobsRequest request;
    request.set_page_size(3);
    v1::ListJobsResponse response;
    ASSERT_TRUE(stub->ListJobs(&context, request, &response).ok());
  }
  {
    grpc::ClientContext context;
    v1::ListPathStepsRequest request;
    request.set_page_size(11);
    v1::ListPathStepsResponse response;
    ASSERT_TRUE(stub->ListPathSteps(&context, request, &response).ok());
    EXPECT_EQ(response.total(), 11);
  }
  {
    grpc::ClientContext context;
    v1::CancelJobResponse response;
    v1::CancelJobRequest request;
    request.set_name("jobs/5");
    EXPECT_EQ(stub->CancelJob(&context, request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
  }
  EXPECT_EQ(h.jobs.seen().calls, (std::vector<std::string>{"DeleteJob jobs/5", "ListJobs 3"}));
  EXPECT_EQ(h.jobs.seen().cancelled, (std::vector<std::string>{"jobs/5"}));
}

}  // namespace
}  // namespace astrolabe::server
