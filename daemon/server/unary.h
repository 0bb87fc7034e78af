// Answers of unary methods: those that are known at once, and those that another thread gives.
#ifndef ASTROLABE_DAEMON_SERVER_UNARY_H_
#define ASTROLABE_DAEMON_SERVER_UNARY_H_

#include <grpcpp/support/server_callback.h>

#include <utility>

#include "daemon/base/result.h"
#include "daemon/server/error_status.h"
#include "daemon/server/tsan_annotate.h"

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

// Returned by the method; whoever has the answer calls Give, once, from any thread. Deletes itself.
class DeferredAnswer final : public grpc::ServerUnaryReactor {
 public:
  void Give(const grpc::Status& status) {
    const TsanHandOver hand_over(this);
    Finish(status);
  }
  void OnDone() override {
    TsanAcquire(this);
    delete this;
  }
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_UNARY_H_
