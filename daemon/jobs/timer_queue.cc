#include "daemon/jobs/timer_queue.h"

namespace astrolabe::jobs {

TimerQueue::TimerQueue(Clock clock) : clock_(std::move(clock)) {}

TimerQueue::~TimerQueue() { Stop(); }

void TimerQueue::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void TimerQueue::Stop() {
  std::map<Id, std::function<void()>> dropped;  // destroyed without the lock: captures may run destructors
  {
    std::lock_guard lock(mu_);
    stopped_ = true;
    dropped.swap(timers_);
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

TimerQueue::Id TimerQueue::Schedule(TimePoint at, std::function<void()> callback) {
  bool earliest = false;
  Id id;
  {
    std::lock_guard lock(mu_);
    id = {at, next_++};
    if (stopped_) return id;
    earliest = timers_.empty() || id < timers_.begin()->first;
    timers_.emplace(id, std::move(callback));
  }
  if (earliest) wake_.notify_one();
  return id;
}

void TimerQueue::Cancel(Id id) {
  std::map<Id, std::function<void()>>::node_type dropped;
  std::lock_guard lock(mu_);
  dropped = timers_.extract(id);
}

int TimerQueue::RunDue() {
  int count = 0;
  for (;;) {
    std::map<Id, std::function<void()>>::node_type due;
    {
      std::lock_guard lock(mu_);
      if (stopped_ || timers_.empty() || timers_.begin()->first.first > clock_()) return count;
      due = timers_.extract(timers_.begin());
    }
    due.mapped()();
    ++count;
  }
}

size_t TimerQueue::size() const {
  std::lock_guard lock(mu_);
  return timers_.size();
}

void TimerQueue::Loop() {
  for (;;) {
    RunDue();
    std::unique_lock lock(mu_);
    if (stopped_) return;
    if (timers_.empty()) {
      wake_.wait(lock);
    } else if (timers_.begin()->first.first > clock_()) {
      const TimePoint at = timers_.begin()->first.first;
      wake_.wait_until(lock, at);
    }
  }
}

}  // namespace astrolabe::jobs
