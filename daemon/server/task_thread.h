// One thread for calls that block (loading a plugin, draining), so that gRPC's own never do.
#ifndef ASTROLABE_DAEMON_SERVER_TASK_THREAD_H_
#define ASTROLABE_DAEMON_SERVER_TASK_THREAD_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace astrolabe::server {

// Tasks run one after another, in order. Thread-safe.
class TaskThread {
 public:
  TaskThread();
  ~TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  // Runs `task(true)` on the thread; after Stop, `task(false)` at once on the caller's.
  void Run(std::function<void(bool may_run)> task);
  // Waits for the running task; those that wait are called with false. Idempotent.
  void Stop();

 private:
  void Loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void(bool)>> waiting_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_TASK_THREAD_H_
