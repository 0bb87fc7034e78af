#include "daemon/server/event_stream.h"

#include <future>
#include <thread>
#include <vector>

#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

using std::chrono::seconds;

v1::Event Improvement(int64_t sequence) {
  v1::Event event;
  event.set_job("jobs/1");
  event.set_sequence(sequence);
  event.mutable_improvement()->set_cost(100 - sequence);
  return event;
}

// Reads to the end; how many results came, -1 when the status is an error.
int ReadAll(grpc::ClientReader<v1::SolveResponse>* reader) {
  v1::SolveResponse response;
  int results = 0;
  while (reader->Read(&response)) results += response.event().has_result();
  return reader->Finish().ok() ? results : -1;
}

TEST(SolveStream, DeliversEveryEventInOrderAndTheResultOnceThenOk) {
  Harness h;
  h.jobs.on_solve = [](FakeLog* log, int) {
    for (int i = 1; i <= 200; ++i) log->Push(Improvement(i));
    log->PushResult("jobs/1", v1::OUTCOME_SOLVED);
  };
  grpc::ClientContext context;
  v1::SolveRequest request;
  request.mutable_spec()->set_problem("tiles");
  const auto stub = h.Solver();
  const auto reader = stub->Solve(&context, request);
  v1::SolveResponse response;
  for (int i = 1; i <= 200; ++i) {
    ASSERT_TRUE(reader->Read(&response));
    EXPECT_EQ(response.event().sequence(), i);
    EXPECT_EQ(response.event().improvement().cost(), 100 - i);
  }
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.event().result().outcome(), v1::OUTCOME_SOLVED);
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(h.context.counters.events.load(), 201);
  EXPECT_TRUE(h.jobs.seen().cancelled.empty());
}

TEST(SolveStream, DeliversEventsThatComeLater) {
  Harness h;
  grpc::ClientContext context;
  const auto stub = h.Solver();
  const auto reader = stub->Solve(&context, v1::SolveRequest());
  ASSERT_TRUE(h.jobs.WaitForJobs(1));
  v1::SolveResponse response;
  for (int i = 1; i <= 20; ++i) {
    h.jobs.log(1)->Push(Improvement(i));
    ASSERT_TRUE(reader->Read(&response));
    EXPECT_EQ(response.event().sequence(), i);
  }
  h.jobs.log(1)->PushResult("jobs/1", v1::OUTCOME_UNSOLVABLE);
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.event().result().outcome(), v1::OUTCOME_UNSOLVABLE);
  EXPECT_TRUE(reader->Finish().ok());
}

TEST(SolveStream, PassesASharedBodyThroughUntouched) {
  Harness h;
  v1::Event nodes;
  auto* batch = nodes.mutable_nodes();
  for (int i = 0; i < 500; ++i) {
    auto* node = batch->add_nodes();
    node->set_node(i + 1);
    node->set_state(std::string(40, static_cast<char>(i)));
  }
  const std::string encoded = nodes.SerializeAsString();
  h.jobs.on_solve = [&](FakeLog* log, int) {
    // The head ends in the middle of the event, wherever that is: the two are one message on the wire.
    log->Push({encoded.substr(0, 4), std::make_shared<const std::string>(encoded.substr(4)), false});
    log->PushResult("jobs/1", v1::OUTCOME_SOLVED);
  };
  grpc::ClientContext context;
  const auto stub = h.Solver();
  const auto reader = stub->Solve(&context, v1::SolveRequest());
  v1::SolveResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.event().SerializeAsString(), encoded);
}

TEST(SolveStream, FillsUnsetLimitsWithTheServersOwnOnly) {
  Harness h;
  v1::Limits defaults;
  defaults.set_max_memory_bytes(123);
  defaults.mutable_wall_time()->set_seconds(9);
  h.context.settings.Set(defaults, seconds(1));
  h.jobs.on_solve = [](FakeLog* log, int) { log->PushResult("jobs/1", v1::OUTCOME_SOLVED); };
  grpc::ClientContext context;
  v1::SolveRequest request;
  request.mutable_spec()->mutable_limits()->mutable_wall_time()->set_seconds(2);
  request.mutable_watch()->set_without_nodes(true);
  const auto stub = h.Solver();
  const auto reader = stub->Solve(&context, request);
  v1::SolveResponse response;
  ASSERT_TRUE(reader->Read(&response));
  const auto seen = h.jobs.seen();
  EXPECT_EQ(seen.specs.at(0).limits().max_memory_bytes(), 123);
  EXPECT_EQ(seen.specs.at(0).limits().wall_time().seconds(), 2);
  EXPECT_TRUE(seen.watches.at(0).without_nodes());
  EXPECT_TRUE(seen.options.at(0).attached);
}

