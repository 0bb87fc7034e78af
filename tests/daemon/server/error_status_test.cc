#include "daemon/server/error_status.h"

#include <gtest/gtest.h>

#include "daemon/base/utf8.h"
#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

TEST(ErrorStatus, EveryCodeBecomesTheGrpcCodeOfItsName) {
  const std::pair<ErrorCode, grpc::StatusCode> kPairs[] = {
      {ErrorCode::kInvalidArgument, grpc::StatusCode::INVALID_ARGUMENT},
      {ErrorCode::kNotFound, grpc::StatusCode::NOT_FOUND},
      {ErrorCode::kAlreadyExists, grpc::StatusCode::ALREADY_EXISTS},
      {ErrorCode::kFailedPrecondition, grpc::StatusCode::FAILED_PRECONDITION},
      {ErrorCode::kPermissionDenied, grpc::StatusCode::PERMISSION_DENIED},
      {ErrorCode::kResourceExhausted, grpc::StatusCode::RESOURCE_EXHAUSTED},
      {ErrorCode::kUnavailable, grpc::StatusCode::UNAVAILABLE},
      {ErrorCode::kOutOfRange, grpc::StatusCode::OUT_OF_RANGE},
      {ErrorCode::kCancelled, grpc::StatusCode::CANCELLED},
      {ErrorCode::kUnimplemented, grpc::StatusCode::UNIMPLEMENTED},
      {ErrorCode::kInternal, grpc::StatusCode::INTERNAL},
  };
  for (const auto& [code, expected] : kPairs) EXPECT_EQ(ToGrpcCode(code), expected);
  EXPECT_TRUE(ToGrpcStatus(Status()).ok());
}

TEST(ErrorStatus, DetailsHaveReasonDomainMetadataRetryAndAllViolations) {
  Error error = MakeError(ErrorCode::kUnavailable, "QUEUE_FULL", "the queue is full");
  error.metadata = {{"limit", "1000"}};
  error.retry_after = std::chrono::milliseconds(2250);
  error.violations = {{"a", "x"}, {"b", "y"}, {"c", "z"}};
  const grpc::Status status = ToGrpcStatus(error);
  EXPECT_EQ(status.error_message(), "the queue is full");
  EXPECT_EQ(DetailsOf(status).code(), 14);
  EXPECT_EQ(DetailsOf(status).message(), "the queue is full");
  const auto info = FindDetail<rpc::v1::ErrorInfo>(status, "ErrorInfo");
  EXPECT_EQ(info.reason(), "QUEUE_FULL");
  EXPECT_EQ(info.domain(), "astrolabe");
  EXPECT_EQ(info.metadata().at("limit"), "1000");
  const auto retry = FindDetail<rpc::v1::RetryInfo>(status, "RetryInfo");
  EXPECT_EQ(retry.retry_delay().seconds(), 2);
  EXPECT_EQ(retry.retry_delay().nanos(), 250'000'000);
  EXPECT_EQ(FindDetail<rpc::v1::BadRequest>(status, "BadRequest").field_violations_size(), 3);
}

TEST(ErrorStatus, StaysBelowWhatPeersAcceptAndCountsWhatIsLeftOut) {
  Error error = MakeError(ErrorCode::kInvalidArgument, "BAD", std::string(50'000, 'm'));
  error.metadata["long"] = std::string(50'000, 'v');
  for (int i = 0; i < 1000; ++i) error.violations.push_back({"field" + std::to_string(i), std::string(80, 'd')});
  const grpc::Status status = ToGrpcStatus(error);
  EXPECT_LE(status.error_message().size(), 1024u);
  EXPECT_LE(status.error_details().size() * 4 / 3 + status.error_message().size(), 8000u);
  const auto bad = FindDetail<rpc::v1::BadRequest>(status, "BadRequest");
  const int shown = bad.field_violations_size() - 1;
  ASSERT_GT(shown, 5);
  EXPECT_EQ(bad.field_violations(shown).description(), "and " + std::to_string(1000 - shown) + " more");
}

TEST(ErrorStatus, ReachesARealClientWholeAtItsLargest) {
  Harness h;
  Error error = MakeError(ErrorCode::kInvalidArgument, "BAD", std::string(50'000, 'm'));
  for (int i = 0; i < 1000; ++i) error.violations.push_back({"field" + std::to_string(i), std::string(80, 'd')});
  h.jobs.refuse = error;
  grpc::ClientContext context;
  const auto stub = h.Solver();
  const grpc::Status status = stub->Solve(&context, v1::SolveRequest())->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
  EXPECT_EQ(status.error_details(), ToGrpcStatus(error).error_details());
}

TEST(ErrorStatus, TextsAreValidUtf8WhateverAPluginSaid) {
  Error error = MakeError(ErrorCode::kInternal, "X", "bad \xff\xfe bytes");
  error.violations = {{"\xc3", "\xed\xa0\x80"}};
  const grpc::Status status = ToGrpcStatus(error);
  EXPECT_TRUE(IsValidUtf8(status.error_message()));
  EXPECT_TRUE(IsValidUtf8(FindDetail<rpc::v1::BadRequest>(status, "BadRequest").field_violations(0).field()));
}

}  // namespace
}  // namespace astrolabe::server
