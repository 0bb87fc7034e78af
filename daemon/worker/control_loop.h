// The control thread: reads frames from the daemon, sets flags, and hands work to the work thread.
#ifndef ASTROLABE_DAEMON_WORKER_CONTROL_LOOP_H_
#define ASTROLABE_DAEMON_WORKER_CONTROL_LOOP_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/base/result.h"
#include "daemon/worker/job_control.h"

namespace astrolabe::worker {

// Exit code of a worker to which the daemon does not speak as it should.
inline constexpr int kProtocolExit = 2;

// One piece of work; `control` is set for a job.
struct WorkItem {
  internal::v1::ToWorker message;
  std::shared_ptr<JobControl> control;
};

// From the control thread to the work thread.
class WorkQueue {
 public:
  // A daemon gives one piece at a time, but may send the next before it sees us idle.
  static constexpr size_t kMaxWaiting = 16;

  // False when more than that wait: the daemon is not one of ours.
  [[nodiscard]] bool Push(WorkItem item);
  WorkItem Pop();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<WorkItem> waiting_;
};

// The next message of the daemon, which is not trusted: kUnavailable at the end of the socket, kInvalidArgument when it
// is none.
Result<internal::v1::ToWorker> ReadToWorker(int fd);

class ControlLoop {
 public:
  // How long after a Stop, or after its wall time, a job may go on before `on_unresponsive` is called; and again after
  // twice that, and so on, until it ends. The daemon kills some 50 ms after it sent the Stop: on a busy machine the
  // first call may come to nothing.
  static constexpr std::chrono::milliseconds kPatience{5};

  ControlLoop(int fd, WorkQueue* queue, std::function<void()> on_unresponsive)
      : fd_(fd), queue_(queue), on_unresponsive_(std::move(on_unresponsive)) {}

  // The next message. At the end of the socket the process ends with 0, whatever other threads do; at
  // anything that is no frame of the protocol, with a line on stderr and 2.
  internal::v1::ToWorker ReadMessage() const;

  // Hands out `first`, then every message that comes. Does not return.
  [[noreturn]] void Run(internal::v1::ToWorker first);

  // Hands out one message. With an error the daemon is not one of ours.
  Status Take(internal::v1::ToWorker message);

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  void TakeStop(const internal::v1::Stop& stop);
  void WaitForFrame();
  // Calls on_unresponsive_ if a job is overdue, and sets when to look again.
  void LookForOverdueJobs(TimePoint now);

  const int fd_;
  WorkQueue* const queue_;
  const std::function<void()> on_unresponsive_;
  // The job last handed out and those before it that may still run, newest last.
  std::vector<std::weak_ptr<JobControl>> jobs_;
  // When to look for overdue jobs; nullopt: nothing can be overdue.
  std::optional<TimePoint> look_at_;
  std::chrono::milliseconds patience_{kPatience};
};

// Now plus the wall time of the job's limits; nullopt without one.
Deadline DeadlineOf(const v1::JobSpec& spec, std::chrono::steady_clock::time_point now);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_CONTROL_LOOP_H_
