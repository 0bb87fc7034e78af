#include "tests/client/rich_error.h"

#include "astrolabe/rpc/v1/error_details.pb.h"

namespace astrolabe::testing {

grpc::Status RichError(grpc::StatusCode code, const std::string& message, const std::string& reason,
                       const std::vector<std::pair<std::string, std::string>>& violations,
                       std::chrono::milliseconds retry) {
  rpc::v1::Status details;
  details.set_code(code);
  details.set_message(message);
  const auto add = [&](const char* name, const google::protobuf::Message& detail) {
    google::protobuf::Any* any = details.add_details();
    any->set_type_url(std::string("type.googleapis.com/google.rpc.") + name);
    any->set_value(detail.SerializeAsString());
  };
  rpc::v1::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain("astrolabe");
  (*info.mutable_metadata())["from"] = "fake";
  add("ErrorInfo", info);
  rpc::v1::BadRequest bad_request;
  for (const auto& [field, description] : violations) {
    auto* violation = bad_request.add_field_violations();
    violation->set_field(field);
    violation->set_description(description);
  }
  if (!violations.empty()) add("BadRequest", bad_request);
  rpc::v1::RetryInfo retry_info;
  retry_info.mutable_retry_delay()->set_seconds(retry.count() / 1000);
  retry_info.mutable_retry_delay()->set_nanos(static_cast<int>(retry.count() % 1000) * 1'000'000);
  if (retry.count() > 0) add("RetryInfo", retry_info);
  return grpc::Status(code, message, details.SerializeAsString());
}

}  // namespace astrolabe::testing
