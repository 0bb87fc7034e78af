#include "client/cli/exit_code.h"

#include <gtest/gtest.h>

#include "astrolabe/client/errors.h"

namespace astrolabe::cli {
namespace {

using absl::StatusCode;
using client::MakeStatus;
using client::Outcome;

int CodeOf(Outcome outcome, bool with_solution = false) {
  client::Result result;
  result.outcome = outcome;
  if (with_solution) result.cost = 5;
  return ExitCodeOf(result);
}

TEST(ExitCode, OfEachOutcome) {
  EXPECT_EQ(CodeOf(Outcome::kSolved, true), 0);
  EXPECT_EQ(CodeOf(Outcome::kUnsolvable), 10);
  EXPECT_EQ(CodeOf(Outcome::kLimitReached, true), 11);
  EXPECT_EQ(CodeOf(Outcome::kLimitReached), 12);
  EXPECT_EQ(CodeOf(Outcome::kCancelled), 13);
  EXPECT_EQ(CodeOf(Outcome::kPluginFailed), 14);
  EXPECT_EQ(CodeOf(Outcome::kExhaustedLocal), 15);
  EXPECT_EQ(CodeOf(Outcome::kInterrupted), 16);
  EXPECT_EQ(CodeOf(Outcome::kRejected), 6);
  EXPECT_EQ(CodeOf(static_cast<Outcome>(99)), 1);
}

TEST(ExitCode, TheBestStateOfALocalSearchCounts) {
  client::Result result;
  result.outcome = Outcome::kLimitReached;
  result.objective = 3;
  EXPECT_EQ(ExitCodeOf(result), 11);
}

TEST(ExitCode, OfEachError) {
  EXPECT_EQ(ExitCodeOf(MakeStatus(StatusCode::kUnavailable, client::kReasonCannotConnect, "")), 3);
  EXPECT_EQ(ExitCodeOf(MakeStatus(StatusCode::kUnavailable, client::kReasonConnectionLost, "")), 7);
  EXPECT_EQ(ExitCodeOf(MakeStatus(StatusCode::kUnavailable, "QUEUE_FULL", "")), 7);
  EXPECT_EQ(ExitCodeOf(absl::PermissionDeniedError("")), 4);
  EXPECT_EQ(ExitCodeOf(absl::UnauthenticatedError("")), 4);
  EXPECT_EQ(ExitCodeOf(absl::NotFoundError("")), 5);
  EXPECT_EQ(ExitCodeOf(absl::InvalidArgumentError("")), 6);
  EXPECT_EQ(ExitCodeOf(absl::FailedPreconditionError("")), 6);
  EXPECT_EQ(ExitCodeOf(MakeStatus(StatusCode::kFailedPrecondition, "PLUGIN_FAILED", "")), 14);
  EXPECT_EQ(ExitCodeOf(MakeStatus(StatusCode::kResourceExhausted, client::kReasonRequestTooLarge, "")), 6);
  EXPECT_EQ(ExitCodeOf(absl::ResourceExhaustedError("")), 7);
  EXPECT_EQ(ExitCodeOf(absl::DataLossError("")), 18);
  EXPECT_EQ(ExitCodeOf(UsageFault("")), 2);
  EXPECT_EQ(ExitCodeOf(absl::InternalError("")), 1);
}

}  // namespace
}  // namespace astrolabe::cli
