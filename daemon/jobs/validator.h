// ValidateInstance: short runs of a worker that parse an instance and search nothing.
//
// At most so many at once, the others wait; each has 10 s in all. `done` is called exactly once: with the answer, an
// error, or kCancelled when the handle was destroyed first. Never with a lock held, never from inside Validate or the
// handle's destructor.
#ifndef ASTROLABE_DAEMON_JOBS_VALIDATOR_H_
#define ASTROLABE_DAEMON_JOBS_VALIDATOR_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

#include "astrolabe/v1/solver.pb.h"
#include "daemon/base/result.h"
#include "daemon/jobs/plugin_pins.h"
#include "daemon/jobs/timer_queue.h"
#include "daemon/jobs/work_queue.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::jobs {

class ValidateRun;

class Validator {
 public:
  using Done = std::function<void(Result<v1::ValidateInstanceResponse>)>;
  static constexpr std::chrono::seconds kTimeLimit{10};
  static constexpr size_t kMaxWaiting = 200;

  // All outlive it.
  Validator(int at_once, workers::WorkerPool* pool, TimerQueue* timers, WorkQueue* work);
  ~Validator();

  // Cancelled by destroying the handle.
  std::shared_ptr<void> Validate(v1::InstanceRef instance, PluginPins pins, Done done);
  // Answers without a worker.
  std::shared_ptr<void> Refuse(Error error, Done done);
  // Cancels all and returns when the pool has let go of them; later ones are refused.
  void Shutdown();

 private:
  friend class ValidateRun;
  void OnGone(ValidateRun* run);
  void StartNextLocked();

  const int at_once_;
  workers::WorkerPool* const pool_;
  TimerQueue* const timers_;
  WorkQueue* const work_;

  std::mutex mu_;
  std::condition_variable idle_;
  bool stopped_ = false;                              // guarded by mu_
  std::deque<std::shared_ptr<ValidateRun>> waiting_;  // guarded by mu_
  std::set<std::shared_ptr<ValidateRun>> running_;    // guarded by mu_
};

// "line 2, column 5: message (expected ...; hint)".
std::string Describe(const v1::Violation& violation);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_VALIDATOR_H_
