// Messages of raw methods, which gRPC leaves as they came.
#ifndef ASTROLABE_DAEMON_SERVER_PARSE_REQUEST_H_
#define ASTROLABE_DAEMON_SERVER_PARSE_REQUEST_H_

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <string>
#include <utility>

#include "daemon/base/result.h"

namespace astrolabe::server {

// kInvalidArgument when it is not one.
template <typename Message>
Result<Message> ParseRequest(const grpc::ByteBuffer& bytes) {
  grpc::ByteBuffer copy(bytes);  // shares the slices
  grpc::ProtoBufferReader reader(&copy);
  Message message;
  if (reader.status().ok() && message.ParseFromZeroCopyStream(&reader)) return message;
  return MakeError(
      ErrorCode::kInvalidArgument, "MALFORMED_REQUEST",
      "the request is not a valid " + message.GetTypeName() + " (strings must be UTF-8; send other bytes in `data`)");
}

inline Error InvalidField(std::string field, std::string description) {
  Error error = MakeError(ErrorCode::kInvalidArgument, "INVALID_FIELD", field + ": " + description);
  error.violations.push_back({std::move(field), std::move(description)});
  return error;
}

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_PARSE_REQUEST_H_
