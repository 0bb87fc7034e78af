// Short runs of a worker that search nothing: ValidateInstance, EvaluateStates, ValidatePath.
//
// At most so many work at once, the others wait; each has the time limit of its request in all. One whose worker has
// waited for its client for kStall has stalled: its place is given to another, but it keeps its worker and goes on when
// its client does. When there is no worker left for one that waits for a place, the one that stalled first is ended. So
// a client that sends nothing holds up nobody, and one that is slow is served.
//
// The request is answered exactly once: with the answer, an error, or kCancelled when the handle was destroyed first.
// Never with a lock held, never from inside Start or the handle's destructor.
#ifndef ASTROLABE_DAEMON_JOBS_SHORT_RUNS_H_
#define ASTROLABE_DAEMON_JOBS_SHORT_RUNS_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

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
  static constexpr std::chrono::milliseconds kStall{1000};

  struct Room {
    int at_once;  // that work
    int workers;  // with those that have stalled; at least at_once
  };
  // All outlive it; the timers are stopped before it goes.
  ShortRuns(Room room, workers::WorkerPool* pool, TimerQueue* timers, WorkQueue* work);
  ~ShortRuns();

  // Cancelled by destroying the handle.
  std::shared_ptr<ShortRunHandle> Start(std::shared_ptr<ShortRequest> request, PluginPins pins);
  // Answers without a worker.
  std::shared_ptr<ShortRunHandle> Refuse(Error error, std::shared_ptr<ShortRequest> request);
  // Cancels all and returns when the pool has let go of them; later ones are refused.
  void Shutdown();

 private:
  friend class ShortRun;
  struct Place {
    std::optional<TimePoint> waits_since;  // for its client
    bool ending = false;                   // for one that waits; its worker is not gone yet
  };
  using Runs = std::vector<std::shared_ptr<ShortRun>>;

  void OnGone(ShortRun* run);
  // The worker waits for the client from now on, or does so no longer.
  void OnWaits(ShortRun* run, bool waits);
  // Starts what there is a place for. Returns what must end for the rest: by EndStalled, without the lock.
  [[nodiscard]] Runs StartNextLocked();
  static void EndStalled(const Runs& runs);
  void LookAgainLocked(TimePoint at);

  const Room room_;
  workers::WorkerPool* const pool_;
  TimerQueue* const timers_;
  WorkQueue* const work_;

  std::mutex mu_;
  std::condition_variable idle_;
  bool stopped_ = false;                                // guarded by mu_
  std::deque<std::shared_ptr<ShortRun>> waiting_;       // guarded by mu_
  std::map<std::shared_ptr<ShortRun>, Place> running_;  // guarded by mu_
  std::optional<TimePoint> look_again_at_;              // guarded by mu_; a timer is set
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_SHORT_RUNS_H_
