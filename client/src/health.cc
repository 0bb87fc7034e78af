#include "client/src/health.h"

#include "client/src/byte_buffer.h"
#include "client/src/wire_reader.h"
#include "grpcpp/client_context.h"
#include "grpcpp/impl/client_unary_call.h"
#include "grpcpp/impl/rpc_method.h"
#include "grpcpp/support/byte_buffer.h"

namespace astrolabe::client {
namespace {

constexpr int kMaxServiceName = 127;  // its length is then one byte on the wire
constexpr uint64_t kServing = 1;

}  // namespace

absl::StatusOr<bool> CheckHealth(grpc::Channel* channel, const CallSite& site, const std::string& service) {
  if (service.size() > kMaxServiceName) return absl::InvalidArgumentError("the service name is too long");
  std::string request;
  if (!service.empty()) {
    request.push_back('\x0A');  // field 1, length-delimited
    request.push_back(static_cast<char>(service.size()));
    request += service;
  }
  const grpc::Slice slice(request);
  const grpc::ByteBuffer request_bytes(&slice, 1);
  grpc::ByteBuffer response_bytes;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + site.timeout);
  const grpc::internal::RpcMethod method("/grpc.health.v1.Health/Check", grpc::internal::RpcMethod::NORMAL_RPC);
  const absl::Status status =
      FromGrpc(grpc::internal::BlockingUnaryCall(channel, method, &context, request_bytes, &response_bytes), site);
  if (!status.ok()) return status;

  const std::string response = ToString(response_bytes);
  WireReader reader(response);
  uint64_t serving = 0;
  while (reader.more()) {
    const uint32_t tag = reader.Tag();
    if (tag == (1u << 3 | kVarint)) {
      serving = reader.Varint();
    } else {
      reader.Skip(tag);
    }
  }
  return reader.ok() && serving == kServing;
}

}  // namespace astrolabe::client
