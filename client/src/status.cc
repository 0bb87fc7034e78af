#include "client/src/status.h"

#include <optional>
#include <string_view>

#include "absl/strings/cord.h"
#include "astrolabe/client/errors.h"
#include "astrolabe/rpc/v1/error_details.pb.h"
#include "client/src/convert_common.h"
#include "grpcpp/support/status.h"

namespace astrolabe::client {
namespace {

constexpr char kBadRequestUrl[] = "type.googleapis.com/google.rpc.BadRequest";
constexpr char kErrorInfoUrl[] = "type.googleapis.com/google.rpc.ErrorInfo";
constexpr char kRetryInfoUrl[] = "type.googleapis.com/google.rpc.RetryInfo";

template <typename Message>
std::optional<Message> Payload(const absl::Status& status, const char* url) {
  const absl::optional<absl::Cord> payload = status.GetPayload(url);
  Message message;
  if (!payload || !message.ParseFromString(std::string(*payload))) return std::nullopt;
  return message;
}

// ENHANCE_YOUR_CALM of HTTP/2: a server of gRPC ends calls like that when what it is receiving takes all its memory.
bool IsCallOfTooMany(const grpc::Status& status) {
  return status.error_message().find("RST_STREAM with error code 11") != std::string::npos;
}

absl::Status OutOfMemory(const CallSite& site) {
  absl::Status status = MakeStatus(
      absl::StatusCode::kResourceExhausted, kReasonServerMemory,
      "the server at " + site.address + " has no memory for all that it is being sent, and ended this call: try again");
  rpc::v1::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(1);
  status.SetPayload(kRetryInfoUrl, absl::Cord(retry.SerializeAsString()));
  return status;
}

// Codes that gRPC makes itself, without our details, in words that help.
absl::Status Explain(const grpc::Status& status, const CallSite& site) {
  const std::string said = status.error_message().empty() ? "" : " (" + status.error_message() + ")";
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      return MakeStatus(absl::StatusCode::kUnavailable, kReasonConnectionLost,
                        "lost the connection to the server at " + site.address + said);
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return MakeStatus(
          absl::StatusCode::kDeadlineExceeded, kReasonTimeout,
          "no answer from " + site.address +
              (site.timeout.count() == 0 ? " in time" : " within " + std::to_string(site.timeout.count()) + " ms"));
    case grpc::StatusCode::UNIMPLEMENTED:
      return absl::UnimplementedError("the server at " + site.address +
                                      " does not offer this call; it may be older than this client" + said);
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      if (IsCallOfTooMany(status)) return OutOfMemory(site);
      return absl::ResourceExhaustedError("a message was larger than the other side takes" + said);
    default:
      return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  }
}

}  // namespace

absl::Status MakeStatus(absl::StatusCode code, const std::string& reason, const std::string& message) {
  absl::Status status(code, message);
  rpc::v1::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain("astrolabe.client");
  status.SetPayload(kErrorInfoUrl, absl::Cord(info.SerializeAsString()));
  return status;
}

absl::Status FromGrpc(const grpc::Status& grpc_status, const CallSite& site) {
  if (grpc_status.ok()) return absl::OkStatus();
  rpc::v1::Status details;
  if (!details.ParseFromString(grpc_status.error_details()) || details.details().empty()) {
    return Explain(grpc_status, site);
  }
  std::string message = grpc_status.error_message();
  for (const auto& any : details.details()) {
    rpc::v1::BadRequest bad_request;
    if (any.type_url() != kBadRequestUrl || !bad_request.ParseFromString(any.value())) continue;
    for (const auto& violation : bad_request.field_violations()) {
      // A message that already tells the only fault is not made to say it twice.
      if (message.find(violation.description()) != std::string::npos) continue;
      message += message.empty() ? "" : "; ";
      message +=
          violation.field().empty() ? violation.description() : violation.field() + ": " + violation.description();
    }
  }
  absl::Status status(static_cast<absl::StatusCode>(grpc_status.error_code()), message);
  for (const auto& any : details.details()) status.SetPayload(any.type_url(), absl::Cord(any.value()));
  return status;
}

std::vector<FieldViolation> FieldViolations(const absl::Status& status) {
  std::vector<FieldViolation> violations;
  if (const auto bad_request = Payload<rpc::v1::BadRequest>(status, kBadRequestUrl)) {
    for (const auto& violation : bad_request->field_violations()) {
      violations.push_back({violation.field(), violation.description()});
    }
  }
  return violations;
}

std::string Reason(const absl::Status& status) {
  const auto info = Payload<rpc::v1::ErrorInfo>(status, kErrorInfoUrl);
  return info ? info->reason() : "";
}

std::map<std::string, std::string> ErrorMetadata(const absl::Status& status) {
  const auto info = Payload<rpc::v1::ErrorInfo>(status, kErrorInfoUrl);
  if (!info) return {};
  return {info->metadata().begin(), info->metadata().end()};
}

std::optional<std::chrono::milliseconds> RetryDelay(const absl::Status& status) {
  const auto info = Payload<rpc::v1::RetryInfo>(status, kRetryInfoUrl);
  if (!info) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(FromProto(info->retry_delay()));
}

}  // namespace astrolabe::client
