#include "daemon/server/error_status.h"

#include <string>

#include "astrolabe/rpc/v1/error_details.pb.h"
#include "daemon/server/safe_text.h"

namespace astrolabe::server {
namespace {

constexpr size_t kMaxMessageBytes = 1024;
constexpr size_t kMaxMetadataBytes = 512;  // one value
constexpr size_t kMaxViolationBytes = 512;
// Base64 on the wire adds a third; message, details and the other trailers share 8 KiB.
constexpr size_t kMaxDetailsBytes = 4096;

template <typename Detail>
void AddDetail(rpc::v1::Status* status, const Detail& detail, const char* type) {
  google::protobuf::Any* any = status->add_details();
  any->set_type_url(std::string("type.googleapis.com/google.rpc.") + type);
  detail.SerializeToString(any->mutable_value());
}

rpc::v1::BadRequest MakeBadRequest(const Error& error, size_t room) {
  rpc::v1::BadRequest out;
  size_t left = error.violations.size();
  for (const FieldViolation& violation : error.violations) {
    rpc::v1::BadRequest::FieldViolation* item = out.add_field_violations();
    item->set_field(SafeText(violation.field, kMaxViolationBytes));
    item->set_description(SafeText(violation.description, kMaxViolationBytes));
    if (out.ByteSizeLong() > room) {
      item->clear_field();
      item->set_description("and " + std::to_string(left) + " more");
      break;
    }
    --left;
  }
  return out;
}

}  // namespace

grpc::StatusCode ToGrpcCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorCode::kNotFound:
      return grpc::StatusCode::NOT_FOUND;
    case ErrorCode::kAlreadyExists:
      return grpc::StatusCode::ALREADY_EXISTS;
    case ErrorCode::kFailedPrecondition:
      return grpc::StatusCode::FAILED_PRECONDITION;
    case ErrorCode::kPermissionDenied:
      return grpc::StatusCode::PERMISSION_DENIED;
    case ErrorCode::kResourceExhausted:
      return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case ErrorCode::kUnavailable:
      return grpc::StatusCode::UNAVAILABLE;
    case ErrorCode::kOutOfRange:
      return grpc::StatusCode::OUT_OF_RANGE;
    case ErrorCode::kCancelled:
      return grpc::StatusCode::CANCELLED;
    case ErrorCode::kUnimplemented:
      return grpc::StatusCode::UNIMPLEMENTED;
    case ErrorCode::kInternal:
      return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::INTERNAL;
}

grpc::Status ToGrpcStatus(const Error& error) {
  const grpc::StatusCode code = ToGrpcCode(error.code);
  const std::string message = SafeText(error.message, kMaxMessageBytes);
  rpc::v1::Status status;
  status.set_code(code);
  status.set_message(message);
  if (!error.reason.empty()) {
    rpc::v1::ErrorInfo info;
    info.set_reason(SafeText(error.reason, kMaxMetadataBytes));
    info.set_domain(kErrorDomain);
    for (const auto& [key, value] : error.metadata) {
      if (info.ByteSizeLong() + key.size() > kMaxDetailsBytes / 2) break;
      (*info.mutable_metadata())[SafeText(key, kMaxMetadataBytes)] = SafeText(value, kMaxMetadataBytes);
    }
    AddDetail(&status, info, "ErrorInfo");
  }
  if (error.retry_after.has_value()) {
    rpc::v1::RetryInfo retry;
    const auto ms = error.retry_after->count();
    retry.mutable_retry_delay()->set_seconds(ms / 1000);
    retry.mutable_retry_delay()->set_nanos(static_cast<int32_t>(ms % 1000 * 1'000'000));
    AddDetail(&status, retry, "RetryInfo");
  }
  if (!error.violations.empty()) {
    const size_t used = status.ByteSizeLong() + kMaxViolationBytes;
    AddDetail(&status, MakeBadRequest(error, used < kMaxDetailsBytes ? kMaxDetailsBytes - used : 0), "BadRequest");
  }
  return grpc::Status(code, message, status.details_size() == 0 ? std::string() : status.SerializeAsString());
}

grpc::Status ToGrpcStatus(const Status& status) {
  return status.ok() ? grpc::Status::OK : ToGrpcStatus(status.error());
}

}  // namespace astrolabe::server
