#include "daemon/jobs/job_service.h"

#include <algorithm>

#include "daemon/jobs/job_service_impl.h"
#include "daemon/jobs/memory_watch.h"

namespace astrolabe::jobs {
namespace {

std::shared_ptr<TimerQueue> RealTimers() {
  auto timers = std::make_shared<TimerQueue>();
  timers->Start();
  return timers;
}

JobsOptions Sane(JobsOptions options) {
  options.slots = std::max(1, options.slots);
  options.queue_limit = std::max(0, options.queue_limit);
  return options;
}

}  // namespace

std::unique_ptr<JobService> JobService::Create(JobsOptions options, registry::Registry* registry,
                                               workers::WorkerPool* pool) {
  return CreateJobService(std::move(options), registry, pool, {});
}

std::unique_ptr<JobService> CreateJobService(JobsOptions options, registry::Registry* registry,
                                             workers::WorkerPool* pool, ServiceSeams seams) {
  return std::make_unique<JobServiceImpl>(std::move(options), registry, pool, std::move(seams));
}

JobServiceImpl::JobServiceImpl(JobsOptions options, registry::Registry* registry, workers::WorkerPool* pool,
                               ServiceSeams seams)
    : options_(Sane(std::move(options))),
      registry_(registry),
      pool_(pool),
      private_bytes_(seams.private_bytes ? std::move(seams.private_bytes) : PrivateBytes),
      algorithms_(pool_->hello().algorithms().begin(), pool_->hello().algorithms().end()),
      timers_(seams.timers ? std::move(seams.timers) : RealTimers()),
      budget_(std::make_shared<Budget>(options_.log_budget_bytes)),
      work_(std::clamp(options_.slots + 2, 3, 16)),
      short_runs_({kShortRunsAtOnce, kShortRunsAtOnce}, pool_, timers_.get(), &work_),
      path_runs_({kPathRunsAtOnce, kPathWorkers}, pool_, timers_.get(), &work_),
      queue_(options_.queue_limit) {
  const std::lock_guard lock(mu_);
  RestoreLocked();
}

JobServiceImpl::~JobServiceImpl() {
  std::vector<std::shared_ptr<JobRun>> runs;
  {
    std::lock_guard lock(mu_);
    draining_ = true;
  }
  InterruptAll();
  {
    std::lock_guard lock(mu_);
    runs.assign(runs_.begin(), runs_.end());
  }
  for (const auto& run : runs) run->Abort();
  runs.clear();
  short_runs_.Shutdown();
  path_runs_.Shutdown();
  {
    std::unique_lock lock(mu_);
    idle_.wait(lock, [this] { return table_.active() == 0 && runs_.empty(); });
  }
  timers_->Stop();
  work_.Stop();
}

std::vector<v1::AlgorithmInfo> JobServiceImpl::Algorithms() const { return algorithms_; }

JobsLoad JobServiceImpl::load() const {
  std::lock_guard lock(mu_);
  return {running_, queue_.size()};
}

}  // namespace astrolabe::jobs
