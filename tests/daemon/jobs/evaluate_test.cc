// EvaluateStates on the fake pool. What it shares with ValidateInstance is tested there.
#include <csignal>
#include <future>

#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

class Evaluate : public ServiceFixture {
 protected:
  struct Call {
    std::shared_ptr<void> handle;
    std::future<Result<v1::EvaluateStatesResponse>> answer;

    Result<v1::EvaluateStatesResponse> Wait() {
      if (answer.wait_for(seconds(10)) != std::future_status::ready) {
        ADD_FAILURE() << "no answer";
        return MakeError(ErrorCode::kInternal, "", "");
      }
      return answer.get();
    }
  };
  static v1::EvaluateStatesRequest Request() {
    v1::EvaluateStatesRequest request;
    request.mutable_instance()->set_problem("sliding_tile");
    request.mutable_instance()->set_text("1 2 3");
    request.add_states("1 2 0");
    return request;
  }
  Call Start(const v1::EvaluateStatesRequest& request) {
    Call call;
    auto promise = std::make_shared<std::promise<Result<v1::EvaluateStatesResponse>>>();
    call.answer = promise->get_future();
    call.handle = service().EvaluateStates(
        request, [promise](Result<v1::EvaluateStatesResponse> result) { promise->set_value(std::move(result)); });
    return call;
  }
  static internal::v1::ToDaemon Evaluated() {
    internal::v1::ToDaemon message;
    message.mutable_evaluated()->set_request(1);
    return message;
  }
};

TEST_F(Evaluate, TheAnswerComesFromAWorkerThatIsGivenBack) {
  Call call = Start(Request());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  const internal::v1::Evaluate sent = worker->sent()[0].evaluate();
  EXPECT_EQ(sent.evaluate().states(0), "1 2 0");
  EXPECT_EQ(sent.evaluate().instance().params().at("goal").string_value(), "blank-last");
  ASSERT_EQ(sent.evaluate().heuristics_size(), 1) << "the problem's default";
  EXPECT_EQ(sent.evaluate().heuristics(0).id(), "manhattan");
  ASSERT_EQ(sent.plugins_size(), 2);
  EXPECT_EQ(sent.plugins(0).id(), "org.astrolabe.sliding_tile");
  internal::v1::ToDaemon message = Evaluated();
  message.mutable_evaluated()->mutable_response()->add_evaluations()->set_state("1 2 0");
  worker->Say(message);
  const auto result = call.Wait();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->evaluations(0).state(), "1 2 0");
  EXPECT_TRUE(worker->reusable());
}

TEST_F(Evaluate, AllFaultsOfTheRequestAreToldWithoutAWorker) {
  v1::EvaluateStatesRequest request = Request();
  request.mutable_instance()->clear_text();
  request.add_heuristics()->set_id("manhattan");
  (*request.mutable_heuristics(0)->mutable_params())["colour"].set_int_value(1);
  for (int i = 0; i < 1001; ++i) request.add_states("x");
  const auto result = Start(request).Wait();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  std::vector<std::string> fields;
  for (const auto& violation : result.error().violations) fields.push_back(violation.field);
  EXPECT_EQ(fields, (std::vector<std::string>{"instance", "heuristics[0].params.colour", "states"}));
  EXPECT_EQ(pool.leases(), 0u);
}

TEST_F(Evaluate, AnUnknownHeuristicIsNotFound) {
  v1::EvaluateStatesRequest request = Request();
  request.add_heuristics()->set_id("manhatan");
  const auto result = Start(request).Wait();
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_NE(result.error().message.find("did you mean 'manhattan'?"), std::string::npos) << result.error().message;
}

TEST_F(Evaluate, ViolationsOfStatesBecomeInvalidArgument) {
  Call call = Start(Request());
  internal::v1::ToDaemon message = Evaluated();
  v1::Violation* violation = message.mutable_evaluated()->add_violations();
  violation->set_field("states[0]");
  violation->set_message("4 twice");
  pool.WaitWorker(0)->Say(message);
  const auto result = call.Wait();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().violations[0].field, "states[0]");
  EXPECT_EQ(result.error().violations[0].description, "4 twice");
}

TEST_F(Evaluate, TheAnswerToAnotherQuestionIsNoAnswer) {
  Call call = Start(Request());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  internal::v1::ToDaemon wrong;
  wrong.mutable_validated()->set_request(1);
  worker->Say(wrong);
  EXPECT_EQ(call.answer.wait_for(seconds(0)), std::future_status::timeout);
  worker->Say(Evaluated());
  EXPECT_TRUE(call.Wait().ok());
}

TEST_F(Evaluate, AnAnswerAboveOneMebibyteIsNotPassedOn) {
  Call call = Start(Request());
  internal::v1::ToDaemon message = Evaluated();
  message.mutable_evaluated()->mutable_response()->add_evaluations()->set_state(std::string(1 << 20, 'x'));
  pool.WaitWorker(0)->Say(message);
  EXPECT_EQ(call.Wait().error().reason, "RESPONSE_TOO_LARGE");
}

TEST_F(Evaluate, ItTakesTwentySecondsAtMost) {
  Call call = Start(Request());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  worker->SayStage("org.astrolabe.manhattan", "build");
  time.Advance(seconds(19));
  EXPECT_FALSE(worker->killed());
  time.Advance(seconds(1));
  const auto result = call.Wait();
  EXPECT_EQ(result.error().reason, "EVALUATE_TIMEOUT");
  EXPECT_NE(result.error().message.find("the evaluation took longer than 20 s in stage build"), std::string::npos);
  EXPECT_TRUE(worker->killed());
}

TEST_F(Evaluate, DestroyingTheHandleKillsTheWorker) {
  Call call = Start(Request());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  call.handle.reset();
  EXPECT_EQ(call.Wait().error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(worker->killed());
}

TEST_F(Evaluate, ADrainingServerRefuses) {
  service().Drain(seconds(0));
  EXPECT_EQ(Start(Request()).Wait().error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace astrolabe::jobs
