// One thread that runs callbacks at their time.
//
// The clock is a seam: with a clock of its own and without Start, a test moves time and calls RunDue.
// Callbacks run without any lock of the queue held and must not block; they hold weak references to what
// they touch, since Cancel does not wait for one that has begun.
#ifndef ASTROLABE_DAEMON_JOBS_TIMER_QUEUE_H_
#define ASTROLABE_DAEMON_JOBS_TIMER_QUEUE_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace astrolabe::jobs {

using TimePoint = std::chrono::steady_clock::time_point;

class TimerQueue {
 public:
  using Id = std::pair<TimePoint, uint64_t>;
  using Clock = std::function<TimePoint()>;

  explicit TimerQueue(Clock clock = [] { return std::chrono::steady_clock::now(); });
  ~TimerQueue();
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  // Starts the thread. At most once.
  void Start();
  // Forgets all timers and joins the thread; later calls of Schedule do nothing. Idempotent. Not from a callback.
  void Stop();

  TimePoint now() const { return clock_(); }
  // Runs `callback` once at `at` or soon after. Thread-safe, never calls out.
  Id Schedule(TimePoint at, std::function<void()> callback);
  // The callback will not begin after this returns; one that has begun goes on. Unknown ids are ignored.
  void Cancel(Id id);

  // Runs, in order of time, all that is due, on this thread. Returns how many.
  int RunDue();
  // Timers that wait.
  size_t size() const;

 private:
  void Loop();

  const Clock clock_;
  mutable std::mutex mu_;
  std::condition_variable wake_;
  std::map<Id, std::function<void()>> timers_;  // guarded by mu_
  uint64_t next_ = 1;                           // guarded by mu_
  bool stopped_ = false;                        // guarded by mu_
  std::thread thread_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_TIMER_QUEUE_H_
