// The control thread: reads frames from the daemon, sets flags, and hands work to the work thread.
#ifndef ASTROLABE_DAEMON_WORKER_CONTROL_LOOP_H_
#define ASTROLABE_DAEMON_WORKER_CONTROL_LOOP_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
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

class ControlLoop {
 public:
  // How long after a Stop a job may go on before `on_unresponsive` is called: less than the time after
  // which the daemon kills.
  static constexpr std::chrono::milliseconds kPatience{25};

  ControlLoop(int fd, WorkQueue* queue, std::function<void()> on_unresponsive)
      : fd_(fd), queue_(queue), on_unresponsive_(std::move(on_unresponsive)) {}

  // The next message. At the end of the socket the process ends with 0, whatever other threads do; at
  // anything that is no frame of the protocol, with a line on stderr and 2.
  internal::v1::ToWorker ReadMessage() const;

  // Hands out `first`, then every message that comes. Does not return.
  [[noreturn]] void Run(internal::v1::ToWorker first);

 private:
  void Handle(internal::v1::ToWorker message);
  void HandleStop(const internal::v1::Stop& stop);
  void WaitForFrameOrPatience();

  const int fd_;
  WorkQueue* const queue_;
  const std::function<void()> on_unresponsive_;
  // The job last told to stop, until its patience is over.
  std::weak_ptr<JobControl> stopping_;
  std::chrono::steady_clock::time_point patience_ends_{};
  // The job last handed out and those before it that may still run, newest last.
  std::vector<std::weak_ptr<JobControl>> jobs_;
};

// Now plus the wall time of the job's limits; nullopt without one.
Deadline DeadlineOf(const v1::JobSpec& spec, std::chrono::steady_clock::time_point now);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_CONTROL_LOOP_H_
