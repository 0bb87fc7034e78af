#include "daemon/jobs/validate_run.h"

#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/run_result.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

using internal::v1::ToDaemon;

constexpr std::chrono::milliseconds kRetry{50};

Error Failed(const v1::PluginFailure& failure) {
  Error error = MakeError(ErrorCode::kFailedPrecondition, "PLUGIN_FAILED", Sentence(failure));
  error.metadata = {{"plugin", failure.plugin()}, {"stage", failure.stage()}, {"code", failure.code()}};
  if (failure.signal() != 0) {
    error.metadata["signal"] = std::to_string(failure.signal());
    error.metadata["signal_name"] = failure.signal_name();
  }
  return error;
}

Error Rejected(const google::protobuf::RepeatedPtrField<v1::Violation>& violations) {
  Error error = MakeError(ErrorCode::kInvalidArgument, "INSTANCE_REJECTED", "");
  for (const v1::Violation& violation : violations) {
    const std::string text = Describe(violation);
    error.violations.push_back({violation.field().empty() ? "instance" : violation.field(), text});
    if (!error.message.empty()) error.message += "; ";
    if (error.message.size() < 4096) error.message += text;
  }
  return error;
}

}  // namespace

std::string Describe(const v1::Violation& violation) {
  std::string out;
  if (violation.line() > 0) out += "line " + std::to_string(violation.line());
  if (violation.line() > 0 && violation.column() > 0) out += ", column " + std::to_string(violation.column());
  if (!out.empty()) out += ": ";
  out += violation.message();
  std::string more;
  if (!violation.expected().empty()) more = "expected " + violation.expected();
  if (!violation.hint().empty()) more += (more.empty() ? "" : "; ") + violation.hint();
  if (!more.empty()) out += " (" + more + ")";
  return out;
}

ValidateRun::ValidateRun(Validator* owner, v1::InstanceRef instance, PluginPins pins, Validator::Done done)
    : owner_(owner), instance_(std::move(instance)), pins_(std::move(pins)), done_(std::move(done)) {}

void ValidateRun::Arm() {
  std::lock_guard lock(mu_);
  timer_ = owner_->timers_->Schedule(owner_->timers_->now() + Validator::kTimeLimit, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->TimeOut();
  });
}

void ValidateRun::Start() {
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
  internal::v1::ToWorker frame;
  frame.mutable_validate()->set_request(1);
  *frame.mutable_validate()->mutable_instance() = instance_;
  for (const workers::PluginFile& file : pins_.files) *frame.mutable_validate()->add_plugins() = ToProto(file);
  if (!lease->Send(frame).ok()) lease->Kill("it does not take frames");  // OnGone answers
}

bool ValidateRun::ended() const {
  std::lock_guard lock(mu_);
  return ended_;
}

std::shared_ptr<workers::Lease> ValidateRun::lease() const {
  std::lock_guard lock(mu_);
  return gone_ ? nullptr : lease_;
}

bool ValidateRun::TakeEnd() {
  std::lock_guard lock(mu_);
  if (std::exchange(ended_, true)) return false;
  owner_->timers_->Cancel(timer_);
  return true;
}

void ValidateRun::Answer(Result<v1::ValidateInstanceResponse> result) {
  Validator::Done done;
  {
    std::lock_guard lock(mu_);
    done = std::exchange(done_, nullptr);
  }
  done(std::move(result));
}

void ValidateRun::TimeOut() {
  std::string where;
  {
    std::lock_guard lock(mu_);
    if (!stage_.empty()) where += " in stage " + stage_;
    if (!plugin_.empty()) where += " of plugin " + plugin_;
  }
  Abort(MakeError(ErrorCode::kFailedPrecondition, "VALIDATE_TIMEOUT",
                  "the validation took longer than " + std::to_string(Validator::kTimeLimit.count()) + " s" + where));
}

void ValidateRun::Abort(Error error) {
  if (!TakeEnd()) return;
  if (const auto open = lease()) open->Kill("the validation must end");
  // The answer may run into whoever holds a lock while it drops the handle: not from here.
  owner_->work_->Post([self = shared_from_this(), error = std::move(error)] { self->Answer(error); });
}

void ValidateRun::OnMessage(ToDaemon message) {
  const auto self = shared_from_this();
  if (message.message_case() == ToDaemon::kStage) {
    std::lock_guard lock(mu_);
    plugin_ = CleanText(message.stage().plugin(), 128);
    stage_ = CleanText(message.stage().stage(), 64);
    return;
  }
  if (message.message_case() != ToDaemon::kValidated || !TakeEnd()) return;
  if (const auto open = lease()) open->Release(message.recycle().empty());
  internal::v1::ValidateDone& validated = *message.mutable_validated();
  if (validated.has_failure()) {
    Answer(Failed(validated.failure()));
  } else if (validated.violations_size() > 0) {
    Answer(Rejected(validated.violations()));
  } else {
    if (validated.response().canonical_text().size() > (256u << 10)) {
      validated.mutable_response()->clear_canonical_text();
    }
    Answer(std::move(*validated.mutable_response()));
  }
  owner_->OnGone(this);
}

void ValidateRun::OnGone(const workers::WorkerExit& exit) {
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
      Answer(MakeError(ErrorCode::kUnavailable, "WORKER_GONE", "the worker was ended; try again"));
    } else {
      Answer(Failed(ToFailure(known)));
    }
  }
  owner_->OnGone(this);
}

}  // namespace astrolabe::jobs
