// Messages of raw methods, which gRPC leaves as they came, and of which it sends what it is given.
#ifndef ASTROLABE_DAEMON_SERVER_PARSE_REQUEST_H_
#define ASTROLABE_DAEMON_SERVER_PARSE_REQUEST_H_

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <new>
#include <string>
#include <utility>

#include "daemon/base/result.h"
#include "daemon/server/request_budget.h"
#include "google/protobuf/message_lite.h"

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

// What `use(message, share)` makes of the request, when there is memory for it; it may keep the share.
template <typename Message, typename Use>
auto UseRequest(const grpc::ByteBuffer& bytes, RequestBudget* budget, Use use)
    -> decltype(use(std::declval<Message>(), std::declval<RequestBudget::Share>())) {
  const auto size = static_cast<int64_t>(bytes.Length());
  Result<RequestBudget::Share> share = budget->Take(size);
  if (!share.ok()) return std::move(share).error();
  // The budget is an estimate, and not the only one that takes memory.
  try {
    Result<Message> message = ParseRequest<Message>(bytes);
    if (!message.ok()) return std::move(message).error();
    return use(*std::move(message), *std::move(share));
  } catch (const std::bad_alloc&) {
    return RequestBudget::Exhausted(size);
  }
}

inline grpc::ByteBuffer ToBytes(const google::protobuf::MessageLite& message) {
  const grpc::Slice slice(message.SerializeAsString());
  return grpc::ByteBuffer(&slice, 1);
}

inline Error InvalidField(std::string field, std::string description) {
  Error error = MakeError(ErrorCode::kInvalidArgument, "INVALID_FIELD", field + ": " + description);
  error.violations.push_back({std::move(field), std::move(description)});
  return error;
}

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_PARSE_REQUEST_H_
