// Short runs of a worker that search nothing: ValidateInstance, EvaluateStates, ValidatePath.
//
// At most so many at once, the others wait; each has the time limit of its request in all. The request is answered
// exactly once: with the answer, an error, or kCancelled when the handle was destroyed first. Never with a lock held,
// never from inside Start or the handle's destructor.
#ifndef ASTROLABE_DAEMON_JOBS_SHORT_RUNS_H_
#define ASTROLABE_DAEMON_JOBS_SHORT_RUNS_H_

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>

#include "daemon/base/result.h"
#include "daemon/jobs/plugin_pins.h"
#include "daemon/jobs/short_request.h"
#include "daemon/jobs/timer_queue.h"
#include "daemon/jobs/work_queue.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::jobs {

class ShortRun;

// Whoever wants the answer holds it: when the last copy goes, the run is cancelled. Thread-safe.
class ShortRunHandle {
 public:
  explicit ShortRunHandle(std::weak_ptr<ShortRun> run);
  ~ShortRunHandle();
  ShortRunHandle(const ShortRunHandle&) = delete;
  ShortRunHandle& operator=(const ShortRunHandle&) = delete;

  // One more frame for the worker, which has asked for it. Dropped when the run is over.
  void Send(const internal::v1::ToWorker& frame);

 private:
  const std::weak_ptr<ShortRun> run_;
};

class ShortRuns {
 public:
  static constexpr size_t kMaxWaiting = 200;

  // All outlive it.
  ShortRuns(int at_once, workers::WorkerPool* pool, TimerQueue* timers, WorkQueue* work);
  ~ShortRuns();

  // Cancelled by destroying the handle.
  std::shared_ptr<ShortRunHandle> Start(std::shared_ptr<ShortRequest> request, PluginPins pins);
  // Answers without a worker.
  std::shared_ptr<ShortRunHandle> Refuse(Error error, std::shared_ptr<ShortRequest> request);
  // Cancels all and returns when the pool has let go of them; later ones are refused.
  void Shutdown();

 private:
  friend class ShortRun;
  void OnGone(ShortRun* run);
  void StartNextLocked();

  const int at_once_;
  workers::WorkerPool* const pool_;
  TimerQueue* const timers_;
  WorkQueue* const work_;

  std::mutex mu_;
  std::condition_variable idle_;
  bool stopped_ = false;                           // guarded by mu_
  std::deque<std::shared_ptr<ShortRun>> waiting_;  // guarded by mu_
  std::set<std::shared_ptr<ShortRun>> running_;    // guarded by mu_
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_SHORT_RUNS_H_
