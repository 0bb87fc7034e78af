// One attempt to run one job in one worker: from taking a lease to letting it go.
//
// Who ends it: the worker's Result, the worker's death, or us (a stop it did not obey in time, a broken rule).
// Whoever comes first sets ended_, and the host hears of exactly one end; all later frames are ignored.
// A run that ended leaves no lease behind: it was released, killed, or Start gives it back when it arrives.
// Invariants: (1) mu_ is a leaf and nothing is called out under it; (2) Acquire, which may block, is called on the
// work queue alone; Send and Kill never block; (3) the host keeps the run alive until OnRunGone, so that the pool
// may deliver until then.
#ifndef ASTROLABE_DAEMON_JOBS_JOB_RUN_H_
#define ASTROLABE_DAEMON_JOBS_JOB_RUN_H_

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "daemon/jobs/event_log.h"
#include "daemon/jobs/job_state.h"
#include "daemon/jobs/kept_content.h"
#include "daemon/jobs/log_filter.h"
#include "daemon/jobs/plugin_pins.h"
#include "daemon/jobs/run_result.h"
#include "daemon/jobs/timer_queue.h"
#include "daemon/jobs/work_queue.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::jobs {

struct Job;
class JobRun;

// Who started the run. Called without locks, from any thread.
class RunHost {
 public:
  virtual ~RunHost() = default;
  virtual void OnRunState(JobRun* run, JobState state) = 0;
  virtual void OnRunProgress(JobRun* run, const v1::Progress& progress) = 0;
  virtual void OnRunBytes() = 0;  // before node bytes are logged: the place to make room
  // One of the next two, once.
  virtual void OnRunEnded(JobRun* run, v1::Result result, std::shared_ptr<const internal::v1::JobContent> content) = 0;
  // No worker has seen the job: it can be tried again.
  virtual void OnRunUndelivered(JobRun* run, const Error& error) = 0;
  // Last call: the pool is done with the run.
  virtual void OnRunGone(JobRun* run) = 0;
};

// What a run needs to know.
struct RunPlan {
  std::shared_ptr<Job> job;
  std::string name;
  std::shared_ptr<const v1::JobSpec> spec;
  v1::Limits limits;
  std::shared_ptr<EventLog> log;
  PluginPins pins;
  bool bounds_are_proven = false;
  // A local search: from its first moment on it has a state to hand over.
  bool has_state_at_once = false;
  TimePoint started;
  std::chrono::milliseconds cancel_grace{50};
  std::chrono::milliseconds solution_grace{1000};
  size_t max_path_bytes = KeptContent::kMaxPathBytes;
  // A worker that dies before it said a word of the job is blamed on the job: others have died like that.
  bool last_attempt = false;
};

class JobRun : public workers::WorkerEvents, public CreditSink, public std::enable_shared_from_this<JobRun> {
 public:
  // All outlive the run.
  struct Context {
    RunHost* host = nullptr;
    workers::WorkerPool* pool = nullptr;
    TimerQueue* timers = nullptr;
    WorkQueue* work = nullptr;
  };

  JobRun(RunPlan plan, const Context& context);
  ~JobRun() override;

  // Hands the job to a worker that is idle. False: there is none, or the job is large, and Start must be called. Any
  // thread.
  bool TryStart();
  // Takes a worker and hands it the job. On the work queue. Blocks.
  void Start();
  // Asks the worker to stop; after the grace it is killed. The first cause wins; a kMemory kills at once.
  void RequestStop(StopCause cause);
  // Kills the worker at once, INTERRUPTED.
  void Abort();
  // The daemon's own guard: RequestStop(kWallTime) a little after `deadline`, where the worker's own comes first.
  // Replaces the one before.
  void GuardWallTime(TimePoint deadline);
  // The worker's process while it has the job, else 0.
  int pid() const;

  const RunPlan& plan() const { return plan_; }

  void OnMessage(internal::v1::ToDaemon message) override;
  void OnNodeBatch(int64_t first_ordinal, int64_t count, std::string batch) override;
  void OnGone(const workers::WorkerExit& exit) override;
  void ReturnCredit(int64_t bytes) override;

 private:
  internal::v1::ToWorker RunFrame() const;
  // Takes a few copies of the spec: of a large one, for one run at a time.
  Status SendRun(workers::Lease* lease) const;
  void StartIn(std::shared_ptr<workers::Lease> lease);
  // True for the one who may end the run. mu_ must not be held.
  bool TakeEnd();
  bool ended() const;
  void SendStop(StopCause cause);
  void SetEndedLocked();
  void SetGraceTimerLocked();
  // Ends it without the worker's consent.
  void KillAndEnd(v1::Result result);
  void OnResult(v1::Result result, const std::string& recycle);
  void Log(const v1::LogLine& line);
  void OnUnexpectedEnd(const workers::WorkerExit& exit);
  LastHeard heard() const;
  std::shared_ptr<workers::Lease> lease() const;

  const RunPlan plan_;
  const Context context_;

  // Reader thread only.
  LogFilter log_filter_;
  PreparingFilter preparing_filter_;
  KeptContent content_;

  std::atomic<bool> heard_any_{false};  // a frame of this job came
  mutable std::mutex mu_;
  // All below guarded by mu_.
  std::shared_ptr<workers::Lease> lease_;
  bool sent_ = false;  // the worker has RunJob
  bool ended_ = false;
  bool gone_ = false;
  std::optional<StopCause> stop_;
  std::optional<TimerQueue::Id> grace_timer_;
  std::optional<TimerQueue::Id> wall_timer_;
  LastHeard heard_;
  std::optional<TimePoint> searching_since_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOB_RUN_H_
