#include "daemon/worker/control_loop.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

#include "daemon/base/frame_io.h"

namespace astrolabe::worker {
namespace {

[[noreturn]] void ProtocolError(const std::string& why) {
  std::fprintf(stderr, "astrolabe-worker: bad frame from the daemon: %s\n", why.c_str());
  std::fflush(stderr);
  ::_exit(kProtocolExit);
}

Error BadFrame(std::string why) { return MakeError(ErrorCode::kInvalidArgument, "BAD_FRAME", std::move(why)); }

engine::StopCause CauseOf(internal::v1::StopReason reason) {
  switch (reason) {
    case internal::v1::STOP_REASON_INTERRUPT:
      return engine::StopCause::kInterrupt;
    case internal::v1::STOP_REASON_WALL_TIME:
      return engine::StopCause::kWallTime;
    default:
      return engine::StopCause::kCancel;
  }
}

}  // namespace

bool WorkQueue::Push(WorkItem item) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (waiting_.size() >= kMaxWaiting) return false;
  waiting_.push_back(std::move(item));
  changed_.notify_one();
  return true;
}

WorkItem WorkQueue::Pop() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !waiting_.empty(); });
  WorkItem item = std::move(waiting_.front());
  waiting_.pop_front();
  return item;
}

Deadline DeadlineOf(const v1::JobSpec& spec, std::chrono::steady_clock::time_point now) {
  const auto& wall_time = spec.limits().wall_time();
  constexpr int64_t kMaxSeconds = int64_t{100} * 365 * 24 * 3600;
  if (wall_time.seconds() < 0 || wall_time.seconds() > kMaxSeconds) return std::nullopt;
  const auto duration = std::chrono::seconds(wall_time.seconds()) + std::chrono::nanoseconds(wall_time.nanos());
  if (duration <= std::chrono::nanoseconds(0)) return std::nullopt;
  return now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(duration);
}

Result<internal::v1::ToWorker> ReadToWorker(int fd) {
  Result<Frame> frame = ReadFrame(fd);
  if (!frame.ok()) return std::move(frame).error();
  if (frame->type != FrameType::kToWorker) {
    return BadFrame("type " + std::to_string(static_cast<int>(frame->type)) + " is not for a worker");
  }
  internal::v1::ToWorker message;
  if (!message.ParseFromString(frame->payload)) return BadFrame("it does not parse");
  if (message.message_case() == internal::v1::ToWorker::MESSAGE_NOT_SET) return BadFrame("it is empty");
  return message;
}

internal::v1::ToWorker ControlLoop::ReadMessage() const {
  Result<internal::v1::ToWorker> message = ReadToWorker(fd_);
  if (message.ok()) return *std::move(message);
  if (message.error().code == ErrorCode::kUnavailable) ::_exit(0);
  ProtocolError(message.error().message);
}

void ControlLoop::Run(internal::v1::ToWorker first) {
  try {
    Status taken = Take(std::move(first));
    while (taken.ok()) {
      WaitForFrame();
      taken = Take(ReadMessage());
    }
    ProtocolError(taken.error().message);
  } catch (const std::exception& error) {
    ProtocolError(std::string("the control thread cannot go on: ") + error.what());
  }
}

void ControlLoop::WaitForFrame() {
  using std::chrono::milliseconds;
  for (;;) {
    int timeout = -1;
    if (look_at_) {
      const auto left = std::chrono::ceil<milliseconds>(*look_at_ - std::chrono::steady_clock::now());
      timeout = static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
    }
    pollfd ready{fd_, POLLIN, 0};
    if (::poll(&ready, 1, timeout) > 0) return;
    if (const TimePoint now = std::chrono::steady_clock::now(); look_at_ && now >= *look_at_) LookForOverdueJobs(now);
  }
}

void ControlLoop::LookForOverdueJobs(TimePoint now) {
  look_at_.reset();
  bool overdue = false;
  for (const std::weak_ptr<JobControl>& weak : jobs_) {
    const auto job = weak.lock();
    if (job == nullptr) continue;
    overdue =
        overdue || job->token().cause() != engine::StopCause::kNone || (job->deadline() && now > *job->deadline());
    if (job->deadline() && now <= *job->deadline()) {
      look_at_ = std::min(look_at_.value_or(TimePoint::max()), *job->deadline() + kPatience);
    }
  }
  if (!overdue) return;
  on_unresponsive_();
  patience_ *= 2;
  look_at_ = std::min(look_at_.value_or(TimePoint::max()), now + patience_);
}

Status ControlLoop::Take(internal::v1::ToWorker message) {
  using internal::v1::ToWorker;
  switch (message.message_case()) {
    case ToWorker::kStop:
      TakeStop(message.stop());
      return {};
    case ToWorker::kCredit:
      if (!jobs_.empty()) {
        if (const auto job = jobs_.back().lock()) job->credit().Add(message.credit().bytes());
      }
      return {};
    case ToWorker::kProbe:
      return BadFrame("a probe must be the first message of a worker");
    default:
      break;
  }
  WorkItem item;
  if (message.has_run()) {
    const internal::v1::RunJob& run = message.run();
    item.control = std::make_shared<JobControl>(run.job(), run.initial_credit_bytes(),
                                                DeadlineOf(run.spec(), std::chrono::steady_clock::now()));
    std::erase_if(jobs_, [](const std::weak_ptr<JobControl>& job) { return job.expired(); });
    jobs_.push_back(item.control);
    patience_ = kPatience;
    if (const Deadline& deadline = item.control->deadline()) {
      look_at_ = std::min(look_at_.value_or(TimePoint::max()), *deadline + kPatience);
    }
  }
  item.message = std::move(message);
  if (!queue_->Push(std::move(item))) return BadFrame("too many pieces of work at once");
  return {};
}

void ControlLoop::TakeStop(const internal::v1::Stop& stop) {
  for (const std::weak_ptr<JobControl>& weak : jobs_) {
    const auto job = weak.lock();
    if (job == nullptr || job->job() != stop.job()) continue;
    job->Stop(CauseOf(stop.reason()));
    patience_ = kPatience;
    look_at_ = std::chrono::steady_clock::now() + patience_;
  }
}

}  // namespace astrolabe::worker
