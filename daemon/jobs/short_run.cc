#include "daemon/jobs/short_run.h"

#include <new>
#include <utility>

#include "daemon/jobs/run_result.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

using internal::v1::ToDaemon;

constexpr std::chrono::milliseconds kRetry{50};

}  // namespace

ShortRun::ShortRun(ShortRuns* owner, std::shared_ptr<ShortRequest> request, PluginPins pins)
    : owner_(owner), request_(std::move(request)), pins_(std::move(pins)) {}

void ShortRun::Arm() {
  std::lock_guard lock(mu_);
  timer_ = owner_->timers_->Schedule(owner_->timers_->now() + request_->time_limit(), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->TimeOut();
  });
}

void ShortRun::Start() {
  const auto self = shared_from_this();
  if (ended()) return owner_->OnGone(this);
  auto acquired = owner_->pool_->Acquire(pins_.files, this);
  if (!acquired.ok()) {
    // All workers are busy or one could not be started: again, until the time is up.
    owner_->timers_->Schedule(owner_->timers_->now() + kRetry, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->owner_->work_->Post([self] { self->Start(); });
    });
    return;
  }
  const std::shared_ptr<workers::Lease> lease = *std::move(acquired);
  bool unused = false;
  {
    std::lock_guard lock(mu_);
    lease_ = lease;
    unused = ended_;
    if (unused && gone_) return;
  }
  if (unused) {
    lease->Release(true);
    return owner_->OnGone(this);
  }
  try {
    if (lease->Send(request_->Frame(pins_.files)).ok()) return;
  } catch (const std::bad_alloc&) {  // no frame: the same
  }
  lease->Kill("it does not take frames");  // OnGone answers
}

void ShortRun::Send(const internal::v1::ToWorker& frame) {
  owner_->OnWaits(this, false);
  const auto open = ended() ? nullptr : lease();
  if (open && !open->Send(frame).ok()) open->Kill("it does not take frames");  // OnGone answers
}

bool ShortRun::ended() const {
  std::lock_guard lock(mu_);
  return ended_;
}

std::shared_ptr<workers::Lease> ShortRun::lease() const {
  std::lock_guard lock(mu_);
  return gone_ ? nullptr : lease_;
}

bool ShortRun::TakeEnd() {
  std::lock_guard lock(mu_);
  if (std::exchange(ended_, true)) return false;
  owner_->timers_->Cancel(timer_);
  return true;
}

void ShortRun::TimeOut() {
  std::string where;
  {
    std::lock_guard lock(mu_);
    if (!stage_.empty()) where += " in stage " + stage_;
    if (!plugin_.empty()) where += " of plugin " + plugin_;
  }
  Abort(MakeError(ErrorCode::kFailedPrecondition, request_->timeout_reason(),
                  std::string("the ") + request_->what() + " took longer than " +
                      std::to_string(request_->time_limit().count()) + " s" + where));
}

void ShortRun::EndStalled() {
  Abort(MakeError(ErrorCode::kFailedPrecondition, request_->timeout_reason(),
                  std::string("the ") + request_->what() + " waited for its client for more than " +
                      std::to_string(std::chrono::ceil<std::chrono::seconds>(ShortRuns::kStall).count()) +
                      " s, and others wait for its place"));
}

void ShortRun::Abort(Error error) {
  if (!TakeEnd()) return;
  if (const auto open = lease()) open->Kill(std::string("the ") + request_->what() + " must end");
  // The answer may run into whoever holds a lock while it drops the handle: not from here.
  owner_->work_->Post([self = shared_from_this(), error = std::move(error)] { self->request_->Fail(error); });
}

void ShortRun::OnMessage(ToDaemon message) {
  const auto self = shared_from_this();
  if (message.message_case() == ToDaemon::kStage) {
    std::lock_guard lock(mu_);
    plugin_ = CleanText(message.stage().plugin(), 128);
    stage_ = CleanText(message.stage().stage(), 64);
    return;
  }
  if (!request_->IsAnswer(message)) {
    if (ended()) return;
    if (request_->WaitsForClient(message)) owner_->OnWaits(this, true);  // first: what it waits for may be there
    request_->OnMessage(message);
    return;
  }
  if (!TakeEnd()) return;
  if (const auto open = lease()) open->Release(message.recycle().empty());
  request_->Answer(std::move(message));
  owner_->OnGone(this);
}

void ShortRun::OnGone(const workers::WorkerExit& exit) {
  const auto self = shared_from_this();
  workers::WorkerExit known = exit;
  {
    std::lock_guard lock(mu_);
    gone_ = true;
    if (known.plugin.empty()) known.plugin = plugin_;
    if (known.stage.empty()) known.stage = stage_;
  }
  if (TakeEnd()) {
    if (exit.killed_by_us) {
      request_->Fail(MakeError(ErrorCode::kUnavailable, "WORKER_GONE", "the worker was ended; try again"));
    } else {
      request_->Fail(FailedPlugin(ToFailure(known)));
    }
  }
  owner_->OnGone(this);
}

}  // namespace astrolabe::jobs
