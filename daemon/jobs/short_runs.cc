#include "daemon/jobs/short_runs.h"

#include <algorithm>
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

ShortRuns::ShortRuns(Room room, workers::WorkerPool* pool, TimerQueue* timers, WorkQueue* work)
    : room_(room), pool_(pool), timers_(timers), work_(work) {}

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
  const Runs stalled = StartNextLocked();
  lock.unlock();
  EndStalled(stalled);
  return handle;
}

ShortRuns::Runs ShortRuns::StartNextLocked() {
  Runs stalled;
  const TimePoint now = timers_->now();
  while (!waiting_.empty()) {
    int working = 0;
    size_t ending = 0;
    std::optional<TimePoint> first_wait;  // of those that may stall yet
    auto first_stalled = running_.end();
    for (auto at = running_.begin(); at != running_.end(); ++at) {
      const Place& place = at->second;
      ending += place.ending ? 1 : 0;
      if (place.ending || !place.waits_since || now - *place.waits_since < kStall) {
        ++working;
        if (!place.ending && place.waits_since) {
          first_wait = first_wait ? std::min(*first_wait, *place.waits_since) : *place.waits_since;
        }
      } else if (first_stalled == running_.end() || *place.waits_since < *first_stalled->second.waits_since) {
        first_stalled = at;
      }
    }
    if (working >= room_.at_once) {
      if (first_wait) LookAgainLocked(*first_wait + kStall);
      break;
    }
    if (static_cast<int>(running_.size()) < room_.workers) {
      std::shared_ptr<ShortRun> next = std::move(waiting_.front());
      waiting_.pop_front();
      running_.emplace(next, Place());
      work_->Post([next] { next->Start(); });
      continue;
    }
    if (first_stalled == running_.end() || ending >= waiting_.size()) break;
    first_stalled->second.ending = true;
    stalled.push_back(first_stalled->first);
  }
  if (running_.empty() && waiting_.empty()) idle_.notify_all();
  return stalled;
}

void ShortRuns::EndStalled(const Runs& runs) {
  for (const auto& run : runs) run->EndStalled();
}

void ShortRuns::LookAgainLocked(TimePoint at) {
  if (look_again_at_ && *look_again_at_ <= at) return;
  look_again_at_ = at;
  timers_->Schedule(at, [this] {
    Runs stalled;
    {
      const std::lock_guard lock(mu_);
      look_again_at_.reset();
      stalled = StartNextLocked();
    }
    EndStalled(stalled);
  });
}

void ShortRuns::OnWaits(ShortRun* run, bool waits) {
  Runs stalled;
  {
    const std::lock_guard lock(mu_);
    const auto at =
        std::find_if(running_.begin(), running_.end(), [run](const auto& entry) { return entry.first.get() == run; });
    if (at == running_.end()) return;
    at->second.waits_since = waits ? std::optional(timers_->now()) : std::nullopt;
    stalled = StartNextLocked();
  }
  EndStalled(stalled);
}

void ShortRuns::OnGone(ShortRun* run) {
  std::shared_ptr<ShortRun> keep;  // dies after the lock
  Runs stalled;
  {
    const std::lock_guard lock(mu_);
    for (auto at = running_.begin(); at != running_.end(); ++at) {
      if (at->first.get() != run) continue;
      keep = at->first;
      running_.erase(at);
      break;
    }
    stalled = StartNextLocked();
  }
  EndStalled(stalled);
}

void ShortRuns::Shutdown() {
  std::vector<std::shared_ptr<ShortRun>> all;
  {
    std::lock_guard lock(mu_);
    stopped_ = true;
    for (const auto& [run, place] : running_) all.push_back(run);
    all.insert(all.end(), waiting_.begin(), waiting_.end());
  }
  for (const auto& run : all) run->Abort(MakeError(ErrorCode::kCancelled, "DRAINING", "the server shuts down"));
  all.clear();
  std::unique_lock lock(mu_);
  idle_.wait(lock, [this] { return running_.empty() && waiting_.empty(); });
}

}  // namespace astrolabe::jobs
