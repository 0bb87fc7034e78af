// JobService on one mutex.
//
// Invariants:
// (1) mu_ guards the table, the queue, the slots and the mutable part of every Job. Under it only leaves are locked
//     (an EventLog, a JobRun, the timer and work queues); everything that calls out goes into an Outbox that is
//     emptied after the lock is gone, or runs on the work queue;
// (2) a job is in the queue while QUEUED, holds its threads' slots from PREPARING to DONE, and has its Result in the
//     log exactly when DONE (Finish is the one place);
// (3) runs_ holds every JobRun the pool may still deliver to.
// The files: service_admission.cc (in), service_running.cc (work), service_control.cc (stop), service_queries.cc
// (look), service_retention.cc (out), service_journal.cc (across restarts).
#ifndef ASTROLABE_DAEMON_JOBS_JOB_SERVICE_IMPL_H_
#define ASTROLABE_DAEMON_JOBS_JOB_SERVICE_IMPL_H_

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/jobs/budget.h"
#include "daemon/jobs/job.h"
#include "daemon/jobs/job_queue.h"
#include "daemon/jobs/job_run.h"
#include "daemon/jobs/job_service.h"
#include "daemon/jobs/job_table.h"
#include "daemon/jobs/job_view.h"
#include "daemon/jobs/journal.h"
#include "daemon/jobs/short_runs.h"
#include "daemon/jobs/spec_check.h"

namespace astrolabe::jobs {

// What tests replace.
struct ServiceSeams {
  std::shared_ptr<TimerQueue> timers;                            // null: the real clock, on a thread of its own
  std::function<std::optional<int64_t>(int pid)> private_bytes;  // null: PrivateBytes
};

class JobServiceImpl : public JobService, private RunHost {
 public:
  JobServiceImpl(JobsOptions options, registry::Registry* registry, workers::WorkerPool* pool, ServiceSeams seams);
  // Interrupts what runs, waits for the pool to let go.
  ~JobServiceImpl() override;

  Result<v1::JobSpec> CheckSpec(const v1::JobSpec& spec) const override;
  Result<std::string> CreateJob(const v1::JobSpec& spec, const CreateOptions& options) override;
  Result<Solving> Solve(const v1::JobSpec& spec, const CreateOptions& options, const v1::WatchOptions& watch) override;
  Result<std::unique_ptr<Watch>> WatchJob(std::string_view name, int64_t from_sequence,
                                          const v1::WatchOptions& options) override;
  Result<v1::Job> GetJob(std::string_view name) const override;
  Result<v1::ListJobsResponse> ListJobs(const v1::ListJobsRequest& request) const override;
  Result<v1::Job> CancelJob(std::string_view name) override;
  Status DeleteJob(std::string_view name) override;
  Result<v1::Job> UpdateJob(const v1::UpdateJobRequest& request) override;
  Result<v1::ListPathStepsResponse> ListPathSteps(const v1::ListPathStepsRequest& request) const override;
  Result<std::shared_ptr<const std::string>> ReadContent(std::string_view name, v1::ContentPart part) const override;
  std::shared_ptr<void> ValidateInstance(const v1::InstanceRef& instance,
                                         std::function<void(Result<v1::ValidateInstanceResponse>)> done) override;
  std::shared_ptr<void> EvaluateStates(const v1::EvaluateStatesRequest& request,
                                       std::function<void(Result<v1::EvaluateStatesResponse>)> done) override;
  std::shared_ptr<PathFeed> ValidatePath(const v1::InstanceRef& instance, std::function<void()> wanted,
                                         std::function<void(Result<v1::ValidatePathResponse>)> done) override;
  std::vector<v1::AlgorithmInfo> Algorithms() const override;
  JobsLoad load() const override;
  void Drain(std::chrono::milliseconds timeout) override;
  bool draining() const override;

 private:
  struct Admitted {
    JobPtr job;
    std::unique_ptr<Watch> watch;  // when one was asked for
  };
  using Content = std::shared_ptr<const internal::v1::JobContent>;

