#include "daemon/jobs/job_run.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

constexpr size_t kMostAtOnce = 1 << 20;     // bytes of a spec that are copied on any thread
constexpr int64_t kMostMoves = 30'000'000;  // for which a stopped worker is given time, a second a million

internal::v1::StopReason ToReason(StopCause cause) {
  switch (cause) {
    case StopCause::kInterrupt:
      return internal::v1::STOP_REASON_INTERRUPT;
    case StopCause::kWallTime:
      return internal::v1::STOP_REASON_WALL_TIME;
    case StopCause::kCancel:
    case StopCause::kMemory:
    case StopCause::kQueueTimeout:
      break;
  }
  return internal::v1::STOP_REASON_CANCEL;
}

}  // namespace

JobRun::JobRun(RunPlan plan, const Context& context)
    : plan_(std::move(plan)), context_(context), content_(plan_.max_path_bytes) {
  heard_.bounds_are_proven = plan_.bounds_are_proven;
}

JobRun::~JobRun() = default;

internal::v1::ToWorker JobRun::RunFrame() const {
  constexpr int64_t kProgressMs = 50;  // watchers are conflated to their own intervals
  internal::v1::ToWorker frame;
  internal::v1::RunJob* run = frame.mutable_run();
  run->set_job(plan_.name);
  *run->mutable_spec() = *plan_.spec;
  *run->mutable_spec()->mutable_limits() = plan_.limits;
  if (plan_.limits.has_wall_time()) {
    // It counts from the moment the job left the queue; taking a worker may have cost some of it.
    const auto left = ToChrono(plan_.limits.wall_time()) - (context_.timers->now() - plan_.started);
    *run->mutable_spec()->mutable_limits()->mutable_wall_time() =
        ToProto(std::max<std::chrono::nanoseconds>(left, std::chrono::milliseconds(1)));
  }
  for (const workers::PluginFile& file : plan_.pins.files) *run->add_plugins() = ToProto(file);
  run->set_initial_credit_bytes(plan_.log->window_bytes());
  run->set_progress_interval_ms(kProgressMs);
  return frame;
}

Status JobRun::SendRun(workers::Lease* lease) const {
  static std::mutex one_large_at_a_time;
  std::unique_lock<std::mutex> lock;
  if (plan_.spec->ByteSizeLong() > kMostAtOnce) lock = std::unique_lock(one_large_at_a_time);
  try {
    return lease->Send(RunFrame());
  } catch (const std::bad_alloc&) {
    return MakeError(ErrorCode::kResourceExhausted, "SERVER_MEMORY", "the daemon has no memory to hand it the job");
  }
}

bool JobRun::TryStart() {
  const auto self = shared_from_this();
  if (plan_.spec->ByteSizeLong() > kMostAtOnce) return false;
  std::shared_ptr<workers::Lease> lease = context_.pool->TryAcquire(plan_.pins.files, this);
  if (lease == nullptr) return false;
  StartIn(std::move(lease));
  return true;
}

void JobRun::Start() {
  const auto self = shared_from_this();
  auto acquired = context_.pool->Acquire(plan_.pins.files, this);
  if (!acquired.ok()) {
    if (TakeEnd()) context_.host->OnRunUndelivered(this, acquired.error());
    return context_.host->OnRunGone(this);
  }
  StartIn(*std::move(acquired));
}

void JobRun::StartIn(std::shared_ptr<workers::Lease> lease) {
  bool unused = false;
  {
    std::lock_guard lock(mu_);
    lease_ = lease;
    unused = ended_;
    if (unused && gone_) return;  // OnGone has said all
  }
  if (unused) {  // stopped while the worker was being taken
    lease->Release(true);
    return context_.host->OnRunGone(this);
  }
  plan_.log->SetCreditSink(weak_from_this());
  const Status sent = SendRun(lease.get());
  if (!sent.ok()) {
    if (TakeEnd()) context_.host->OnRunUndelivered(this, sent.error());
    return lease->Kill("it does not take frames");  // OnGone follows, or has been
  }
  std::optional<StopCause> stop;
  {
    std::lock_guard lock(mu_);
    sent_ = true;
    if (!ended_) stop = stop_;
  }
  if (stop) SendStop(*stop);
}

