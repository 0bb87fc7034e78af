// A clock that stands still until a test moves it. Timers run on the thread that moves it.
#ifndef ASTROLABE_TESTS_DAEMON_JOBS_FAKE_TIME_H_
#define ASTROLABE_TESTS_DAEMON_JOBS_FAKE_TIME_H_

#include <atomic>
#include <chrono>
#include <memory>

#include "daemon/jobs/timer_queue.h"

namespace astrolabe::jobs {

class FakeTime {
 public:
  FakeTime() {
    timers =
        std::make_shared<TimerQueue>([nanos = nanos_] { return TimePoint(std::chrono::nanoseconds(nanos->load())); });
  }
  void Advance(std::chrono::nanoseconds step) {
    nanos_->fetch_add(step.count());
    timers->RunDue();
  }

  std::shared_ptr<TimerQueue> timers;

 private:
  std::shared_ptr<std::atomic<int64_t>> nanos_ = std::make_shared<std::atomic<int64_t>>(int64_t{1} << 40);
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_TESTS_DAEMON_JOBS_FAKE_TIME_H_
