// A few threads for calls that may block (acquiring a worker, writing a frame), so that neither the timer
// thread nor a reader of the pool nor an RPC thread ever does.
#ifndef ASTROLABE_DAEMON_JOBS_WORK_QUEUE_H_
#define ASTROLABE_DAEMON_JOBS_WORK_QUEUE_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace astrolabe::jobs {

class WorkQueue {
 public:
  explicit WorkQueue(int threads);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Thread-safe; never calls out. After Stop the work is dropped.
  void Post(std::function<void()> work);
  // Does what was posted, then joins. Idempotent. Not from work of its own.
  void Stop();

 private:
  void Loop();

  std::mutex mu_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> work_;  // guarded by mu_
  bool stopped_ = false;                    // guarded by mu_
  std::vector<std::thread> threads_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_WORK_QUEUE_H_
