// A call that a worker answers (ValidateInstance, EvaluateStates): cancelled when the client leaves.
#ifndef ASTROLABE_DAEMON_SERVER_WORKER_CALL_H_
#define ASTROLABE_DAEMON_SERVER_WORKER_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "daemon/base/result.h"
#include "daemon/server/error_status.h"
#include "daemon/server/parse_request.h"
#include "daemon/server/request_budget.h"
#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {

// Deletes itself when the call is done.
template <typename Response>
class WorkerCall final : public grpc::ServerUnaryReactor {
 public:
  using Done = std::function<void(Result<Response>)>;

  // `start` begins the work and returns the handle whose destruction cancels it. `response` lives until the call is
  // finished (gRPC sees to it).
  // `share`: of the memory for requests; the work keeps its own copy of one.
  WorkerCall(const std::function<std::shared_ptr<void>(Done)>& start, grpc::ByteBuffer* response,
             RequestBudget::Share share)
      : share_(std::move(share)) {
    shared_->call = this;
    // The answer may come during this call, after the client has left, or never after the handle is gone.
    const Done done = [shared = shared_, response](Result<Response> result) {
      WorkerCall* call = shared->Take();
      if (call == nullptr) return;
      if (result.ok()) *response = ToBytes(*result);
      call->End(result.ok() ? grpc::Status::OK : ToGrpcStatus(result.error()));
    };
    std::shared_ptr<void> handle;
    try {
      handle = start(done);
    } catch (...) {  // out of memory: whoever holds `done` by now finds no call
      (void)shared_->Take();
      throw;
    }
    const std::lock_guard lock(shared_->mutex);
    handle_ = std::move(handle);
  }

  void OnCancel() override {
    Drop();
    if (shared_->Take() != nullptr) End(grpc::Status::CANCELLED);
  }

  void OnDone() override {
    TsanAcquire(this);
    Drop();  // under its mutex: the answer may have come before the constructor had set the handle
    delete this;
  }

 private:
  struct Shared {
    std::mutex mutex;
    WorkerCall* call = nullptr;  // null once somebody has taken the right to finish it

    WorkerCall* Take() {
      const std::lock_guard lock(mutex);
      return std::exchange(call, nullptr);
    }
  };

  // The work is no longer wanted, if it is still done.
  void Drop() {
    std::shared_ptr<void> handle;
    const std::lock_guard lock(shared_->mutex);
    handle = std::move(handle_);
  }

  void End(const grpc::Status& status) {
    const TsanHandOver hand_over(this);
    Finish(status);
  }

  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::shared_ptr<void> handle_;
  const RequestBudget::Share share_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_WORKER_CALL_H_
