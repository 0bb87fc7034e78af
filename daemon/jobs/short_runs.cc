#include "daemon/jobs/short_runs.h"

#include <utility>

#include "daemon/jobs/short_run.h"

namespace astrolabe::jobs {

ShortRunHandle::ShortRunHandle(std::weak_ptr<ShortRun> run) : run_(std::move(run)) {}

ShortRunHandle::~ShortRunHandle() {
  if (const auto open = run_.lock()) {
    open->Abort(MakeError(ErrorCode::kCancelled, "CANCELLED", "the client cancelled it"));
  }
}

void ShortRunHandle::Send(const internal::v1::ToWorker& frame) {
  if (const auto open = run_.lock()) open->Send(frame);
}

ShortRuns::ShortRuns(int at_once, workers::WorkerPool* pool, TimerQueue* timers, WorkQueue* work)
    : at_once_(at_once), pool_(pool), timers_(timers), work_(work) {}

ShortRuns::~ShortRuns() = default;

std::shared_ptr<ShortRunHandle> ShortRuns::Refuse(Error error, std::shared_ptr<ShortRequest> request) {
  work_->Post([error = std::move(error), request = std::move(request)] { request->Fail(error); });
  return std::make_shared<ShortRunHandle>(std::weak_ptr<ShortRun>());
}

std::shared_ptr<ShortRunHandle> ShortRuns::Start(std::shared_ptr<ShortRequest> request, PluginPins pins) {
  auto run = std::make_shared<ShortRun>(this, request, std::move(pins));
  std::unique_lock lock(mu_);
  if (stopped_ || waiting_.size() >= kMaxWaiting) {
    const bool stopped = stopped_;
    lock.unlock();
    Error error = stopped ? MakeError(ErrorCode::kUnavailable, "DRAINING", "the server shuts down")
                          : MakeError(ErrorCode::kUnavailable, "BUSY", "too many such requests wait already");
    error.retry_after = std::chrono::milliseconds(1000);
    return Refuse(std::move(error), std::move(request));
  }
  run->Arm();
  waiting_.push_back(run);
  auto handle = std::make_shared<ShortRunHandle>(run);
  StartNextLocked();
  return handle;
}

void ShortRuns::StartNextLocked() {
  while (!waiting_.empty() && static_cast<int>(running_.size()) < at_once_) {
    std::shared_ptr<ShortRun> next = std::move(waiting_.front());
    waiting_.pop_front();
    running_.insert(next);
    work_->Post([next] { next->Start(); });
  }
  if (running_.empty() && waiting_.empty()) idle_.notify_all();
}

void ShortRuns::OnGone(ShortRun* run) {
  std::shared_ptr<ShortRun> keep;  // dies after the lock
  std::lock_guard lock(mu_);
  for (auto at = running_.begin(); at != running_.end(); ++at) {
    if (at->get() != run) continue;
    keep = *at;
    running_.erase(at);
    break;
  }
  StartNextLocked();
}

void ShortRuns::Shutdown() {
  std::vector<std::shared_ptr<ShortRun>> all;
  {
    std::lock_guard lock(mu_);
    stopped_ = true;
    all.assign(running_.begin(), running_.end());
    all.insert(all.end(), waiting_.begin(), waiting_.end());
  }
  for (const auto& run : all) run->Abort(MakeError(ErrorCode::kCancelled, "DRAINING", "the server shuts down"));
  all.clear();
  std::unique_lock lock(mu_);
  idle_.wait(lock, [this] { return running_.empty() && waiting_.empty(); });
}

}  // namespace astrolabe::jobs
