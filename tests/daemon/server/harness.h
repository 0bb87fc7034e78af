// Real gRPC servers on unix sockets in a temporary folder, the real adapters on them, fakes below.
#ifndef ASTROLABE_TESTS_DAEMON_SERVER_HARNESS_H_
#define ASTROLABE_TESTS_DAEMON_SERVER_HARNESS_H_

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "astrolabe/rpc/v1/error_details.pb.h"
#include "daemon/server/cache_service.h"
#include "daemon/server/catalog_service.h"
#include "daemon/server/grpc_server.h"
#include "daemon/server/plugin_service.h"
#include "daemon/server/server_service.h"
#include "daemon/server/solver_service.h"
#include "tests/daemon/jobs/fake_time.h"
#include "tests/daemon/server/cache_files.h"
#include "tests/daemon/server/fake_jobs.h"
#include "tests/daemon/server/fake_registry.h"
#include "tests/support/process.h"

namespace astrolabe::server {

class Harness {
 public:
  Harness() {
    context.timers = time.timers;
    solver_ = std::make_unique<SolverService>(&context, &jobs);
    catalog_ = std::make_unique<CatalogService>(&context, &registry, &jobs);
    user_plugins_ = std::make_unique<PluginService>(&context, &registry, "the address with \".admin\" appended");
    admin_plugins_ = std::make_unique<PluginService>(&context, &registry, PluginAdmin{&task_thread, &loads});
    cache_store_ = std::make_unique<CacheStore>(cache_files.path());
    user_cache_ = std::make_unique<CacheService>(&context, cache_store_.get(), &task_thread,
                                                 "the address with \".admin\" appended");
    admin_cache_ = std::make_unique<CacheService>(&context, cache_store_.get(), &task_thread, &verify_thread);
    ServerIdentity identity{"abc", "9.8.7", std::chrono::system_clock::now(), 1 << 20, 6, 77};
    user_info_ = std::make_unique<ServerService>(&context, identity, &jobs, &pool, "hint", DrainAccess{});
    admin_info_ = std::make_unique<ServerService>(&context, identity, &jobs, &pool, "hint",
                                                  DrainAccess{&task_thread, [this] { user->SetServing(false); }});
    user = Start("u.sock", {{v1::SolverService::service_full_name(), solver_.get()},
                            {v1::CatalogService::service_full_name(), catalog_.get()},
                            {v1::PluginService::service_full_name(), user_plugins_.get()},
                            {v1::CacheService::service_full_name(), user_cache_.get()},
                            {v1::ServerService::service_full_name(), user_info_.get()}});
    admin = Start("a.sock", {{v1::PluginService::service_full_name(), admin_plugins_.get()},
                             {v1::CacheService::service_full_name(), admin_cache_.get()},
                             {v1::ServerService::service_full_name(), admin_info_.get()}});
  }
  ~Harness() {
    context.streams.AbortAll({grpc::StatusCode::UNAVAILABLE, "the test is over"});
    task_thread.Stop();
    verify_thread.Stop();
  }

  // A connection of its own each time.
  std::shared_ptr<grpc::Channel> UserChannel() const { return Connect("u.sock"); }
  std::shared_ptr<grpc::Channel> AdminChannel() const { return Connect("a.sock"); }
  std::unique_ptr<v1::SolverService::Stub> Solver() const { return v1::SolverService::NewStub(UserChannel()); }

  testing::TempFolder folder;
  jobs::FakeTime time;  // stands still
  ServiceContext context;
  FakeJobs jobs;
  FakeRegistry registry;
  FakePool pool;
  PluginLoadCounters loads;
  TaskThread task_thread;
  TaskThread verify_thread;
  CacheFiles cache_files;

 private:
  std::unique_ptr<GrpcServer> Start(const std::string& name, std::vector<NamedService> services) {
    auto server = GrpcServer::Start({"unix:" + folder / name, std::move(services), 1 << 20});
    if (!server.ok()) {
      ADD_FAILURE() << server.error().message;
      std::abort();
    }
    (*server)->SetServing(true);
    return std::move(*server);
  }
  std::shared_ptr<grpc::Channel> Connect(const std::string& name) const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel("unix:" + folder / name, grpc::InsecureChannelCredentials(), arguments);
  }

  std::unique_ptr<SolverService> solver_;
  std::unique_ptr<CatalogService> catalog_;
  std::unique_ptr<PluginService> user_plugins_;
  std::unique_ptr<PluginService> admin_plugins_;
  std::unique_ptr<CacheStore> cache_store_;
  std::unique_ptr<CacheService> user_cache_;
  std::unique_ptr<CacheService> admin_cache_;
  std::unique_ptr<ServerService> user_info_;
  std::unique_ptr<ServerService> admin_info_;

 public:
  std::unique_ptr<GrpcServer> user;
  std::unique_ptr<GrpcServer> admin;
};

// The google.rpc.Status a client finds in the trailers.
inline rpc::v1::Status DetailsOf(const grpc::Status& status) {
  rpc::v1::Status out;
  EXPECT_TRUE(out.ParseFromString(status.error_details()));
  return out;
}

// The detail of that type; a default one when there is none.
template <typename Detail>
Detail FindDetail(const grpc::Status& status, const std::string& type) {
  Detail out;
  const rpc::v1::Status details = DetailsOf(status);
  for (const auto& any : details.details()) {
    if (any.type_url() == "type.googleapis.com/google.rpc." + type) {
      EXPECT_TRUE(out.ParseFromString(any.value()));
    }
  }
  return out;
}

}  // namespace astrolabe::server

#endif  // ASTROLABE_TESTS_DAEMON_SERVER_HARNESS_H_
