#include "daemon/server/validate_call.h"

#include <memory>
#include <mutex>
#include <utility>

#include "daemon/server/error_status.h"
#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {
namespace {

class ValidateCall final : public grpc::ServerUnaryReactor {
 public:
  ValidateCall(jobs::JobService* jobs, const v1::InstanceRef& instance, v1::ValidateInstanceResponse* response) {
    shared_->call = this;
    // The answer may come during this call, after the client has left, or never after the handle is gone.
    std::shared_ptr<void> handle =
        jobs->ValidateInstance(instance, [shared = shared_, response](Result<v1::ValidateInstanceResponse> result) {
          ValidateCall* call = shared->Take();
          if (call == nullptr) return;
          if (result.ok()) *response = std::move(*result);
          TsanRelease(call);
          call->Finish(result.ok() ? grpc::Status::OK : ToGrpcStatus(result.error()));
        });
    const std::lock_guard lock(shared_->mutex);
    handle_ = std::move(handle);
  }

  void OnCancel() override {
    std::shared_ptr<void> handle;
    {
      const std::lock_guard lock(shared_->mutex);
      handle = std::move(handle_);
    }
    if (shared_->Take() != nullptr) Finish(grpc::Status::CANCELLED);
  }

  void OnDone() override {
    TsanAcquire(this);
    delete this;
  }

 private:
  struct Shared {
    std::mutex mutex;
    ValidateCall* call = nullptr;  // null once somebody has taken the right to finish it

    ValidateCall* Take() {
      const std::lock_guard lock(mutex);
      return std::exchange(call, nullptr);
    }
  };

  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::shared_ptr<void> handle_;
};

}  // namespace

grpc::ServerUnaryReactor* StartValidate(jobs::JobService* jobs, const v1::InstanceRef& instance,
                                        v1::ValidateInstanceResponse* response) {
  return new ValidateCall(jobs, instance, response);
}

}  // namespace astrolabe::server
