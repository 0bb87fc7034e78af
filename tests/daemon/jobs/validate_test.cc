// ValidateInstance on the fake pool.
#include <csignal>
#include <future>

#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

class Validate : public ServiceFixture {
 protected:
  struct Call {
    std::shared_ptr<void> handle;
    std::future<Result<v1::ValidateInstanceResponse>> answer;
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);

    Result<v1::ValidateInstanceResponse> Wait() {
      if (answer.wait_for(seconds(10)) != std::future_status::ready) {
        ADD_FAILURE() << "no answer";
        return MakeError(ErrorCode::kInternal, "", "");
      }
      return answer.get();
    }
  };
  Call Start(const std::string& problem = "sliding_tile") {
    v1::InstanceRef instance;
    instance.set_problem(problem);
    instance.set_text("1 2 3");
    Call call;
    auto promise = std::make_shared<std::promise<Result<v1::ValidateInstanceResponse>>>();
    call.answer = promise->get_future();
    call.handle = service().ValidateInstance(
        instance, [promise, calls = call.calls](Result<v1::ValidateInstanceResponse> result) {
          if (++*calls == 1) promise->set_value(std::move(result));
        });
    return call;
  }
  static internal::v1::ToDaemon Validated() {
    internal::v1::ToDaemon message;
    message.mutable_validated()->set_request(1);
    return message;
  }
};

TEST_F(Validate, TheAnswerComesFromAWorkerThatIsGivenBack) {
  Call call = Start();
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  EXPECT_EQ(worker->sent()[0].validate().instance().text(), "1 2 3");
  EXPECT_EQ(worker->sent()[0].validate().instance().params().at("goal").string_value(), "blank-last");
  ASSERT_EQ(worker->sent()[0].validate().plugins_size(), 1);
  internal::v1::ToDaemon message = Validated();
  message.mutable_validated()->mutable_response()->set_size("3 x 3");
  worker->Say(message);
  const auto result = call.Wait();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->size(), "3 x 3");
  EXPECT_TRUE(worker->reusable());
}

TEST_F(Validate, ViolationsBecomeInvalidArgumentWithPlaceExpectationAndHint) {
  Call call = Start();
  internal::v1::ToDaemon message = Validated();
  v1::Violation* violation = message.mutable_validated()->add_violations();
  violation->set_field("instance");
  violation->set_line(2);
  violation->set_column(5);
  violation->set_message("tile 9 is out of range");
  violation->set_expected("a number from 0 to 8");
  violation->set_hint("a 3 x 3 board has 8 tiles");
  message.mutable_validated()->add_violations()->set_message("tile 4 is missing");
  pool.WaitWorker(0)->Say(message);
  const auto result = call.Wait();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  ASSERT_EQ(result.error().violations.size(), 2u);
  EXPECT_EQ(result.error().violations[0].field, "instance");
  EXPECT_EQ(result.error().violations[0].description,
            "line 2, column 5: tile 9 is out of range (expected a number from 0 to 8; a 3 x 3 board has 8 tiles)");
  EXPECT_EQ(result.error().violations[1].description, "tile 4 is missing");
}

TEST_F(Validate, ACrashNamesPluginStageAndSignal) {
  Call call = Start();
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayStage("org.astrolabe.sliding_tile", "parse");
  workers::WorkerExit exit;
  exit.signal = SIGABRT;
  worker->Die(exit);
  const auto result = call.Wait();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(result.error().reason, "PLUGIN_FAILED");
  EXPECT_EQ(result.error().metadata.at("plugin"), "org.astrolabe.sliding_tile");
  EXPECT_EQ(result.error().metadata.at("stage"), "parse");
  EXPECT_EQ(result.error().metadata.at("signal_name"), "SIGABRT");
}

TEST_F(Validate, AnUnknownProblemNeedsNoWorker) {
  const auto result = Start("sliding_tle").Wait();
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_NE(result.error().message.find("did you mean 'sliding_tile'?"), std::string::npos);
  EXPECT_EQ(pool.leases(), 0u);
}

TEST_F(Validate, DestroyingTheHandleKillsTheWorkerAndAnswersOnce) {
  Call call = Start();
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  call.handle.reset();
  EXPECT_EQ(call.Wait().error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(worker->killed());
  DestroyService();
  EXPECT_EQ(*call.calls, 1);
}

TEST_F(Validate, ItTakesTenSecondsAtMost) {
  Call call = Start();
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayStage("org.astrolabe.sliding_tile", "parse");
  time.Advance(seconds(10));
  const auto result = call.Wait();
  EXPECT_EQ(result.error().reason, "VALIDATE_TIMEOUT");
  EXPECT_NE(result.error().message.find("stage parse"), std::string::npos);
  EXPECT_TRUE(worker->killed());
}

TEST_F(Validate, OnlySoManyRunAtOnceTheOthersWait) {
  Call first = Start();
  Call second = Start();
  Call third = Start();
  pool.WaitWorker(1);
  EXPECT_EQ(pool.leases(), 2u);
  pool.WaitWorker(0)->Say(Validated());
  pool.WaitWorker(2)->Say(Validated());
  pool.WaitWorker(1)->Say(Validated());
  EXPECT_TRUE(first.Wait().ok());
  EXPECT_TRUE(second.Wait().ok());
  EXPECT_TRUE(third.Wait().ok());
}

TEST_F(Validate, DestroyingTheServiceAnswersWhatWaits) {
  std::vector<Call> calls;
  for (int i = 0; i < 4; ++i) calls.push_back(Start());
  pool.WaitWorker(1);
  DestroyService();
  for (Call& call : calls) EXPECT_EQ(call.Wait().error().code, ErrorCode::kCancelled);
}

TEST_F(Validate, ADrainingServerRefuses) {
  service().Drain(seconds(0));
  EXPECT_EQ(Start().Wait().error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace astrolabe::jobs