void JobRun::RequestStop(StopCause cause) {
  bool unstarted = false;
  bool sent = false;
  {
    std::lock_guard lock(mu_);
    if (ended_ || (stop_ && cause != StopCause::kMemory)) return;
    stop_ = cause;
    sent = sent_;
    // Decided and ended under one lock: Start looks at ended_ when it puts the lease in place, so a worker that is
    // being taken right now is given back, never handed a job nobody waits for.
    unstarted = lease_ == nullptr;
    if (unstarted) {
      SetEndedLocked();
    } else if (cause != StopCause::kMemory) {
      SetGraceTimerLocked();
    }
  }
  if (unstarted) return context_.host->OnRunEnded(this, StoppedResult(cause, heard(), false), nullptr);
  if (cause == StopCause::kMemory) return KillAndEnd(StoppedResult(cause, heard(), true));
  // Before RunJob is out, Start sends it afterwards: a worker knows nothing of a job it was not given.
  if (sent) {
    context_.work->Post([self = shared_from_this(), cause] { self->SendStop(cause); });
  }
}

void JobRun::SetGraceTimerLocked() {
  const bool has_solution = heard_.best.has_value() || (plan_.has_state_at_once && searching_since_.has_value());
  auto grace = has_solution ? std::max(plan_.cancel_grace, plan_.solution_grace) : plan_.cancel_grace;
  // A path is replayed before it is handed over: some moves of large boards copy kilobytes.
  if (heard_.best) grace += std::chrono::milliseconds(std::clamp<int64_t>(heard_.best->length(), 0, kMostMoves) / 1000);
  grace_timer_ = context_.timers->Schedule(context_.timers->now() + grace, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    StopCause cause;
    {
      std::lock_guard lock(self->mu_);
      cause = *self->stop_;
    }
    self->KillAndEnd(StoppedResult(cause, self->heard(), true));
  });
}

void JobRun::Abort() { KillAndEnd(StoppedResult(StopCause::kInterrupt, heard(), true)); }

void JobRun::SendStop(StopCause cause) {
  internal::v1::ToWorker frame;
  frame.mutable_stop()->set_job(plan_.name);
  frame.mutable_stop()->set_reason(ToReason(cause));
  // A worker that cannot be told is ended by the grace timer, or is gone already.
  if (const auto open = lease(); open && !ended()) (void)open->Send(frame);
}

void JobRun::GuardWallTime(TimePoint deadline) {
  std::lock_guard lock(mu_);
  if (wall_timer_) context_.timers->Cancel(*wall_timer_);
  wall_timer_.reset();
  if (ended_) return;
  constexpr std::chrono::milliseconds kSlack{25};
  wall_timer_ = context_.timers->Schedule(deadline + kSlack, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->RequestStop(StopCause::kWallTime);
  });
}

int JobRun::pid() const {
  std::lock_guard lock(mu_);
  return ended_ || lease_ == nullptr ? 0 : lease_->pid();
}

bool JobRun::ended() const {
  std::lock_guard lock(mu_);
  return ended_;
}

bool JobRun::TakeEnd() {
  std::lock_guard lock(mu_);
  if (ended_) return false;
  SetEndedLocked();
  return true;
}

void JobRun::SetEndedLocked() {
  ended_ = true;
  if (grace_timer_) context_.timers->Cancel(*grace_timer_);
  if (wall_timer_) context_.timers->Cancel(*wall_timer_);
}

LastHeard JobRun::heard() const {
  std::lock_guard lock(mu_);
  LastHeard heard = heard_;
  if (searching_since_) heard.search_time = context_.timers->now() - *searching_since_;
  return heard;
}

std::shared_ptr<workers::Lease> JobRun::lease() const {
  std::lock_guard lock(mu_);
  return gone_ ? nullptr : lease_;
}

void JobRun::KillAndEnd(v1::Result result) {
  if (!TakeEnd()) return;
  if (const auto open = lease()) open->Kill("the job " + plan_.name + " must end");
  context_.host->OnRunEnded(this, std::move(result), nullptr);
}

void JobRun::ReturnCredit(int64_t bytes) {
  context_.work->Post([self = shared_from_this(), bytes] {
    internal::v1::ToWorker frame;
    frame.mutable_credit()->set_bytes(bytes);
    if (const auto open = self->lease(); open && !self->ended()) (void)open->Send(frame);
  });
}

}  // namespace astrolabe::jobs
