// While jobs run: workers, what they tell, and the one way to DONE.
#include <algorithm>
#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/event_codec.h"
#include "daemon/jobs/job_service_impl.h"
#include "daemon/jobs/memory_watch.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

constexpr int kMaxDeadWorkers = 2;  // that died before they took the job
constexpr std::chrono::milliseconds kAcquireRetry{50};
constexpr std::chrono::seconds kAcquirePatience{10};
constexpr std::chrono::milliseconds kMemoryInterval{100};

// A path may take half of what all jobs have; short ones are kept whatever the budget is.
size_t MaxPathBytes(int64_t budget) {
  return std::clamp<size_t>(static_cast<size_t>(std::max<int64_t>(budget, 0)) / 2, 8 << 20, KeptContent::kMaxPathBytes);
}

}  // namespace

void JobServiceImpl::Launch(const JobPtr& job) {
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  RunPlan plan;
  plan.job = job;
  plan.name = job->name;
  plan.spec = job->spec;
  plan.log = job->log;
  plan.pins = PinPlugins(*catalog, *job->spec);
  plan.bounds_are_proven = BoundsAreProven(*catalog, algorithms_, *job->spec);
  const v1::AlgorithmInfo* const algorithm = FindAlgorithm(algorithms_, *job->spec);
  plan.has_state_at_once = algorithm != nullptr && algorithm->local_search();
  plan.cancel_grace = options_.cancel_grace;
  plan.solution_grace = options_.solution_grace;
  plan.max_path_bytes = MaxPathBytes(options_.log_budget_bytes);
  std::shared_ptr<JobRun> run;
  {
    std::lock_guard lock(mu_);
    if (job->state.done()) return;
    if (!plan.pins.missing.empty()) {
      // Not here: the end of a job launches the next, and a queue may be full of such jobs.
      return work_.Post([this, job, missing = std::move(plan.pins.missing)] { Reject(job, missing); });
    }
    job->plugins.clear();
    for (const workers::PluginFile& file : plan.pins.files) job->plugins.push_back(ToUsed(file));
    plan.limits = job->limits;
    plan.started = job->started;
    plan.last_attempt = job->attempts >= kMaxDeadWorkers;
    run = std::make_shared<JobRun>(std::move(plan), JobRun::Context{this, pool_, timers_.get(), &work_});
    job->run = run;
    runs_.insert(run);
    if (const auto wall = ToChrono(job->limits.wall_time()); wall.count() > 0) {
      run->GuardWallTime(job->started + wall);
    }
    WatchMemoryLocked();
  }
  // Most jobs find a worker that is idle: no other thread need wake up for them.
  if (!run->TryStart()) work_.Post([run] { run->Start(); });
}

void JobServiceImpl::Reject(const JobPtr& job, const std::vector<v1::Violation>& violations) {
  Outbox out;
  std::lock_guard lock(mu_);
  FinishLocked(job, RejectedResult(violations), nullptr, &out);
}

void JobServiceImpl::OnRunState(JobRun* run, JobState state) {
  const JobPtr job = run->plan().job;
  Outbox out;
  std::lock_guard lock(mu_);
  // A worker that goes backwards, or says again what is known, is not listened to.
  if (job->run.get() != run || !job->state.TryMove(state)) return;
  v1::StateChanged changed;
  changed.set_state(ToProto(state));
  job->log->Append(EntryKind::kLasting, Encode(changed), &out);
}

void JobServiceImpl::OnRunProgress(JobRun* run, const v1::Progress& progress) {
  const JobPtr job = run->plan().job;
  Outbox out;
  std::lock_guard lock(mu_);
  if (job->run.get() != run) return;
  job->progress = progress;
  job->progress.set_state(ToProto(job->state.state()));
  job->log->SetProgress(Encode(job->progress), &out);
}

void JobServiceImpl::OnRunBytes() {
  if (!budget_->over()) return;
  Outbox out;
  std::lock_guard lock(mu_);
  EvictLocked(&out);
}

void JobServiceImpl::OnRunEnded(JobRun* run, v1::Result result, Content content) {
  const JobPtr job = run->plan().job;
  Outbox out;
  std::lock_guard lock(mu_);
  if (job->run.get() != run) return;
  FinishLocked(job, std::move(result), std::move(content), &out);
}

void JobServiceImpl::OnRunUndelivered(JobRun* run, const Error& error) {
  const JobPtr job = run->plan().job;
  Outbox out;
  std::lock_guard lock(mu_);
  if (job->run.get() != run) return;
  job->run.reset();
  RetryLocked(job, error, &out);
}

void JobServiceImpl::RetryLocked(const JobPtr& job, const Error& error, Outbox* out) {
  if (interrupted_) return StopLocked(job, StopCause::kInterrupt, out);
  if (job->cancel_requested) return StopLocked(job, StopCause::kCancel, out);
  const TimePoint now = timers_->now();
  const auto wall = ToChrono(job->limits.wall_time());
  if (wall.count() > 0 && now >= job->started + wall) return StopLocked(job, StopCause::kWallTime, out);
  if (error.reason == "WORKER_GONE" && job->attempts < kMaxDeadWorkers) {
    ++job->attempts;
    work_.Post([this, job] { Launch(job); });
    return;
  }
  if (now < job->started + kAcquirePatience) {
    timers_->Schedule(now + kAcquireRetry, [this, job] { work_.Post([this, job] { Launch(job); }); });
    return;
  }
  v1::Result result = StoppedResult(StopCause::kInterrupt, LastHeard(), false);
  result.set_explanation("No worker could be started: " + CleanText(error.message, 512) + ".");
  FinishLocked(job, std::move(result), nullptr, out);
}

