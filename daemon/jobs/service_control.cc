// Stopping and changing jobs.
#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/fault_list.h"
#include "daemon/jobs/job_service_impl.h"
#include "daemon/jobs/limit_check.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

Error Refused(std::string reason, std::string message) {
  return MakeError(ErrorCode::kFailedPrecondition, std::move(reason), std::move(message));
}

bool HasMoreThanWallTime(const v1::Limits& limits) {
  return limits.max_expansions() != 0 || limits.max_generated() != 0 || limits.max_memory_bytes() != 0 ||
         limits.has_max_cost() || ToChrono(limits.queue_timeout()).count() != 0;
}

}  // namespace

void JobServiceImpl::StopLocked(const JobPtr& job, StopCause cause, Outbox* out) {
  if (job->state.done()) return;
  if (job->run) {
    out->Add([run = job->run, cause] { run->RequestStop(cause); });
  } else {  // no worker has it
    FinishLocked(job, StoppedResult(cause, LastHeard(), false), nullptr, out);
  }
}

Result<v1::Job> JobServiceImpl::CancelJob(std::string_view name) {
  std::optional<JobView> view;
  {
    Outbox out;
    std::lock_guard lock(mu_);
    Result<JobPtr> job = FindLocked(name);
    if (!job.ok()) return std::move(job).error();
    if (!(*job)->state.done()) (*job)->cancel_requested = true;
    StopLocked(*job, StopCause::kCancel, &out);
    view = ViewLocked(**job);
  }
  return view->Full();
}

Status JobServiceImpl::DeleteJob(std::string_view name) {
  Outbox out;
  std::lock_guard lock(mu_);
  Result<JobPtr> job = FindLocked(name);
  if (!job.ok()) return std::move(job).error();
  if (!(*job)->state.done()) {
    return Refused("JOB_NOT_DONE", (*job)->name + " is " + std::string(StateName((*job)->state.state())) +
                                       ": cancel it and wait for its result first");
  }
  ForgetLocked(*job, &out);
  return {};
}

Result<v1::Job> JobServiceImpl::UpdateJob(const v1::UpdateJobRequest& request) {
  FaultList faults;
  CheckLimits(request.limits(), "limits", &faults);
  if (request.has_priority()) CheckPriority(request.priority(), "priority", &faults);
  if (!faults.empty()) return faults.ToError();
  std::optional<JobView> view;
  {
    std::lock_guard lock(mu_);
    Result<JobPtr> job = FindLocked(request.name());
    if (!job.ok()) return std::move(job).error();
    Status updated;
    if ((*job)->state.done()) {
      updated = Refused("JOB_DONE", (*job)->name + " is DONE: nothing can be changed");
    } else if ((*job)->state.state() == JobState::kQueued) {
      updated = UpdateQueuedLocked(*job, request);
    } else {
      updated = UpdateRunningLocked(*job, request);
    }
    if (!updated.ok()) return std::move(updated).error();
    view = ViewLocked(**job);
  }
  return view->Full();
}

Status JobServiceImpl::UpdateQueuedLocked(const JobPtr& job, const v1::UpdateJobRequest& request) {
  v1::Limits limits = request.limits();
  FillLimits(job->limits, &limits);  // what is unset stays
  job->limits = limits;
  if (request.has_priority() && request.priority() != job->priority) {
    job->priority = request.priority();
    queue_.Reorder(*job);
    TellPositionsSoonLocked();
  }
  SetQueueTimerLocked(job);
  return {};
}

Status JobServiceImpl::UpdateRunningLocked(const JobPtr& job, const v1::UpdateJobRequest& request) {
  if (request.has_priority() && request.priority() != job->priority) {
    return Refused("JOB_STARTED", job->name + " has started: its priority no longer matters");
  }
  if (HasMoreThanWallTime(request.limits())) {
    return Refused("JOB_STARTED", job->name + " has started: of its limits only wall_time can be changed");
  }
  const auto wanted = ToChrono(request.limits().wall_time());
  if (wanted.count() == 0) return {};
  const auto now = ToChrono(job->limits.wall_time());
  if (now.count() > 0 && wanted > now) {
    return Refused("JOB_STARTED", job->name + " has started: its wall_time can be shortened, not extended");
  }
  *job->limits.mutable_wall_time() = request.limits().wall_time();
  if (job->run) job->run->GuardWallTime(job->started + wanted);
  return {};
}

void JobServiceImpl::InterruptAll() {
  Outbox out;
  std::lock_guard lock(mu_);
  interrupted_ = true;
  for (const JobPtr& job : table_.All()) StopLocked(job, StopCause::kInterrupt, &out);
}

void JobServiceImpl::Drain(std::chrono::milliseconds timeout) {
  {
    std::lock_guard lock(mu_);
    draining_ = true;
  }
  const TimerQueue::Id timer = timers_->Schedule(timers_->now() + timeout, [this] { InterruptAll(); });
  {
    std::unique_lock lock(mu_);
    idle_.wait(lock, [this] { return table_.active() == 0; });
  }
  timers_->Cancel(timer);
}

bool JobServiceImpl::draining() const {
  std::lock_guard lock(mu_);
  return draining_;
}

}  // namespace astrolabe::jobs
