#include "daemon/workers/worker_pool.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "daemon/workers/mutex.h"
#include "daemon/workers/pool_core.h"

namespace astrolabe::workers {
namespace {

class LeaseImpl : public Lease {
 public:
  LeaseImpl(std::shared_ptr<PoolCore> core, std::shared_ptr<Worker> worker)
      : core_(std::move(core)), worker_(std::move(worker)) {}
  ~LeaseImpl() override { Release(false); }

  Status Send(const internal::v1::ToWorker& message) override {
    // Held while sending, so that nothing is sent to the worker of a later lease. Send never blocks.
    MutexLock lock(&mu_);
    if (released_) return MakeError(ErrorCode::kUnavailable, "LEASE_RELEASED", "the lease was released");
    return worker_->Send(message);
  }

  void Kill(std::string_view why) override {
    MutexLock lock(&mu_);
    if (!released_) worker_->Kill(why);
  }

  void Release(bool reusable) override {
    {
      MutexLock lock(&mu_);
      if (released_) return;
      released_ = true;
    }
    worker_->Detach();
    core_->GiveBack(worker_, reusable);
  }

  int pid() const override { return worker_->pid(); }

 private:
  const std::shared_ptr<PoolCore> core_;
  const std::shared_ptr<Worker> worker_;
  Mutex mu_;
  bool released_ ASTROLABE_GUARDED_BY(mu_) = false;
};

class WorkerPoolImpl : public WorkerPool {
 public:
  explicit WorkerPoolImpl(std::shared_ptr<PoolCore> core) : core_(std::move(core)) {}
  ~WorkerPoolImpl() override { core_->Shutdown(); }

  Result<std::unique_ptr<Lease>> Acquire(std::span<const PluginFile> plugins, WorkerEvents* events) override {
    Result<std::shared_ptr<Worker>> worker = core_->Acquire(plugins, events);
    if (!worker.ok()) return worker.error();
    return std::unique_ptr<Lease>(std::make_unique<LeaseImpl>(core_, *std::move(worker)));
  }
  std::unique_ptr<Lease> TryAcquire(std::span<const PluginFile> plugins, WorkerEvents* events) override {
    std::shared_ptr<Worker> worker = core_->TryAcquire(plugins, events);
    return worker != nullptr ? std::make_unique<LeaseImpl>(core_, std::move(worker)) : nullptr;
  }
  ProbeOutcome Probe(const PluginFile& plugin, std::string_view manifest) override {
    return core_->Probe(plugin, manifest);
  }
  void DropIdle(const std::function<bool(const std::string&, int64_t)>& retired) override { core_->DropIdle(retired); }
  void Warm(std::vector<PluginFile> plugins) override { core_->Warm(std::move(plugins)); }
  const internal::v1::Hello& hello() const override { return core_->hello(); }
  PoolLoad load() const override { return core_->load(); }
  void Shutdown() override { core_->Shutdown(); }

 private:
  const std::shared_ptr<PoolCore> core_;
};

Error CannotOpen(const std::string& path, const std::string& why) {
  return MakeError(ErrorCode::kNotFound, "WORKER_PROGRAM",
                   "the worker program " + path + " cannot be used: " + why +
                       "; it belongs beside the daemon: install Astrolabe again");
}

}  // namespace

Result<std::unique_ptr<WorkerPool>> WorkerPool::Create(const PoolOptions& options) {
  Fd binary(::open(options.worker_path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!binary.valid()) return CannotOpen(options.worker_path, std::strerror(errno));
  struct stat status {};
  if (::fstat(binary.get(), &status) != 0) return CannotOpen(options.worker_path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return CannotOpen(options.worker_path, "it is not a regular file");
  if ((status.st_mode & 0111) == 0) return CannotOpen(options.worker_path, "it is not executable");
  Fd stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop.valid())
    return MakeError(ErrorCode::kUnavailable, "EVENTFD", std::string("eventfd: ") + std::strerror(errno));

  PoolOptions settings = options;
  settings.max_workers = std::max(settings.max_workers, 1);
  settings.warm_workers = std::clamp(settings.warm_workers, 0, settings.max_workers);
  auto core = std::make_shared<PoolCore>(std::move(settings), std::move(binary), std::move(stop));
  if (Status started = core->Start(); !started.ok()) {
    core->Shutdown();
    return started.error();
  }
  return std::unique_ptr<WorkerPool>(std::make_unique<WorkerPoolImpl>(std::move(core)));
}

}  // namespace astrolabe::workers
