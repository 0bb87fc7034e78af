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

internal::v1::ToWorker ControlLoop::ReadMessage() const {
  Result<Frame> frame = ReadFrame(fd_);
  if (!frame.ok()) {
    if (frame.error().code == ErrorCode::kUnavailable) ::_exit(0);
    ProtocolError(frame.error().message);
  }
  if (frame->type != FrameType::kToWorker) {
    ProtocolError("type " + std::to_string(static_cast<int>(frame->type)) + " is not for a worker");
  }
  internal::v1::ToWorker message;
  if (!message.ParseFromString(frame->payload)) ProtocolError("it does not parse");
  if (message.message_case() == internal::v1::ToWorker::MESSAGE_NOT_SET) ProtocolError("it is empty");
  return message;
}

void ControlLoop::Run(internal::v1::ToWorker first) {
  try {
    Handle(std::move(first));
    for (;;) {
      WaitForFrameOrPatience();
      Handle(ReadMessage());
    }
  } catch (const std::exception& error) {
    ProtocolError(std::string("the control thread cannot go on: ") + error.what());
  }
}

void ControlLoop::WaitForFrameOrPatience() {
  using std::chrono::milliseconds;
  while (!stopping_.expired()) {
    const auto left = std::chrono::ceil<milliseconds>(patience_ends_ - std::chrono::steady_clock::now());
    pollfd ready{fd_, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(std::max(left, milliseconds(0)).count())) > 0) return;
    if (left > milliseconds(0)) continue;
    if (!stopping_.expired()) on_unresponsive_();
    stopping_.reset();
  }
}

void ControlLoop::Handle(internal::v1::ToWorker message) {
  using internal::v1::ToWorker;
  switch (message.message_case()) {
    case ToWorker::kStop:
      HandleStop(message.stop());
      return;
    case ToWorker::kCredit:
      if (!jobs_.empty()) {
        if (const auto job = jobs_.back().lock()) job->credit().Add(message.credit().bytes());
      }
      return;
    case ToWorker::kProbe:
      ProtocolError("a probe must be the first message of a worker");
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
  }
  item.message = std::move(message);
  if (!queue_->Push(std::move(item))) ProtocolError("too many pieces of work at once");
}

void ControlLoop::HandleStop(const internal::v1::Stop& stop) {
  for (const std::weak_ptr<JobControl>& weak : jobs_) {
    const auto job = weak.lock();
    if (job == nullptr || job->job() != stop.job()) continue;
    job->Stop(CauseOf(stop.reason()));
    stopping_ = job;
    patience_ends_ = std::chrono::steady_clock::now() + kPatience;
  }
}

}  // namespace astrolabe::worker
