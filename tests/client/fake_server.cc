#include "tests/client/fake_server.h"

#include <grpcpp/health_check_service_interface.h>

#include <chrono>
#include <utility>

#include "tests/client/fake_cache.h"
#include "tests/client/fake_catalog.h"
#include "tests/client/fake_info.h"
#include "tests/client/fake_plugins.h"
#include "tests/client/fake_solver.h"

namespace astrolabe::testing {

class FakeServer::Services {
 public:
  explicit Services(FakeBehaviour b)
      : behaviour(std::move(b)),
        solver(&behaviour),
        plugins(&behaviour, false),
        admin_plugins(&behaviour, true),
        cache(&behaviour, false),
        admin_cache(&behaviour, true),
        info(&behaviour) {}
  const FakeBehaviour behaviour;
  FakeSolver solver;
  FakeCatalog catalog;
  FakePlugins plugins;
  FakePlugins admin_plugins;
  FakeCache cache;
  FakeCache admin_cache;
  FakeInfo info;
};

FakeServer::FakeServer(const std::string& socket, FakeBehaviour behaviour)
    : socket_(socket), services_(std::make_unique<Services>(std::move(behaviour))) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder user;
  user.AddListeningPort("unix:" + socket, grpc::InsecureServerCredentials());
  user.SetMaxReceiveMessageSize(64 << 20);
  // gRPC's threads look for work to end only so often; by default that makes a shutdown last 10 s.
  user.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::CQ_TIMEOUT_MSEC, 50);
  user.RegisterService(&services_->solver);
  user.RegisterService(&services_->catalog);
  user.RegisterService(&services_->plugins);
  user.RegisterService(&services_->cache);
  user.RegisterService(&services_->info);
  user_ = user.BuildAndStart();
  grpc::ServerBuilder admin;
  admin.AddListeningPort("unix:" + socket + ".admin", grpc::InsecureServerCredentials());
  admin.RegisterService(&services_->admin_plugins);
  admin.RegisterService(&services_->admin_cache);
  admin.RegisterService(&services_->info);
  admin.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::CQ_TIMEOUT_MSEC, 50);
  admin_ = admin.BuildAndStart();
}

FakeServer::~FakeServer() { Kill(); }

void FakeServer::SetServing(bool serving) { user_->GetHealthCheckService()->SetServingStatus(serving); }

void FakeServer::Kill() {
  user_->Shutdown(std::chrono::system_clock::now());
  admin_->Shutdown(std::chrono::system_clock::now());
}

}  // namespace astrolabe::testing
