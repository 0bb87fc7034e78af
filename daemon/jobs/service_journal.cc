// Across restarts: what detached jobs are, into the journal, and back from the one that a daemon before has left.
#include <algorithm>
#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/job_service_impl.h"
#include "daemon/jobs/journal.h"

namespace astrolabe::jobs {
namespace {

using std::chrono::system_clock;

// Of a job that had not ended.
v1::Result LostResult(bool cancel_requested) {
  v1::Result result = StoppedResult(StopCause::kInterrupt, LastHeard(), false);
  result.set_explanation(cancel_requested ? "The server ended before the job did, which was to be cancelled."
                                          : "The server ended before the job did.");
  return result;
}

}  // namespace

uint64_t JobServiceImpl::RecordLocked(const Job& job) {
  if (!options_.journal || job.attached) return 0;
  JournalEntry entry;
  internal::v1::JournalJob& facts = entry.facts;
  facts.set_name(job.name);
  facts.set_order(job.order);
  facts.set_owner(job.owner);
  facts.set_request_id(job.request_id);
  facts.set_request_spec(job.request_spec);
  *facts.mutable_limits() = job.limits;
  facts.set_priority(job.priority);
  facts.set_cancel_requested(job.cancel_requested);
  *facts.mutable_create_time() = ToProto(job.create_time);
  if (job.start_time) *facts.mutable_start_time() = ToProto(*job.start_time);
  if (job.end_time) *facts.mutable_end_time() = ToProto(*job.end_time);
  facts.set_last_sequence(job.log->facts().last_sequence);
  entry.spec = job.spec;
  entry.result = job.result;
  entry.content = job.content;
  return options_.journal->Put(std::move(entry));
}

void JobServiceImpl::ForgetRecordLocked(const Job& job) {
  if (options_.journal && !job.attached) options_.journal->Forget(job.name);
}

void JobServiceImpl::RestoreLocked() {
  if (!options_.journal) return;
  uint64_t written = 0;
  for (JournalEntry& entry : options_.journal->TakeRecovered()) {
    written = std::max(written, RestoreJobLocked(std::move(entry)));
  }
  SweepSoonLocked();
  Outbox out;
  EvictLocked(&out);
  // A job that was interrupted ended once, also when this daemon is killed as well.
  if (written > 0) options_.journal->WaitWritten(written);
}

uint64_t JobServiceImpl::RestoreJobLocked(JournalEntry entry) {
  const internal::v1::JournalJob& facts = entry.facts;
  next_order_ = std::max(next_order_, facts.order() + 1);
  const auto now = system_clock::now();
  const bool ended = entry.result != nullptr;
  // A clock that was set back makes no job older than none.
  const auto age = ended ? std::max(now - ToChrono(facts.end_time()), system_clock::duration::zero())
                         : system_clock::duration::zero();
  if (age >= options_.retention_detached) {
    options_.journal->Forget(facts.name());
    return 0;
  }
  auto job = std::make_shared<Job>(facts.order(), facts.name(), entry.spec, budget_);
  job->owner = facts.owner();
  job->request_id = facts.request_id();
  job->request_spec = facts.request_spec();
  job->create_time = ToChrono(facts.create_time());
  job->accepted = timers_->now();
  if (facts.has_start_time()) job->start_time = ToChrono(facts.start_time());
  job->started = job->accepted;
  job->end_time = ended ? ToChrono(facts.end_time()) : now;
  job->limits = facts.limits();
  job->priority = facts.priority();
  job->cancel_requested = facts.cancel_requested();
  job->state.Move(JobState::kDone);
  job->content = std::move(entry.content);
  job->result = std::move(entry.result);
  if (!ended) {
    v1::Result lost = LostResult(job->cancel_requested);
    CompleteLocked(*job, &lost);
    lost.mutable_statistics()->clear_queue_time();  // not known
    job->result = std::make_shared<const v1::Result>(std::move(lost));
  }
  job->log = NewLog(job->name);
  job->log->Restore(*job->result, ended ? facts.last_sequence() : facts.last_sequence() + 1,
                    *job->end_time - job->create_time);
  const size_t content = job->content ? job->content->ByteSizeLong() : 0;
  job->charge.Set(static_cast<int64_t>(sizeof(Job) + sizeof(EventLog) + job->spec->ByteSizeLong() +
                                       job->result->ByteSizeLong() + content));
  table_.Add(job);
  table_.MarkFinished(job, timers_->now() + (options_.retention_detached - age));
  return ended ? 0 : RecordLocked(*job);
}

}  // namespace astrolabe::jobs
