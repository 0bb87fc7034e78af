// astrolabe.v1.ServerService: who this server is, and draining it (admin listener only).
#ifndef ASTROLABE_DAEMON_SERVER_SERVER_SERVICE_H_
#define ASTROLABE_DAEMON_SERVER_SERVER_SERVICE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "astrolabe/v1/server.grpc.pb.h"
#include "daemon/jobs/job_service.h"
#include "daemon/server/service_context.h"
#include "daemon/server/task_thread.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::server {

// What does not change while the server runs.
struct ServerIdentity {
  std::string instance_id;
  std::string version;
  std::chrono::system_clock::time_point start_time;
  int64_t max_request_bytes = 32ll << 20;
  int slots = 0;
  int queue_limit = 0;
};

// 32 lower-case hex digits, new at every call.
std::string MakeInstanceId();

// Empty on the user listener.
struct DrainAccess {
  TaskThread* thread = nullptr;
  // Health goes NOT_SERVING here. On the task thread, before jobs are refused.
  std::function<void()> on_drain;
};

class ServerService final : public v1::ServerService::CallbackService {
 public:
  // All outlive the server. `admin_hint` as in PluginService.
  ServerService(ServiceContext* context, ServerIdentity identity, jobs::JobService* jobs,
                const workers::WorkerPool* pool, std::string admin_hint, DrainAccess drain)
      : context_(context),
        identity_(std::move(identity)),
        jobs_(jobs),
        pool_(pool),
        admin_hint_(std::move(admin_hint)),
        drain_(std::move(drain)) {}

  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext*, const v1::GetServerInfoRequest*,
                                          v1::GetServerInfoResponse*) override;
  // Answers when every job is done. The process stays, for results to be read, until it is told to end.
  grpc::ServerUnaryReactor* Drain(grpc::CallbackServerContext*, const v1::DrainRequest*, v1::DrainResponse*) override;

 private:
  ServiceContext* const context_;
  const ServerIdentity identity_;
  jobs::JobService* const jobs_;
  const workers::WorkerPool* const pool_;
  const std::string admin_hint_;
  const DrainAccess drain_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_SERVER_SERVICE_H_
