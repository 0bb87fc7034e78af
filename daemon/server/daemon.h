// astrolabed, assembled: claims its addresses, starts the layers from the bottom up, serves, drains, and takes
// everything down in the opposite order.
#ifndef ASTROLABE_DAEMON_SERVER_DAEMON_H_
#define ASTROLABE_DAEMON_SERVER_DAEMON_H_

#include <grpcpp/resource_quota.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "daemon/base/fd.h"
#include "daemon/jobs/job_service.h"
#include "daemon/registry/registry.h"
#include "daemon/server/cache_check.h"
#include "daemon/server/cache_service.h"
#include "daemon/server/cache_store.h"
#include "daemon/server/catalog_service.h"
#include "daemon/server/descriptor_limit.h"
#include "daemon/server/grpc_server.h"
#include "daemon/server/idle_watch.h"
#include "daemon/server/listener.h"
#include "daemon/server/logging.h"
#include "daemon/server/memory_limit.h"
#include "daemon/server/metrics.h"
#include "daemon/server/options.h"
#include "daemon/server/plugin_service.h"
#include "daemon/server/refusing_server.h"
#include "daemon/server/server_service.h"
#include "daemon/server/service_context.h"
#include "daemon/server/signals.h"
#include "daemon/server/solver_service.h"
#include "daemon/server/stop_event.h"
#include "daemon/server/task_thread.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::server {

class Daemon {
 public:
  // `read_options` reads flags, variables and file again, for SIGHUP. `log` outlives the daemon.
  // Precondition: BlockSignals() was called before any thread was started.
  Daemon(Options options, std::function<ParsedOptions()> read_options, Log* log);
  // Precondition: Start failed, or Run has returned.
  ~Daemon();

  // Returns when clients can connect. On failure nothing of a running daemon has been touched; reason
  // DAEMON_RUNNING says there is one.
  Status Start();
  // Serves until a signal or idleness ends it; drains; returns when everything is down and the sockets are gone.
  void Run();

 private:
  // start.cc
  Status CheckDescriptors();
  Status CheckMemory();
  Status ClaimAddresses();
  Status StartLayers();
  Status StartServers();
  Status StartExtras();
  int MaxWorkers() const;
  std::string AdminHint() const;
  ConnectionLimit Connections();
  std::vector<NamedService> UserServices();
  std::vector<NamedService> AdminServices();

  // daemon.cc
  void Drain();
  void TakeDown();
  void OnStopSignal(int count);
  void EndSoon();
  void OnHangup();
  void SetServing(bool serving);
  void CountLoads(const std::vector<registry::PluginRecord>& records);
  bool IsBusy() const;
  MetricsSample TakeSample() const;
  void JobLog(std::string_view level, std::string_view text);

  Options options_;  // as started; what SIGHUP changes is in context_.settings
  const std::function<ParsedOptions()> read_options_;
  Log* const log_;
  ServiceContext context_;
  OutcomeCounters outcomes_;
  PluginLoadCounters plugin_loads_;
  StopEvent stop_;

  int descriptors_ = 0;
  DescriptorPlan descriptor_plan_;
  MemoryPlan memory_;
  std::optional<grpc::ResourceQuota> receive_quota_;  // of all listeners
  SocketClaim user_claim_;
  SocketClaim admin_claim_;
  Fd state_lock_;

  std::unique_ptr<workers::WorkerPool> pool_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<jobs::JobService> jobs_;

  std::unique_ptr<TaskThread> plugin_thread_;
  std::unique_ptr<TaskThread> drain_thread_;
  std::unique_ptr<CacheStore> cache_store_;
  std::unique_ptr<TaskThread> cache_thread_;
  std::unique_ptr<TaskThread> verify_thread_;
  std::unique_ptr<SolverService> solver_;
  std::unique_ptr<CatalogService> catalog_;
  std::unique_ptr<PluginService> user_plugins_;
  std::unique_ptr<PluginService> admin_plugins_;
  std::unique_ptr<CacheService> user_cache_;
  std::unique_ptr<CacheService> admin_cache_;
  std::unique_ptr<ServerService> user_info_;
  std::unique_ptr<ServerService> admin_info_;
  std::unique_ptr<RefusingServer> refusing_server_;
  std::unique_ptr<GrpcServer> user_server_;
  std::unique_ptr<GrpcServer> admin_server_;

  std::unique_ptr<MetricsServer> metrics_;
  std::unique_ptr<IdleWatch> idle_;
  std::unique_ptr<SignalThread> signals_;
  std::unique_ptr<CacheCheck> cache_check_;

  // After a second stop signal.
  std::thread hurry_;
  std::mutex down_mutex_;
  std::condition_variable down_changed_;
  bool down_ = false;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_DAEMON_H_
