// ValidatePath on the fake pool. What it shares with ValidateInstance is tested there.
#include <future>

#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

class ValidatePath : public ServiceFixture {
 protected:
  struct Call {
    std::shared_ptr<PathFeed> feed;
    std::shared_ptr<std::atomic<int>> wanted = std::make_shared<std::atomic<int>>(0);
    std::future<Result<v1::ValidatePathResponse>> answer;

    Result<v1::ValidatePathResponse> Wait() {
      if (answer.wait_for(seconds(10)) != std::future_status::ready) {
        ADD_FAILURE() << "no answer";
        return MakeError(ErrorCode::kInternal, "", "");
      }
      return answer.get();
    }
  };
  static v1::InstanceRef Instance() {
    v1::InstanceRef instance;
    instance.set_problem("sliding_tile");
    instance.set_text("1 2 3");
    return instance;
  }
  Call Start(const v1::InstanceRef& instance) {
    Call call;
    auto promise = std::make_shared<std::promise<Result<v1::ValidatePathResponse>>>();
    call.answer = promise->get_future();
    call.feed = service().ValidatePath(
        instance, [wanted = call.wanted] { ++*wanted; },
        [promise](Result<v1::ValidatePathResponse> result) { promise->set_value(std::move(result)); });
    return call;
  }
  static v1::ValidatePathRequest Piece(std::vector<uint32_t> ops) {
    v1::ValidatePathRequest piece;
    piece.mutable_ops()->Add(ops.begin(), ops.end());
    return piece;
  }
  static internal::v1::ToDaemon Wanted() {
    internal::v1::ToDaemon message;
    message.mutable_path_wanted()->set_request(1);
    return message;
  }
  static internal::v1::ToDaemon Checked() {
    internal::v1::ToDaemon message;
    message.mutable_path_checked()->set_request(1);
    return message;
  }
};

TEST_F(ValidatePath, PiecesGoToTheWorkerThatAsksAndTheAnswerComesBack) {
  Call call = Start(Instance());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  const internal::v1::CheckPath sent = worker->sent()[0].check_path();
  EXPECT_EQ(sent.instance().params().at("goal").string_value(), "blank-last");
  ASSERT_EQ(sent.plugins_size(), 1);
  EXPECT_EQ(sent.plugins(0).id(), "org.astrolabe.sliding_tile");
  EXPECT_EQ(*call.wanted, 0);
  worker->Say(Wanted());
  EXPECT_EQ(*call.wanted, 1);
  call.feed->Send(Piece({4, 5}), false);
  worker->Say(Wanted());
  EXPECT_EQ(*call.wanted, 2);
  v1::ValidatePathRequest words;
  words.add_op_names("UP");
  call.feed->Send(words, true);
  ASSERT_EQ(worker->sent().size(), 3u);
  const internal::v1::PathPiece first = worker->sent()[1].path_piece();
  EXPECT_EQ(first.ops_size(), 2);
  EXPECT_FALSE(first.last());
  const internal::v1::PathPiece second = worker->sent()[2].path_piece();
  EXPECT_EQ(second.op_names(0), "UP");
  EXPECT_TRUE(second.last());

  internal::v1::ToDaemon done = Checked();
  done.mutable_path_checked()->mutable_response()->set_cost(3);
  worker->Say(done);
  const auto result = call.Wait();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->cost(), 3);
  EXPECT_TRUE(worker->reusable());
}

TEST_F(ValidatePath, WhatComesAfterTheAnswerIsDropped) {
  Call call = Start(Instance());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->Say(Checked());
  EXPECT_TRUE(call.Wait().ok());
  call.feed->Send(Piece({1}), true);
  EXPECT_EQ(worker->sent().size(), 1u);
}

TEST_F(ValidatePath, AllFaultsOfTheInstanceAreToldWithoutAWorker) {
  v1::InstanceRef instance = Instance();
  instance.clear_text();
  (*instance.mutable_params())["colour"].set_int_value(1);
  const auto result = Start(instance).Wait();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().violations.size(), 2u);
  EXPECT_EQ(pool.leases(), 0u);
}

TEST_F(ValidatePath, ViolationsOfTheInstanceBecomeInvalidArgument) {
  Call call = Start(Instance());
  internal::v1::ToDaemon done = Checked();
  done.mutable_path_checked()->add_violations()->set_message("4 twice");
  pool.WaitWorker(0)->Say(done);
  const auto result = call.Wait();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().violations[0].field, "instance");
}

