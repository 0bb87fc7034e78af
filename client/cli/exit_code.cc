#include "client/cli/exit_code.h"

#include "absl/strings/cord.h"
#include "astrolabe/client/errors.h"

namespace astrolabe::cli {

namespace {

constexpr char kUsagePayload[] = "astrolabe/cli/usage";

}  // namespace

absl::Status UsageFault(const std::string& message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kUsagePayload, absl::Cord());
  return status;
}

ExitCode ExitCodeOf(const client::Result& result) {
  switch (result.outcome) {
    case client::Outcome::kSolved:
      return kExitSolved;
    case client::Outcome::kUnsolvable:
      return kExitUnsolvable;
    case client::Outcome::kExhaustedLocal:
      return kExitLocalOptimum;
    case client::Outcome::kLimitReached:
      return result.cost || result.objective ? kExitLimitBestFound : kExitLimitNothingFound;
    case client::Outcome::kCancelled:
      return kExitCancelled;
    case client::Outcome::kRejected:
      return kExitBadInput;
    case client::Outcome::kPluginFailed:
      return kExitPluginFailed;
    case client::Outcome::kInterrupted:
      return kExitInterrupted;
    case client::Outcome::kUnspecified:
      break;
  }
  return kExitInternal;
}

ExitCode ExitCodeOf(const absl::Status& status) {
  if (status.GetPayload(kUsagePayload)) return kExitUsage;
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitSolved;
    case absl::StatusCode::kUnavailable:
      return client::Reason(status) == client::kReasonCannotConnect ? kExitCannotConnect : kExitUnavailable;
    case absl::StatusCode::kDeadlineExceeded:
      return kExitUnavailable;
    case absl::StatusCode::kResourceExhausted:
      return client::Reason(status) == client::kReasonRequestTooLarge ? kExitBadInput : kExitUnavailable;
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kPermissionDenied:
      return kExitNotAuthorised;
    case absl::StatusCode::kNotFound:
      return kExitNotFound;
    case absl::StatusCode::kFailedPrecondition:
      return client::Reason(status) == "PLUGIN_FAILED" ? kExitPluginFailed : kExitBadInput;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kAlreadyExists:
      return kExitBadInput;
    case absl::StatusCode::kCancelled:
      return kExitCancelled;
    case absl::StatusCode::kDataLoss:
      return kExitDamaged;
    default:
      return kExitInternal;
  }
}

}  // namespace astrolabe::cli