  // Admission. Functions named ...Locked need mu_.
  SpecContext Context(const registry::Catalog& catalog) const;
  Result<Admitted> Admit(const v1::JobSpec& spec, const CreateOptions& options, const v1::WatchOptions* watch);
  Result<Admitted> AdmitLocked(std::shared_ptr<const v1::JobSpec> spec, const CreateOptions& options,
                               std::string request_spec, const v1::WatchOptions* watch, Outbox* out);
  Result<Admitted> RepeatedLocked(const JobPtr& job, const v1::JobSpec& spec, const std::string& request_spec,
                                  const v1::WatchOptions* watch);
  void LogAcceptedLocked(const Job& job, Outbox* out);
  void SetQueueTimerLocked(const JobPtr& job);
  void OnQueueTimeout(const JobPtr& job);
  // Starts what fits, in order.
  void PumpLocked(Outbox* out);
  void TellPositionsSoonLocked();
  void TellPositions();
  Error Busy(std::string reason, std::string message) const;
  // When there may be room again.
  std::chrono::milliseconds RetryAfter() const;

  // Running.
  void Launch(const JobPtr& job);
  void Reject(const JobPtr& job, const std::vector<v1::Violation>& violations);
  void RetryLocked(const JobPtr& job, const Error& error, Outbox* out);
  void OnRunState(JobRun* run, JobState state) override;
  void OnRunProgress(JobRun* run, const v1::Progress& progress) override;
  void OnRunBytes() override;
  void OnRunEnded(JobRun* run, v1::Result result, Content content) override;
  void OnRunUndelivered(JobRun* run, const Error& error) override;
  void OnRunGone(JobRun* run) override;
  // DONE. Nothing happens when it is already.
  void FinishLocked(const JobPtr& job, v1::Result result, Content content, Outbox* out);
  // One line to the daemon's log. Without locks: the result is final.
  void LogEnd(const Job& job) const;
  void CompleteLocked(const Job& job, v1::Result* result) const;
  void WatchMemoryLocked();
  void CheckMemory();

  // Control.
  // By whatever is right in its state. The Result follows, or is there already.
  void StopLocked(const JobPtr& job, StopCause cause, Outbox* out);
  void InterruptAll();
  Status UpdateQueuedLocked(const JobPtr& job, const v1::UpdateJobRequest& request);
  Status UpdateRunningLocked(const JobPtr& job, const v1::UpdateJobRequest& request);

  // Retention.
  void EvictLocked(Outbox* out);
  void SweepSoonLocked();
  void Sweep();
  void ForgetLocked(const JobPtr& job, Outbox* out);

  // Journal. Attached jobs are not written down: whoever waits for one hears of the daemon's end. A ticket to wait for;
  // 0: there is nothing to write.
  uint64_t RecordLocked(const Job& job);
  void ForgetRecordLocked(const Job& job);
  void RestoreLocked();
  uint64_t RestoreJobLocked(JournalEntry entry);

  std::shared_ptr<EventLog> NewLog(const std::string& job) const;
  Result<JobPtr> FindLocked(std::string_view name) const;
  JobView ViewLocked(const Job& job) const;
  int free_slots_locked() const { return options_.slots - used_slots_; }

  const JobsOptions options_;
  registry::Registry* const registry_;
  workers::WorkerPool* const pool_;
  const std::function<std::optional<int64_t>(int)> private_bytes_;
  const std::vector<v1::AlgorithmInfo> algorithms_;  // of this engine, from the first worker
  const std::shared_ptr<TimerQueue> timers_;
  const std::shared_ptr<Budget> budget_;
  WorkQueue work_;
  ShortRuns short_runs_;
  ShortRuns path_runs_;  // on their own: a client that sends its path slowly must not hold up the others

  mutable std::mutex mu_;
  std::condition_variable idle_;  // a job ended or a run is gone
  // All below guarded by mu_.
  JobTable table_;
  JobQueue queue_;
  int used_slots_ = 0;
  int running_ = 0;
  int64_t running_bytes_ = 0;  // specs of these
  std::set<std::shared_ptr<JobRun>> runs_;
  int64_t next_order_ = 1;
  bool draining_ = false;
  bool interrupted_ = false;  // whatever is left must end
  bool positions_due_ = false;
  bool memory_watched_ = false;
  std::optional<TimerQueue::Id> sweep_;
  double mean_run_ms_ = 1000;  // of recent jobs, for retry_after
};

// The service for tests, with its seams.
std::unique_ptr<JobService> CreateJobService(JobsOptions options, registry::Registry* registry,
                                             workers::WorkerPool* pool, ServiceSeams seams);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOB_SERVICE_IMPL_H_