TEST(SolveStream, AClientThatLeavesCancelsItsJob) {
  Harness h;
  grpc::ClientContext context;
  const auto stub = h.Solver();
  const auto reader = stub->Solve(&context, v1::SolveRequest());
  ASSERT_TRUE(h.jobs.WaitForJobs(1));
  context.TryCancel();
  EXPECT_TRUE(h.jobs.WaitForCancel("jobs/1"));
  EXPECT_TRUE(h.jobs.log(1)->WaitUntilClosed());
  EXPECT_EQ(h.jobs.seen().cancelled.size(), 1u);
}

TEST(SolveStream, ADeadlineCancelsTheJob) {
  Harness h;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
  const auto stub = h.Solver();
  const auto reader = stub->Solve(&context, v1::SolveRequest());
  EXPECT_TRUE(h.jobs.WaitForCancel("jobs/1"));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

TEST(SolveStream, ADetachedJobOutlivesItsClient) {
  Harness h;
  grpc::ClientContext context;
  v1::SolveRequest request;
  request.set_disconnect_policy(v1::DISCONNECT_POLICY_DETACH);
  const auto stub = h.Solver();
  const auto reader = stub->Solve(&context, request);
  ASSERT_TRUE(h.jobs.WaitForJobs(1));
  context.TryCancel();
  ASSERT_TRUE(h.jobs.log(1)->WaitUntilClosed());
  ASSERT_TRUE(h.context.streams.WaitUntilEmpty(std::chrono::steady_clock::now() + seconds(20)));
  EXPECT_TRUE(h.jobs.seen().cancelled.empty());
  EXPECT_FALSE(h.jobs.seen().options.at(0).attached);
}

TEST(SolveStream, RefusalsCarryEveryViolation) {
  Harness h;
  Error error = MakeError(ErrorCode::kInvalidArgument, "BAD_SPEC", "2 fields are wrong");
  error.violations = {{"spec.problem", "is empty"}, {"spec.threads", "is negative"}};
  h.jobs.refuse = error;
  grpc::ClientContext context;
  const auto stub = h.Solver();
  const grpc::Status status = stub->Solve(&context, v1::SolveRequest())->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  const auto bad = FindDetail<rpc::v1::BadRequest>(status, "BadRequest");
  ASSERT_EQ(bad.field_violations_size(), 2);
  EXPECT_EQ(bad.field_violations(1).field(), "spec.threads");
}

TEST(SolveStream, AnUnknownDisconnectPolicyIsRefused) {
  Harness h;
  grpc::ClientContext context;
  v1::SolveRequest request;
  request.set_disconnect_policy(static_cast<v1::DisconnectPolicy>(9));
  const auto stub = h.Solver();
  EXPECT_EQ(stub->Solve(&context, request)->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(h.jobs.seen().specs.empty());
}

TEST(SolveStream, AHundredAtOnceAllGetTheirResult) {
  Harness h;
  h.jobs.on_solve = [](FakeLog* log, int job) {
    for (int i = 1; i <= 50; ++i) log->Push(Improvement(i));
    log->PushResult("jobs/" + std::to_string(job), v1::OUTCOME_SOLVED);
  };
  const auto stub = h.Solver();
  std::vector<std::future<int>> streams;
  for (int c = 0; c < 100; ++c) {
    streams.push_back(std::async(std::launch::async, [&stub] {
      grpc::ClientContext context;
      const auto reader = stub->Solve(&context, v1::SolveRequest());
      v1::SolveResponse response;
      int64_t last = 0;
      int results = 0;
      while (reader->Read(&response)) {
        if (response.event().has_result()) {
          ++results;
        } else if (response.event().sequence() != ++last) {
          return -1;
        }
      }
      return reader->Finish().ok() && last == 50 ? results : -2;
    }));
  }
  for (auto& stream : streams) EXPECT_EQ(stream.get(), 1);
  EXPECT_TRUE(h.context.streams.WaitUntilEmpty(std::chrono::steady_clock::now() + seconds(20)));
}

TEST(SolveStream, ASlowReaderNeverBuffersMoreThanTheTransportHolds) {
  Harness h;
  h.jobs.on_solve = [](FakeLog* log, int job) {
    v1::Event event;
    event.mutable_log()->set_text(std::string(100'000, 'x'));
    if (job == 1) log->SetEndless({event.SerializeAsString(), nullptr, false});
    if (job == 2) log->PushResult("jobs/2", v1::OUTCOME_SOLVED);
  };
  const auto slow_stub = h.Solver();
  grpc::ClientContext slow;
  const auto stalled = slow_stub->Solve(&slow, v1::SolveRequest());
  ASSERT_TRUE(h.jobs.WaitForJobs(1));
  ASSERT_TRUE(h.jobs.log(1)->WaitUntilTaken(1));
  // The other client is served while the first does not read.
  grpc::ClientContext quick;
  const auto stub = h.Solver();
  EXPECT_EQ(ReadAll(stub->Solve(&quick, v1::SolveRequest()).get()), 1);
  // Flow control stops the writes: the count of events taken comes to rest far below "all there are".
  int before = -1;
  int after = h.jobs.log(1)->taken();
  const auto give_up = std::chrono::steady_clock::now() + seconds(20);
  while (before != after && std::chrono::steady_clock::now() < give_up) {
    before = after;
    h.jobs.log(1)->WaitUntilTaken(before + 1, seconds(1));
    after = h.jobs.log(1)->taken();
  }
  EXPECT_EQ(before, after);
  EXPECT_LT(after, 200);
  slow.TryCancel();
  EXPECT_TRUE(h.jobs.WaitForCancel("jobs/1"));
}

TEST(SolveStream, ShutdownReturnsThoughAClientNeitherReadsNorLeaves) {
  Harness h;
  h.jobs.on_solve = [](FakeLog* log, int job) {
    v1::Event event;
    event.mutable_log()->set_text(std::string(100'000, 'x'));
    if (job == 1) log->SetEndless({event.SerializeAsString(), nullptr, false});
  };
  const auto stub = h.Solver();
  grpc::ClientContext stalled_context;
  grpc::ClientContext silent_context;
  const auto stalled = stub->Solve(&stalled_context, v1::SolveRequest());
  ASSERT_TRUE(h.jobs.WaitForJobs(1));
  const auto silent = stub->Solve(&silent_context, v1::SolveRequest());
  ASSERT_TRUE(h.jobs.WaitForJobs(2));
  const auto start = std::chrono::steady_clock::now();
  h.context.streams.AbortAll({grpc::StatusCode::UNAVAILABLE, "the server is stopping"});
  EXPECT_EQ(silent->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  h.user->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(10));
  EXPECT_EQ(h.context.streams.size(), 0u);
}

TEST(WatchJobStream, StartsWhereAskedAndEndingItCancelsNothing) {
  Harness h;
  grpc::ClientContext create_context;
  v1::CreateJobResponse created;
  const auto stub = h.Solver();
  ASSERT_TRUE(stub->CreateJob(&create_context, v1::CreateJobRequest(), &created).ok());
  EXPECT_EQ(created.job().name(), "jobs/1");
  grpc::ClientContext context;
  v1::WatchJobRequest request;
  request.set_name("jobs/1");
  request.set_from_sequence(17);
  const auto reader = stub->WatchJob(&context, request);
  h.jobs.log(1)->Push(Improvement(17));
  v1::WatchJobResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.event().sequence(), 17);
  EXPECT_EQ(h.jobs.seen().calls.at(0), "WatchJob jobs/1 from 17");
  context.TryCancel();
  EXPECT_TRUE(h.jobs.log(1)->WaitUntilClosed());
  EXPECT_TRUE(h.jobs.seen().cancelled.empty());
}

TEST(WatchJobStream, AnErrorOfTheWatchEndsTheStreamWithIt) {
  Harness h;
  grpc::ClientContext create_context;
  v1::CreateJobResponse created;
  const auto stub = h.Solver();
  ASSERT_TRUE(stub->CreateJob(&create_context, v1::CreateJobRequest(), &created).ok());
  grpc::ClientContext context;
  v1::WatchJobRequest request;
  request.set_name("jobs/1");
  const auto reader = stub->WatchJob(&context, request);
  h.jobs.log(1)->Push(Improvement(1));
  v1::WatchJobResponse response;
  ASSERT_TRUE(reader->Read(&response));
  h.jobs.log(1)->Fail(MakeError(ErrorCode::kOutOfRange, "EVICTED", "the oldest is 40"));
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::OUT_OF_RANGE);
}

TEST(WatchJobStream, AnUnknownJobIsNotFound) {
  Harness h;
  grpc::ClientContext context;
  v1::WatchJobRequest request;
  request.set_name("jobs/404");
  const auto stub = h.Solver();
  EXPECT_EQ(stub->WatchJob(&context, request)->Finish().error_code(), grpc::StatusCode::NOT_FOUND);
}

}  // namespace
}  // namespace astrolabe::server
