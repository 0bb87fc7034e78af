#include "daemon/server/path_call.h"

#include <grpcpp/generic/generic_stub.h>

#include <string>
#include <vector>

#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

v1::ValidatePathRequest First() {
  v1::ValidatePathRequest request;
  request.mutable_instance()->set_text("1 2 0");
  return request;
}

v1::ValidatePathRequest Moves(int count) {
  v1::ValidatePathRequest request;
  for (int i = 0; i < count; ++i) request.add_ops(1);
  return request;
}

struct Answer {
  grpc::Status status;
  v1::ValidatePathResponse response;
};

Answer Call(Harness& h, const std::vector<v1::ValidatePathRequest>& requests) {
  const auto stub = h.Solver();
  grpc::ClientContext context;
  Answer answer;
  const auto writer = stub->ValidatePath(&context, &answer.response);
  for (const v1::ValidatePathRequest& request : requests) {
    if (!writer->Write(request)) break;
  }
  writer->WritesDone();
  answer.status = writer->Finish();
  return answer;
}

std::string FieldOf(const grpc::Status& status) {
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
  const auto fault = FindDetail<rpc::v1::BadRequest>(status, "BadRequest");
  return fault.field_violations_size() == 1 ? fault.field_violations(0).field() : "";
}

TEST(PathCall, AllPiecesReachTheJobServiceInOrder) {
  Harness h;
  std::vector<v1::ValidatePathRequest> requests = {First()};
  for (int i = 0; i < 50; ++i) requests.push_back(Moves(i));
  requests.emplace_back().add_op_names("UP");
  const Answer answer = Call(h, requests);
  ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.response.length(), 50 * 49 / 2 + 1);
  EXPECT_EQ(answer.response.cost(), 50 * 49 / 2);
}

TEST(PathCall, MovesMayComeWithTheInstanceAndMayBeNone) {
  Harness h;
  v1::ValidatePathRequest only = First();
  only.add_ops(5);
  EXPECT_EQ(Call(h, {only}).response.cost(), 5);
  const Answer empty = Call(h, {First()});
  EXPECT_TRUE(empty.status.ok());
  EXPECT_EQ(empty.response.length(), 0);
}

TEST(PathCall, AnEarlyAnswerEndsTheCallWhileTheClientStillSends) {
  Harness h;
  h.jobs.path_moves_wanted = 3;
  const auto stub = h.Solver();
  grpc::ClientContext context;
  v1::ValidatePathResponse response;
  const auto writer = stub->ValidatePath(&context, &response);
  ASSERT_TRUE(writer->Write(First()));
  // Without an end: only the server can end it.
  while (writer->Write(Moves(1))) {
  }
  const grpc::Status status = writer->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.length(), 3);
}

TEST(PathCall, MessagesThatMakeNoSenseAreRefused) {
  Harness h;
  EXPECT_EQ(FieldOf(Call(h, {}).status), "instance");
  EXPECT_EQ(FieldOf(Call(h, {Moves(2)}).status), "instance");
  EXPECT_EQ(FieldOf(Call(h, {First(), First()}).status), "instance");
  v1::ValidatePathRequest both = Moves(1);
  both.add_op_names("UP");
  EXPECT_EQ(FieldOf(Call(h, {First(), both}).status), "op_names");
}

TEST(PathCall, ErrorsOfTheJobServiceAreTold) {
  Harness h;
  Error error = MakeError(ErrorCode::kInvalidArgument, "INSTANCE_REJECTED", "bad");
  error.violations = {{"instance:1:3", "expected a number"}};
  h.jobs.refuse = error;
  EXPECT_EQ(FieldOf(Call(h, {First(), Moves(1)}).status), "instance:1:3");
}

TEST(PathCall, AMessageThatCannotBeParsedIsNotTheEndOfThePath) {
  Harness h;
  grpc::GenericStub stub(h.UserChannel());
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareCall(&context, "/astrolabe.v1.SolverService/ValidatePath", &queue);
  const auto wait = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  call->StartCall(nullptr);
  ASSERT_TRUE(wait());
  for (const std::string& bytes : {First().SerializeAsString(), std::string("\x1a\x02\xff\xfe", 4)}) {
    const grpc::Slice slice(bytes);
    call->Write(grpc::ByteBuffer(&slice, 1), nullptr);
    ASSERT_TRUE(wait());
  }
  grpc::Status status;
  call->Finish(&status, nullptr);
  ASSERT_TRUE(wait());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("UTF-8"), std::string::npos) << status.error_message();
}

