// Answers of unary methods: everything that is known at once.
#ifndef ASTROLABE_DAEMON_SERVER_UNARY_H_
#define ASTROLABE_DAEMON_SERVER_UNARY_H_

#include <grpcpp/support/server_callback.h>

#include <utility>

#include "daemon/base/result.h"
#include "daemon/server/error_status.h"

namespace astrolabe::server {

inline grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context, const grpc::Status& status) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

// OK after `use(value)` has filled the response, or the error.
template <typename T, typename Use>
grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context, Result<T> result, Use use) {
  if (!result.ok()) return Answer(context, ToGrpcStatus(result.error()));
  use(std::move(*result));
  return Answer(context, grpc::Status::OK);
}

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_UNARY_H_