TEST_F(ValidatePath, AClientThatSendsNothingIsEndedAfterAMinute) {
  Call call = Start(Instance());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayStage("", "wait for moves");
  worker->Say(Wanted());
  time.Advance(seconds(59));
  EXPECT_FALSE(worker->killed());
  time.Advance(seconds(1));
  const auto result = call.Wait();
  EXPECT_EQ(result.error().reason, "PATH_TIMEOUT");
  EXPECT_NE(result.error().message.find("longer than 60 s in stage wait for moves"), std::string::npos)
      << result.error().message;
  EXPECT_TRUE(worker->killed());
}

TEST_F(ValidatePath, AClientThatStallsGivesItsPlaceToAnotherAndGoesOnBesideIt) {
  Call first = Start(Instance());
  Call second = Start(Instance());
  for (size_t i = 0; i < 2; ++i) pool.WaitWorker(i)->Say(Wanted());
  Call third = Start(Instance());
  time.Advance(ShortRuns::kStall - milliseconds(1));
  second.feed->Send(Piece({1}), false);  // slow, but alive
  pool.WaitWorker(1)->Say(Wanted());
  EXPECT_EQ(pool.leases(), 2u);
  time.Advance(milliseconds(1));
  pool.WaitWorker(2)->Say(Wanted());
  Call fourth = Start(Instance());
  time.Advance(ShortRuns::kStall - milliseconds(2));
  EXPECT_FALSE(pool.HasLease(3, milliseconds(0))) << "the second and the third have places";
  time.Advance(milliseconds(2));
  pool.WaitWorker(3);
  for (Call* call : {&first, &second, &third}) {
    const size_t number = call == &first ? 0 : call == &second ? 1 : 2;
    const FakeWorkerPtr worker = pool.WaitWorker(number);
    EXPECT_FALSE(worker->killed());
    call->feed->Send(Piece({2}), true);
    EXPECT_TRUE(worker->sent().back().path_piece().last());
    worker->Say(Checked());
    EXPECT_TRUE(call->Wait().ok());
  }
}

TEST_F(ValidatePath, WhenNoWorkerIsLeftTheClientThatStalledFirstIsEnded) {
  std::vector<Call> calls;
  for (size_t i = 0; i < kPathWorkers; ++i) {
    calls.push_back(Start(Instance()));
    pool.WaitWorker(i)->Say(Wanted());
    time.Advance(ShortRuns::kStall);
  }
  // The first one is no longer the one that has been silent for longest.
  calls[0].feed->Send(Piece({1}), false);
  pool.WaitWorker(0)->Say(Wanted());
  time.Advance(ShortRuns::kStall);
  for (const size_t i : {size_t{0}, size_t{1}, kPathWorkers - size_t{1}}) EXPECT_FALSE(pool.WaitWorker(i)->killed());
  Call one_more = Start(Instance());
  const auto ended = calls[1].Wait();
  EXPECT_EQ(ended.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(ended.error().reason, "PATH_TIMEOUT");
  EXPECT_NE(ended.error().message.find("others wait for its place"), std::string::npos) << ended.error().message;
  EXPECT_TRUE(pool.WaitWorker(1)->killed());
  EXPECT_TRUE(pool.WaitWorker(kPathWorkers)->sent()[0].has_check_path());
  for (const size_t i : {size_t{0}, size_t{2}, kPathWorkers - size_t{1}}) {
    EXPECT_FALSE(pool.WaitWorker(i)->killed()) << i;
  }
}

TEST_F(ValidatePath, DroppingTheFeedKillsTheWorker) {
  Call call = Start(Instance());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  call.feed.reset();
  EXPECT_EQ(call.Wait().error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(worker->killed());
}

TEST_F(ValidatePath, SlowPathsDoNotHoldUpValidations) {
  Call first = Start(Instance());
  Call second = Start(Instance());
  pool.WaitWorker(1);
  std::promise<Result<v1::ValidateInstanceResponse>> promise;
  const auto handle = service().ValidateInstance(
      Instance(), [&](Result<v1::ValidateInstanceResponse> result) { promise.set_value(std::move(result)); });
  EXPECT_TRUE(pool.WaitWorker(2)->sent()[0].has_validate());
  internal::v1::ToDaemon done;
  done.mutable_validated()->set_request(1);
  pool.WaitWorker(2)->Say(done);
  EXPECT_TRUE(promise.get_future().get().ok());
}

TEST_F(ValidatePath, AnAnswerAboveOneMebibyteIsNotPassedOn) {
  Call call = Start(Instance());
  internal::v1::ToDaemon done = Checked();
  done.mutable_path_checked()->mutable_response()->set_violation(std::string(1 << 20, 'x'));
  pool.WaitWorker(0)->Say(done);
  EXPECT_EQ(call.Wait().error().reason, "RESPONSE_TOO_LARGE");
}

TEST_F(ValidatePath, ADrainingServerRefuses) {
  service().Drain(seconds(0));
  EXPECT_EQ(Start(Instance()).Wait().error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace astrolabe::jobs
