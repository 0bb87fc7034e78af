// Daemon, the way up: addresses, layers, servers, extras.
#include <filesystem>
#include <utility>

#include "daemon/base/counted.h"
#include "daemon/jobs/journal.h"
#include "daemon/server/daemon.h"
#include "daemon/server/lock_file.h"

namespace astrolabe::server {
namespace {

std::string DirOf(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

Status MakeDir(const std::string& dir, const char* option) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (!error) return {};
  return MakeError(ErrorCode::kFailedPrecondition, "FOLDER",
                   "cannot make the folder " + dir + " (" + option + "): " + error.message());
}

Result<SocketClaim> Claim(const std::string& path) {
  if (Status made = MakeDir(DirOf(path), "of a listener's address"); !made.ok()) return std::move(made).error();
  return SocketClaim::Take(path);
}

}  // namespace

Status Daemon::Start() {
  for (const auto step : {&Daemon::CheckDescriptors, &Daemon::CheckMemory, &Daemon::ClaimAddresses,
                          &Daemon::StartLayers, &Daemon::StartServers, &Daemon::StartExtras}) {
    Status status = (this->*step)();
    if (!status.ok()) {
      TakeDown();
      return status;
    }
  }
  SetServing(true);
  context_.activity.Touch();
  log_->Write("info", "ready at " + options_.address.ToString() +
                          (options_.admin_address ? ", admin at " + options_.admin_address->ToString() : ""));
  return {};
}

int Daemon::MaxWorkers() const {
  // Beside the jobs' workers and the spares, instances are validated, states evaluated and paths checked in workers,
  // whatever the slots do.
  return options_.slots + options_.warm_workers + jobs::kShortRunsAtOnce + jobs::kPathWorkers;
}

Status Daemon::CheckDescriptors() {
  descriptors_ = RaiseDescriptorLimit();
  Result<DescriptorPlan> plan = PlanDescriptors(descriptors_, MaxWorkers());
  if (!plan.ok()) return std::move(plan).error();
  descriptor_plan_ = *plan;
  return {};
}

Status Daemon::CheckMemory() {
  const MemoryWishes wishes{options_.event_budget_bytes, options_.queue_bytes, options_.max_request_bytes,
                            options_.slots};
  Result<MemoryPlan> plan = PlanMemory(DaemonMemory(), wishes);
  if (!plan.ok()) return std::move(plan).error();
  memory_ = *std::move(plan);
  if (!memory_.warning.empty()) log_->Write("warning", memory_.warning);
  context_.requests.SetLimit(memory_.request_bytes);
  receive_quota_.emplace("requests");
  receive_quota_->Resize(static_cast<size_t>(memory_.receive_bytes));
  return {};
}

Status Daemon::ClaimAddresses() {
  if (options_.default_address) {
    if (Status safe = EnsurePrivateDir(DirOf(options_.address.path)); !safe.ok()) return safe;
  }
  if (options_.address.kind == Address::Kind::kUnix) {
    Result<SocketClaim> claim = Claim(options_.address.path);
    if (!claim.ok()) return std::move(claim).error();
    user_claim_ = std::move(*claim);
  }
  if (options_.admin_address) {
    Result<SocketClaim> claim = Claim(options_.admin_address->path);
    if (!claim.ok()) return std::move(claim).error();
    admin_claim_ = std::move(*claim);
  }
  if (Status made = MakeDir(options_.state_dir, "--state-dir"); !made.ok()) return made;
  if (Status made = MakeDir(options_.cache_dir, "--cache-dir"); !made.ok()) return made;
  Result<Fd> lock = TakeLockFile(options_.state_dir + "/lock");
  if (!lock.ok()) {
    Error error = std::move(lock).error();
    error.message = "the state folder cannot be used: " + error.message + "; give each daemon its own --state-dir";
    return error;
  }
  state_lock_ = std::move(*lock);
  return {};
}

Status Daemon::StartLayers() {
  workers::PoolOptions pool;
  pool.worker_path = options_.worker_binary;
  pool.max_workers = MaxWorkers();
  pool.warm_workers = options_.warm_workers;
  pool.cache_dir = options_.cache_dir;
  pool.log = [this](std::string_view level, std::string_view text) { log_->Write(level, text); };
  Result<std::unique_ptr<workers::WorkerPool>> made = workers::WorkerPool::Create(pool);
  if (!made.ok()) return std::move(made).error();
  pool_ = std::move(*made);

  registry::RegistryOptions registry;
  registry.plugin_dirs = options_.plugin_dirs;
  registry.copy_dir = options_.state_dir + "/plugins";
  registry.log = [this](std::string_view level, std::string_view text) { log_->Write(level, text); };
  Result<std::unique_ptr<registry::Registry>> found = registry::Registry::Create(std::move(registry), pool_.get());
  if (!found.ok()) return std::move(found).error();
  registry_ = std::move(*found);
  CountLoads(registry_->Scan());
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  log_->Write("info", "plugins offer " + Counted(catalog->problems.size(), "problem") + " and " +
                          Counted(catalog->heuristics.size(), "heuristic"));

  Result<std::unique_ptr<jobs::Journal>> journal =
      jobs::Journal::Open(options_.state_dir + "/jobs",
                          [this](std::string_view level, std::string_view text) { log_->Write(level, text); });
  if (!journal.ok()) return std::move(journal).error();

  jobs::JobsOptions jobs;
  jobs.journal = *std::move(journal);
  jobs.slots = options_.slots;
  jobs.queue_limit = options_.queue_limit;
  jobs.owner_jobs = options_.owner_jobs;
  jobs.queue_bytes = memory_.queue_bytes;
  jobs.log_budget_bytes = memory_.event_budget_bytes;
  jobs.node_log_bytes = options_.event_log_bytes;
  jobs.block_timeout = options_.block_timeout;
  jobs.retention_detached = options_.retention;
  jobs.server_version = ASTROLABE_VERSION;
  // Default limits are filled in by the adapters, which hear of reloads.
  jobs.log = [this](std::string_view level, std::string_view text) { JobLog(level, text); };
  jobs_ = jobs::JobService::Create(std::move(jobs), registry_.get(), pool_.get());
  context_.timers->Start();
  return {};
}

std::string Daemon::AdminHint() const {
  if (!options_.admin_address) return "this server was started without one (--admin-address)";
  const bool derived = options_.admin_address->path == options_.address.path + ".admin";
  return derived ? "this server's address with \".admin\" appended"
                 : "the address given to the server by --admin-address";
}

ConnectionLimit Daemon::Connections() {
  ConnectionLimit limit;
  limit.full_at = descriptor_plan_.full;
  limit.close_at = descriptor_plan_.close;
  limit.refuse = [this](Fd connection) { refusing_server_->Take(std::move(connection)); };
  limit.log = [this](std::string_view level, std::string_view text) { log_->Write(level, text); };
  return limit;
}

Status Daemon::StartServers() {
  plugin_thread_ = std::make_unique<TaskThread>();
  drain_thread_ = std::make_unique<TaskThread>();
  solver_ = std::make_unique<SolverService>(&context_, jobs_.get());
  catalog_ = std::make_unique<CatalogService>(&context_, registry_.get(), jobs_.get());
  user_plugins_ = std::make_unique<PluginService>(&context_, registry_.get(), AdminHint());
  admin_plugins_ =
      std::make_unique<PluginService>(&context_, registry_.get(), PluginAdmin{plugin_thread_.get(), &plugin_loads_});
  cache_store_ = std::make_unique<CacheStore>(options_.cache_dir);
  cache_thread_ = std::make_unique<TaskThread>();
  verify_thread_ = std::make_unique<TaskThread>();
  user_cache_ = std::make_unique<CacheService>(&context_, cache_store_.get(), cache_thread_.get(), AdminHint());
  admin_cache_ =
      std::make_unique<CacheService>(&context_, cache_store_.get(), cache_thread_.get(), verify_thread_.get());
  ServerIdentity identity;
  identity.instance_id = MakeInstanceId();
  identity.version = ASTROLABE_VERSION;
  identity.start_time = std::chrono::system_clock::now();
  identity.max_request_bytes = options_.max_request_bytes;
  identity.slots = options_.slots;
  identity.queue_limit = options_.queue_limit;
  user_info_ =
      std::make_unique<ServerService>(&context_, identity, jobs_.get(), pool_.get(), AdminHint(), DrainAccess{});
  admin_info_ = std::make_unique<ServerService>(&context_, identity, jobs_.get(), pool_.get(), AdminHint(),
                                                DrainAccess{drain_thread_.get(), [this] { SetServing(false); }});

  Error too_many =
      MakeError(ErrorCode::kResourceExhausted, "TOO_MANY_CONNECTIONS",
                "the server has no room for another connection: its limit of " + std::to_string(descriptors_) +
                    " open files is used up. Close connections, or raise the limit (ulimit -n, or "
                    "LimitNOFILE= of its service)");
  too_many.metadata = {{"open_files", std::to_string(descriptors_)}};
  too_many.retry_after = std::chrono::seconds(1);
  Result<std::unique_ptr<RefusingServer>> refusing = RefusingServer::Start(too_many);
  if (!refusing.ok()) return std::move(refusing).error();
  refusing_server_ = std::move(*refusing);

  const bool on_unix = options_.address.kind == Address::Kind::kUnix;
  Result<std::unique_ptr<GrpcServer>> user =
      GrpcServer::Start({on_unix ? user_claim_.BindAddress() : options_.address.ToString(), UserServices(),
                         options_.max_request_bytes, Connections(), &*receive_quota_});
  if (!user.ok()) return std::move(user).error();
  user_server_ = std::move(*user);
  if (!on_unix) options_.address.port = user_server_->port();
  OfferChannelz();
  if (options_.admin_address) {
    Result<std::unique_ptr<GrpcServer>> admin = GrpcServer::Start(
        {admin_claim_.BindAddress(), AdminServices(), options_.max_request_bytes, Connections(), &*receive_quota_});
    if (!admin.ok()) return std::move(admin).error();
    admin_server_ = std::move(*admin);
    if (Status status = admin_claim_.Publish(0600); !status.ok()) return status;
  }
  return on_unix ? user_claim_.Publish(options_.socket_mode) : Status();
}

std::vector<NamedService> Daemon::UserServices() {
  return {{v1::SolverService::service_full_name(), solver_.get()},
          {v1::CatalogService::service_full_name(), catalog_.get()},
          {v1::PluginService::service_full_name(), user_plugins_.get()},
          {v1::CacheService::service_full_name(), user_cache_.get()},
          {v1::ServerService::service_full_name(), user_info_.get()}};
}

std::vector<NamedService> Daemon::AdminServices() {
  return {{v1::PluginService::service_full_name(), admin_plugins_.get()},
          {v1::CacheService::service_full_name(), admin_cache_.get()},
          {v1::ServerService::service_full_name(), admin_info_.get()}};
}

Status Daemon::StartExtras() {
  if (!options_.metrics_address.empty()) {
    Result<std::unique_ptr<MetricsServer>> metrics =
        MetricsServer::Start(options_.metrics_address, [this] { return TakeSample(); });
    if (!metrics.ok()) return std::move(metrics).error();
    metrics_ = std::move(*metrics);
    log_->Write("info", "metrics at port " + std::to_string(metrics_->port()));
  }
  idle_ = std::make_unique<IdleWatch>(
      IdleWatch::Probe{[this] { return context_.activity.last(); }, [this] { return IsBusy(); }},
      [this] { stop_.Request("nobody needed it for the idle time"); });
  idle_->SetTimeout(options_.idle_timeout);
  Result<std::unique_ptr<SignalThread>> signals =
      SignalThread::Start({[this](int count) { OnStopSignal(count); }, [this] { OnHangup(); }});
  if (!signals.ok()) return std::move(signals).error();
  signals_ = std::move(*signals);
  cache_check_ = std::make_unique<CacheCheck>(
      cache_store_.get(), [this](std::string_view level, std::string_view text) { log_->Write(level, text); });
  return {};
}

}  // namespace astrolabe::server
