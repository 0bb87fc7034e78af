// The double's ServerService.
#ifndef ASTROLABE_TESTS_CLIENT_FAKE_INFO_H_
#define ASTROLABE_TESTS_CLIENT_FAKE_INFO_H_

#include <unistd.h>

#include "astrolabe/v1/server.grpc.pb.h"
#include "tests/client/fake_behaviour.h"
#include "tests/client/rich_error.h"

namespace astrolabe::testing {

class FakeInfo : public v1::ServerService::Service {
 public:
  explicit FakeInfo(const FakeBehaviour* behaviour) : behaviour_(behaviour) {}
  grpc::Status GetServerInfo(grpc::ServerContext*, const v1::GetServerInfoRequest*,
                             v1::GetServerInfoResponse* response) override {
    response->set_version(behaviour_->version);
    response->set_max_request_bytes(behaviour_->max_request_bytes);
    response->mutable_load()->set_running(behaviour_->running_jobs);
    response->set_draining(behaviour_->draining);
    response->set_pid(behaviour_->pid != 0 ? behaviour_->pid : getpid());
    return grpc::Status::OK;
  }
  grpc::Status Drain(grpc::ServerContext*, const v1::DrainRequest* request, v1::DrainResponse*) override {
    if (!behaviour_->drain) return RichError(grpc::StatusCode::PERMISSION_DENIED, "only for admins", "ADMIN_ONLY");
    behaviour_->drain(*request);
    return grpc::Status::OK;
  }

 private:
  const FakeBehaviour* behaviour_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_FAKE_INFO_H_