void JobServiceImpl::OnRunGone(JobRun* run) {
  std::shared_ptr<JobRun> keep;  // dies after the lock, with its lease
  std::lock_guard lock(mu_);
  const auto found = std::find_if(runs_.begin(), runs_.end(),
                                  [&](const std::shared_ptr<JobRun>& other) { return other.get() == run; });
  if (found == runs_.end()) return;
  keep = *found;
  runs_.erase(found);
  idle_.notify_all();
}

void JobServiceImpl::FinishLocked(const JobPtr& job, v1::Result result, Content content, Outbox* out) {
  if (job->state.done()) return;
  if (job->state.state() == JobState::kQueued) {
    queue_.Remove(*job);
    if (job->queue_timer) timers_->Cancel(*job->queue_timer);
    job->queue_timer.reset();
  } else {
    used_slots_ -= job->spec->threads();
    --running_;
    running_bytes_ -= job->spec_bytes;
    const std::chrono::duration<double, std::milli> took = timers_->now() - job->started;
    mean_run_ms_ += (took.count() - mean_run_ms_) / 8;
  }
  job->state.Move(JobState::kDone);
  job->end_time = std::chrono::system_clock::now();
  out->Add([run = std::exchange(job->run, nullptr)] {});  // destroyed without the lock
  CompleteLocked(*job, &result);
  job->log->Close(&result, out);
  job->content = std::move(content);
  const int64_t content_bytes = job->content ? static_cast<int64_t>(job->content->ByteSizeLong()) : 0;
  job->charge.Set(job->charge.bytes() + static_cast<int64_t>(result.ByteSizeLong()) + content_bytes);
  job->result = std::make_shared<const v1::Result>(std::move(result));
  RecordLocked(*job);  // written a moment later
  out->Add([this, job] { LogEnd(*job); });
  table_.MarkFinished(job,
                      timers_->now() + (job->attached ? options_.retention_attached : options_.retention_detached));
  SweepSoonLocked();
  PumpLocked(out);
  EvictLocked(out);
  idle_.notify_all();
}

void JobServiceImpl::LogEnd(const Job& job) const {
  if (!options_.log) return;
  const v1::Result& result = *job.result;
  std::string line = job.name + " ended " + v1::Outcome_Name(result.outcome()) + ": " + job.spec->problem() + " by " +
                     result.provenance().algorithm() + ", " + std::to_string(result.statistics().expanded()) +
                     " expanded";
  if (result.has_plugin_failure()) {
    line += "; plugin " + result.plugin_failure().plugin() + ", stage " + result.plugin_failure().stage();
    if (!result.plugin_failure().signal_name().empty()) line += ", " + result.plugin_failure().signal_name();
  }
  options_.log(result.outcome() == v1::OUTCOME_PLUGIN_FAILED ? "warning" : "info", line);
}

void JobServiceImpl::CompleteLocked(const Job& job, v1::Result* result) const {
  v1::Provenance* provenance = result->mutable_provenance();
  provenance->clear_plugins();  // what was pinned is known better here
  for (const v1::PluginUsed& plugin : job.plugins) *provenance->add_plugins() = plugin;
  provenance->set_seed(job.spec->seed());
  provenance->set_threads(job.spec->threads());
  provenance->set_server_version(options_.server_version);
  if (provenance->algorithm().empty()) {  // no worker told what it used
    provenance->set_algorithm(job.spec->algorithm().id());
    for (const v1::HeuristicUse& use : job.spec->heuristics()) provenance->add_heuristics(use.id());
  }
  const TimePoint left_queue = job.start_time ? job.started : timers_->now();
  *result->mutable_statistics()->mutable_queue_time() = ToProto(left_queue - job.accepted);
}

void JobServiceImpl::WatchMemoryLocked() {
  if (std::exchange(memory_watched_, true)) return;
  timers_->Schedule(timers_->now() + kMemoryInterval, [this] { CheckMemory(); });
}

void JobServiceImpl::CheckMemory() {
  std::vector<std::pair<std::shared_ptr<JobRun>, int64_t>> watched;
  {
    std::lock_guard lock(mu_);
    memory_watched_ = false;
    if (!runs_.empty()) WatchMemoryLocked();
    for (const auto& run : runs_) {
      const int64_t most = WatchdogBytes(run->plan().limits.max_memory_bytes());
      if (most > 0) watched.emplace_back(run, most);
    }
  }
  for (const auto& [run, most] : watched) {
    const int pid = run->pid();
    if (pid <= 0) continue;
    if (const auto bytes = private_bytes_(pid); bytes && *bytes > most) run->RequestStop(StopCause::kMemory);
  }
}

}  // namespace astrolabe::jobs
