// Into the service: checks, idempotency, the bounded queue, slots.
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "daemon/base/counted.h"
#include "daemon/jobs/convert.h"
#include "daemon/jobs/event_codec.h"
#include "daemon/jobs/fault_list.h"
#include "daemon/jobs/job_service_impl.h"
#include "daemon/jobs/job_view.h"
#include "daemon/jobs/limit_check.h"
#include "daemon/jobs/text.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace astrolabe::jobs {
namespace {

constexpr size_t kMaxRequestId = 128;
constexpr int64_t kWindowBytes = 4 << 20;
constexpr std::chrono::milliseconds kTellPositionsEvery{100};

std::string RandomId() {
  std::array<unsigned, 2> number{};
  // Does not fail for so few bytes; they need not be secret, only different.
  while (::getrandom(number.data(), sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%08x%08x", number[0], number[1]);
  return text.data();
}

// The same bytes for the same spec; the instance is compared where it is.
std::string Fingerprint(const v1::JobSpec& spec) {
  const v1::JobSpec small = WithoutInstance(spec);
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    small.SerializeToCodedStream(&coded);
  }
  return bytes;
}

bool SameInstance(const v1::JobSpec& a, const v1::JobSpec& b) {
  return a.instance_case() == b.instance_case() && a.text() == b.text() && a.data() == b.data();
}

}  // namespace

SpecContext JobServiceImpl::Context(const registry::Catalog& catalog) const {
  SpecContext context;
  context.catalog = &catalog;
  context.algorithms = algorithms_;
  context.default_limits = options_.default_limits;
  context.slots = options_.slots;
  context.plugins = [this] { return registry_->List(); };
  return context;
}

Result<v1::JobSpec> JobServiceImpl::CheckSpec(const v1::JobSpec& spec) const {
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  return jobs::CheckSpec(spec, Context(*catalog));
}

Result<std::string> JobServiceImpl::CreateJob(const v1::JobSpec& spec, const CreateOptions& options) {
  Result<Admitted> admitted = Admit(spec, options, nullptr);
  if (!admitted.ok()) return std::move(admitted).error();
  return admitted->job->name;
}

Result<JobService::Solving> JobServiceImpl::Solve(const v1::JobSpec& spec, const CreateOptions& options,
                                                  const v1::WatchOptions& watch) {
  Result<Admitted> admitted = Admit(spec, options, &watch);
  if (!admitted.ok()) return std::move(admitted).error();
  return Solving{admitted->job->name, std::move(admitted->watch)};
}

Result<JobServiceImpl::Admitted> JobServiceImpl::Admit(const v1::JobSpec& spec, const CreateOptions& options,
                                                       const v1::WatchOptions* watch) {
  FaultList faults;
  if (options.request_id.size() > kMaxRequestId) faults.Invalid("request_id", "expected at most 128 bytes");
  if (watch != nullptr) CheckWatch(*watch, &faults);
  if (!faults.empty()) return faults.ToError();
  std::string request_spec;
  if (!options.request_id.empty()) {
    request_spec = Fingerprint(spec);
    // Before the check: a repeated request is answered even when its plugins are gone by now.
    std::lock_guard lock(mu_);
    if (const JobPtr job = table_.FindByRequest(options.owner, options.request_id)) {
      return RepeatedLocked(job, spec, request_spec, watch);
    }
  }
  Result<v1::JobSpec> checked = CheckSpec(spec);
  if (!checked.ok()) return std::move(checked).error();
  auto shared = std::make_shared<const v1::JobSpec>(*std::move(checked));
  Outbox out;
  std::lock_guard lock(mu_);
  return AdmitLocked(std::move(shared), options, std::move(request_spec), watch, &out);
}

Result<JobServiceImpl::Admitted> JobServiceImpl::RepeatedLocked(const JobPtr& job, const v1::JobSpec& spec,
                                                                const std::string& request_spec,
                                                                const v1::WatchOptions* watch) {
  if (job->request_spec != request_spec || !SameInstance(*job->spec, spec)) {
    Error error = MakeError(ErrorCode::kAlreadyExists, "REQUEST_ID_REUSED",
                            "request_id " + CleanText(job->request_id, kMaxRequestId) + " belongs to " + job->name +
                                ", which was created with another spec");
    error.metadata = {{"job", job->name}};
    return error;
  }
  Admitted admitted{job, nullptr};
  if (watch != nullptr) {
    Result<std::unique_ptr<Watch>> attached = job->log->Attach(0, *watch, v1::OVERFLOW_BLOCK);
    if (!attached.ok()) return std::move(attached).error();
    admitted.watch = *std::move(attached);
  }
  return admitted;
}

Error JobServiceImpl::Busy(std::string reason, std::string message) const {
  Error error = MakeError(ErrorCode::kUnavailable, std::move(reason), std::move(message));
  error.retry_after = RetryAfter();
  return error;
}

std::chrono::milliseconds JobServiceImpl::RetryAfter() const {
  const double wait_ms = mean_run_ms_ * (queue_.size() + 1) / options_.slots / 2;
  return std::chrono::milliseconds(static_cast<int64_t>(std::clamp(wait_ms, 100.0, 30000.0)));
}

Result<JobServiceImpl::Admitted> JobServiceImpl::AdmitLocked(std::shared_ptr<const v1::JobSpec> spec,
                                                             const CreateOptions& options, std::string request_spec,
                                                             const v1::WatchOptions* watch, Outbox* out) {
  if (draining_) return Busy("DRAINING", "the server shuts down and takes no new jobs");
  if (!options.request_id.empty()) {  // somebody may have been faster
    if (const JobPtr job = table_.FindByRequest(options.owner, options.request_id)) {
      return RepeatedLocked(job, *spec, request_spec, watch);
    }
  }
  if (options_.owner_jobs > 0 && table_.active(options.owner) >= options_.owner_jobs) {
    Error error = MakeError(ErrorCode::kResourceExhausted, "QUOTA",
                            "this server lets an owner have " + std::to_string(options_.owner_jobs) +
                                " jobs at a time that wait or run: wait for one to end, or cancel one");
    error.metadata = {{"quota", std::to_string(options_.owner_jobs)}};
    error.retry_after = RetryAfter();
    return error;
  }
  const int64_t bytes = static_cast<int64_t>(spec->ByteSizeLong());
  const bool starts = queue_.empty() && spec->threads() <= free_slots_locked();
  // Whatever a server takes, it has room for the specs; one job alone always has.
  const bool has_room = table_.active() == 0 || queue_.bytes() + running_bytes_ + bytes <= options_.queue_bytes;
  if (!has_room || (!starts && !queue_.HasPlace())) {
    return Busy("QUEUE_FULL", "the queue is full: " + Counted(queue_.size(), "job") + " with " +
                                  Counted(queue_.bytes(), "byte") + " wait, and what runs has " +
                                  Counted(running_bytes_, "byte"));
  }
  auto job = std::make_shared<Job>(next_order_++, "jobs/" + RandomId(), std::move(spec), budget_);
  job->owner = options.owner;
  job->request_id = options.request_id;
  job->request_spec = std::move(request_spec);
  job->attached = options.attached;
  job->create_time = std::chrono::system_clock::now();
  job->accepted = timers_->now();
  job->limits = job->spec->limits();
  job->priority = job->spec->priority();
  job->spec_bytes = bytes;
  job->charge.Set(bytes + static_cast<int64_t>(sizeof(Job) + sizeof(EventLog)));
  job->log = NewLog(job->name);

  Admitted admitted{job, nullptr};
  if (watch != nullptr) {
    Result<std::unique_ptr<Watch>> attached = job->log->Attach(0, *watch, v1::OVERFLOW_BLOCK);
    if (!attached.ok()) return std::move(attached).error();
    admitted.watch = *std::move(attached);
  }
  table_.Add(job);
  queue_.Push(job, bytes);
  job->told_position = starts ? 0 : queue_.Position(*job);
  LogAcceptedLocked(*job, out);
  // Whoever creates a job has it for sure.
  if (const uint64_t ticket = RecordLocked(*job); ticket > 0) {
    out->Add([journal = options_.journal, ticket] { journal->WaitWritten(ticket); });
  }
  if (!starts) SetQueueTimerLocked(job);
  PumpLocked(out);
  EvictLocked(out);
  return admitted;
}

std::shared_ptr<EventLog> JobServiceImpl::NewLog(const std::string& job) const {
  LogOptions log;
  log.node_bytes = options_.node_log_bytes;
  log.window_bytes = std::clamp<int64_t>(options_.node_log_bytes, 64 << 10, kWindowBytes);
  log.heartbeat = options_.heartbeat;
  log.block_timeout = options_.block_timeout;
  return std::make_shared<EventLog>(job, log, timers_, budget_);
}

void JobServiceImpl::LogAcceptedLocked(const Job& job, Outbox* out) {
  v1::JobAccepted accepted;
  accepted.set_queue_position(job.told_position);
  *accepted.mutable_algorithm() = job.spec->algorithm();
  *accepted.mutable_heuristics() = job.spec->heuristics();
  *accepted.mutable_limits() = job.limits;
  job.log->Append(EntryKind::kLasting, Encode(accepted), out);
}

void JobServiceImpl::SetQueueTimerLocked(const JobPtr& job) {
  if (job->queue_timer) timers_->Cancel(*job->queue_timer);
  job->queue_timer.reset();
  const std::chrono::nanoseconds timeout = ToChrono(job->limits.queue_timeout());
  if (timeout.count() == 0) return;
  job->queue_timer = timers_->Schedule(job->accepted + timeout, [this, weak = std::weak_ptr<Job>(job)] {
    if (const JobPtr waiting = weak.lock()) OnQueueTimeout(waiting);
  });
}

void JobServiceImpl::OnQueueTimeout(const JobPtr& job) {
  Outbox out;
  std::lock_guard lock(mu_);
  if (job->state.state() == JobState::kQueued) StopLocked(job, StopCause::kQueueTimeout, &out);
}

void JobServiceImpl::PumpLocked(Outbox* out) {
  // The first in line waits for as many slots as it needs; nobody overtakes it, so that it gets them.
  while (const JobPtr job = queue_.front()) {
    if (job->spec->threads() > free_slots_locked()) break;
    queue_.Remove(*job);
    if (job->queue_timer) timers_->Cancel(*job->queue_timer);
    job->queue_timer.reset();
    job->state.Move(JobState::kPreparing);
    job->start_time = std::chrono::system_clock::now();
    job->started = timers_->now();
    used_slots_ += job->spec->threads();
    ++running_;
    running_bytes_ += job->spec_bytes;
    v1::StateChanged changed;
    changed.set_state(v1::JOB_STATE_PREPARING);
    job->log->Append(EntryKind::kLasting, Encode(changed), out);
    out->Add([this, job] { Launch(job); });
  }
  if (!queue_.empty()) TellPositionsSoonLocked();
}

void JobServiceImpl::TellPositionsSoonLocked() {
  // Gathered: with short jobs positions change far more often than anybody wants to read.
  if (std::exchange(positions_due_, true)) return;
  timers_->Schedule(timers_->now() + kTellPositionsEvery, [this] { TellPositions(); });
}

void JobServiceImpl::TellPositions() {
  Outbox out;
  std::lock_guard lock(mu_);
  positions_due_ = false;
  queue_.ForEach([&](const JobPtr& job, int position) {
    if (job->told_position == position) return;
    job->told_position = position;
    v1::StateChanged changed;
    changed.set_state(v1::JOB_STATE_QUEUED);
    changed.set_queue_position(position);
    job->log->Append(EntryKind::kThinnable, Encode(changed), &out);
  });
}

}  // namespace astrolabe::jobs
