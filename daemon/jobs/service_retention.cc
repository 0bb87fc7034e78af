// Out of the service: by time, by budget.
#include <utility>

#include "daemon/jobs/job_service_impl.h"

namespace astrolabe::jobs {

void JobServiceImpl::ForgetLocked(const JobPtr& job, Outbox* out) {
  table_.Remove(*job);
  ForgetRecordLocked(*job);
  out->Add([job] {});  // freed without the lock
}

void JobServiceImpl::EvictLocked(Outbox* out) {
  // A job somebody reads is passed over: its log would stay anyway. The freed bytes count at once.
  while (budget_->over()) {
    const JobPtr job = table_.OldestFinished([](const Job& other) { return other.log->facts().watchers == 0; });
    if (!job) return;
    job->charge.Set(0);
    ForgetLocked(job, out);
    job->log->Forget();
  }
}

void JobServiceImpl::SweepSoonLocked() {
  const std::optional<TimePoint> next = table_.NextExpiry();
  if (!next || (sweep_ && sweep_->first <= *next)) return;
  if (sweep_) timers_->Cancel(*sweep_);
  sweep_ = timers_->Schedule(*next, [this] { Sweep(); });
}

void JobServiceImpl::Sweep() {
  Outbox out;
  std::lock_guard lock(mu_);
  sweep_.reset();
  const TimePoint now = timers_->now();
  for (const JobPtr& job : table_.Expired(now)) {
    const EventLog::Facts log = job->log->facts();
    const TimePoint kept_until = log.delivered.value_or(now) + options_.retention_attached;
    if (job->attached && log.delivered && kept_until > now) {
      table_.Postpone(job, kept_until);
    } else if (job->attached && !log.delivered && log.watchers > 0) {
      table_.Postpone(job, now + options_.retention_attached);  // its reader is slow, not gone
    } else {
      ForgetLocked(job, &out);
    }
  }
  SweepSoonLocked();
}

}  // namespace astrolabe::jobs