TEST(PathCall, AClientThatLeavesDropsTheRun) {
  Harness h;
  const int dropped = h.jobs.seen().validations_dropped;
  const auto stub = h.Solver();
  for (const bool waits : {true, false}) {
    h.jobs.validate_waits = waits;
    grpc::ClientContext context;
    v1::ValidatePathResponse response;
    const auto writer = stub->ValidatePath(&context, &response);
    ASSERT_TRUE(writer->Write(First()));
    if (waits) {
      context.TryCancel();
    } else {
      ASSERT_TRUE(writer->Write(Moves(1)));
      context.TryCancel();
    }
    EXPECT_EQ(writer->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  // The cancel may come before the first message: then there is no run.
  EXPECT_TRUE(testing::Eventually([&] { return h.context.streams.size() == 0; }));
  EXPECT_TRUE(testing::Eventually([&] { return h.jobs.seen().validations_dropped == h.jobs.seen().paths; }));
  EXPECT_GE(h.jobs.seen().validations_dropped, dropped);
}

TEST(PathCall, AClientThatSendsNoFirstMessageIsEndedInTime) {
  Harness h;
  const auto stub = h.Solver();
  grpc::ClientContext context;
  v1::ValidatePathResponse response;
  const auto writer = stub->ValidatePath(&context, &response);
  ASSERT_TRUE(testing::Eventually([&] { return h.context.streams.size() == 1; }));
  h.time.Advance(PathCall::kFirstMessageLimit - std::chrono::milliseconds(1));
  EXPECT_EQ(h.context.timers->size(), 1u) << "not yet";
  h.time.Advance(std::chrono::milliseconds(1));
  const grpc::Status status = writer->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION) << status.error_message();
  EXPECT_NE(status.error_message().find("no message came within 60 s"), std::string::npos) << status.error_message();
  EXPECT_EQ(FindDetail<rpc::v1::ErrorInfo>(status, "ErrorInfo").reason(), "PATH_TIMEOUT");
  EXPECT_EQ(h.jobs.seen().paths, 0);
  EXPECT_TRUE(testing::Eventually([&] { return h.context.streams.size() == 0; }));
}

// From then on it is the job service that has the limit.
TEST(PathCall, TheFirstMessageEndsTheWaitForIt) {
  Harness h;
  const auto stub = h.Solver();
  grpc::ClientContext context;
  v1::ValidatePathResponse response;
  const auto writer = stub->ValidatePath(&context, &response);
  ASSERT_TRUE(writer->Write(First()));
  ASSERT_TRUE(testing::Eventually([&] { return h.jobs.seen().paths == 1; }));
  EXPECT_EQ(h.context.timers->size(), 0u);
  h.time.Advance(PathCall::kFirstMessageLimit * 2);
  ASSERT_TRUE(writer->Write(Moves(2)));
  writer->WritesDone();
  const grpc::Status status = writer->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.length(), 2);
}

TEST(PathCall, ShutdownEndsACallThatIsSilent) {
  Harness h;
  const auto stub = h.Solver();
  grpc::ClientContext context;
  v1::ValidatePathResponse response;
  const auto writer = stub->ValidatePath(&context, &response);
  ASSERT_TRUE(writer->Write(First()));
  ASSERT_TRUE(testing::Eventually([&] { return h.jobs.seen().paths == 1; }));
  h.context.streams.AbortAll({grpc::StatusCode::UNAVAILABLE, "over"});
  const grpc::Status status = writer->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status.error_message(), "over");
  EXPECT_TRUE(testing::Eventually([&] { return h.jobs.seen().validations_dropped == 1; }));
  grpc::ClientContext late;
  EXPECT_EQ(stub->ValidatePath(&late, &response)->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace astrolabe::server
