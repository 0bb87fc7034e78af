#include "client/src/status.h"

#include <gtest/gtest.h>

#include "astrolabe/client/errors.h"
#include "astrolabe/rpc/v1/error_details.pb.h"
#include "grpcpp/support/status.h"

namespace astrolabe::client {
namespace {

const CallSite kSite{"unix:/s", std::chrono::milliseconds(250)};

template <typename Message>
void AddDetail(const char* name, const Message& message, rpc::v1::Status* status) {
  auto* any = status->add_details();
  any->set_type_url(std::string("type.googleapis.com/google.rpc.") + name);
  any->set_value(message.SerializeAsString());
}

grpc::Status Rich() {
  rpc::v1::Status details;
  rpc::v1::ErrorInfo info;
  info.set_reason("BAD_SPEC");
  (*info.mutable_metadata())["did_you_mean"] = "manhattan";
  AddDetail("ErrorInfo", info, &details);
  rpc::v1::BadRequest bad;
  bad.add_field_violations()->set_field("spec.threads");
  bad.mutable_field_violations(0)->set_description("must be at least 0");
  bad.add_field_violations()->set_field("spec.seed");
  bad.mutable_field_violations(1)->set_description("is odd");
  AddDetail("BadRequest", bad, &details);
  rpc::v1::RetryInfo retry;
  retry.mutable_retry_delay()->set_nanos(500'000'000);
  AddDetail("RetryInfo", retry, &details);
  return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "2 fields are wrong", details.SerializeAsString());
}

TEST(Status, TheMessageNamesEveryWrongField) {
  const absl::Status status = FromGrpc(Rich(), kSite);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "2 fields are wrong; spec.threads: must be at least 0; spec.seed: is odd");
}

TEST(Status, TheDetailsAreTyped) {
  const absl::Status status = FromGrpc(Rich(), kSite);
  EXPECT_EQ(FieldViolations(status),
            (std::vector<FieldViolation>{{"spec.threads", "must be at least 0"}, {"spec.seed", "is odd"}}));
  EXPECT_EQ(Reason(status), "BAD_SPEC");
  EXPECT_EQ(ErrorMetadata(status).at("did_you_mean"), "manhattan");
  EXPECT_EQ(RetryDelay(status), std::chrono::milliseconds(500));
}

TEST(Status, OkHasNothing) {
  const absl::Status status = FromGrpc(grpc::Status::OK, kSite);
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(Reason(status), "");
  EXPECT_TRUE(FieldViolations(status).empty());
  EXPECT_FALSE(RetryDelay(status).has_value());
}

TEST(Status, ErrorsOfGrpcItselfAreExplained) {
  const absl::Status lost = FromGrpc(grpc::Status(grpc::StatusCode::UNAVAILABLE, "Socket closed"), kSite);
  EXPECT_EQ(Reason(lost), kReasonConnectionLost);
  EXPECT_EQ(lost.message(), "lost the connection to the server at unix:/s (Socket closed)");
  const absl::Status late = FromGrpc(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded"), kSite);
  EXPECT_EQ(Reason(late), kReasonTimeout);
  EXPECT_EQ(late.message(), "no answer from unix:/s within 250 ms");
  const absl::Status old = FromGrpc(grpc::Status(grpc::StatusCode::UNIMPLEMENTED, ""), kSite);
  EXPECT_EQ(old.code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(old.message().find("older than this client"), absl::string_view::npos);
  const absl::Status full =
      FromGrpc(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "Received RST_STREAM with error code 11"), kSite);
  EXPECT_EQ(Reason(full), kReasonServerMemory);
  EXPECT_EQ(RetryDelay(full), std::chrono::milliseconds(1000));
  const absl::Status large =
      FromGrpc(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "Received message larger than max"), kSite);
  EXPECT_EQ(large.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(large.message().find("larger than the other side takes"), absl::string_view::npos);
}

TEST(Status, BrokenDetailsDoNotHideTheError) {
  const absl::Status status =
      FromGrpc(grpc::Status(grpc::StatusCode::NOT_FOUND, "no such thing", "\xff\xff garbage"), kSite);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "no such thing");
}

}  // namespace
}  // namespace astrolabe::client
