// Jobs: admission, queue, limits, event logs, watchers. What the gRPC adapters call; no gRPC in here.
//
// Nouns: a *job* is one JobSpec on its way to a Result; its *event log* holds encoded Event messages;
// a *watch* is one reader's cursor on it.
// Invariants: (1) every job that was accepted gets exactly one Result, the last event of every watch;
// (2) sequences are dense from 1 over logged events; (3) a watch never blocks another watch or, with
// DROP, the search; (4) states only move forward: job_state.h.
#ifndef ASTROLABE_DAEMON_JOBS_JOB_SERVICE_H_
#define ASTROLABE_DAEMON_JOBS_JOB_SERVICE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "astrolabe/v1/catalog.pb.h"
#include "astrolabe/v1/solver.pb.h"
#include "daemon/base/result.h"
#include "daemon/registry/registry.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::jobs {

class Journal;

// Workers that are used beside those of the jobs: for validations and evaluations, and for paths that are checked; of
// these so many work at once, and so many more wait for clients that have stalled (short_runs.h).
inline constexpr int kShortRunsAtOnce = 2;
inline constexpr int kPathRunsAtOnce = 2;
inline constexpr int kPathWorkers = 8;

struct JobsOptions {
  int slots = 2;                               // search threads running at once
  int queue_limit = 1000;                      // jobs waiting
  int64_t queue_bytes = 256ll << 20;           // specs of jobs that wait or run
  int owner_jobs = 0;                          // of one owner, waiting or running; 0: no quota
  int64_t log_budget_bytes = 256ll << 20;      // logs, specs and paths of all jobs
  int64_t node_log_bytes = 16ll << 20;         // node batches kept per job
  v1::Limits default_limits;                   // what unset limits become
  std::chrono::milliseconds cancel_grace{50};  // cooperative stop, then SIGKILL
  // The same for a worker that has told of a solution, and for one that does a local search: it alone has the path or
  // the best state, and killing it loses that. On a busy machine, or with a path of millions of moves, 50 ms are not
  // enough to hand it over.
  // It has a millisecond more for every thousand moves.
  std::chrono::milliseconds solution_grace{1000};
  std::chrono::milliseconds block_timeout{30000};  // a BLOCK watcher that takes nothing becomes DROP
  std::chrono::milliseconds heartbeat{15000};
  std::chrono::milliseconds retention_attached{60000};  // after delivery
  std::chrono::milliseconds retention_detached{3600000};
  // Where detached jobs are written down, and what comes back at the start. Null: nowhere.
  std::shared_ptr<Journal> journal;
  std::string server_version;
  std::function<void(std::string_view level, std::string_view text)> log;
};

// One encoded astrolabe.v1.Event: head followed by body. The body (a node batch) is shared by watchers.
struct EncodedEvent {
  std::string head;
  std::shared_ptr<const std::string> body;  // may be null
  bool last = false;                        // it is the Result
};

// One reader's cursor. Not thread-safe but for the notification.
class Watch {
 public:
  virtual ~Watch() = default;  // ends the watch; with CANCEL policy of Solve, the adapter cancels the job itself
  enum class Next { kEvent, kWait, kError };
  // Never blocks. kEvent: *out is filled. kWait: nothing now; the notification comes when to ask again.
  // kError: *error (for example OUT_OF_RANGE); the watch is over.
  virtual Next Poll(EncodedEvent* out, Error* error) = 0;
  // `ready` is called from any thread, without locks held, at least once after each kWait when Poll may
  // have something. Set it once, before the first Poll.
  virtual void SetNotify(std::function<void()> ready) = 0;
  // No call of `ready` runs or starts after it returns.
  virtual void Close() = 0;
};

// Where the pieces of a path go. Thread-safe.
class PathFeed {
 public:
  virtual ~PathFeed() = default;
  // The moves of `piece`; its instance is not looked at.
  virtual void Send(v1::ValidatePathRequest piece, bool last) = 0;
};

struct CreateOptions {
  bool attached = false;   // Solve with CANCEL: dropped soon after delivery
  std::string request_id;  // idempotency; empty: none
  std::string owner = "local";
};

struct JobsLoad {
  int running = 0;
  int queued = 0;
};

class JobService {
 public:
  virtual ~JobService() = default;

  // `registry` and `pool` outlive it.
  static std::unique_ptr<JobService> Create(JobsOptions options, registry::Registry* registry,
                                            workers::WorkerPool* pool);

  // Everything that manifests can decide, all faults at once: ids, types, ranges, sizes, weights. Fills in
  // defaults. kInvalidArgument, kNotFound (with "did you mean"), kFailedPrecondition.
  virtual Result<v1::JobSpec> CheckSpec(const v1::JobSpec& spec) const = 0;

  // Checks, admits, starts or queues. Returns the job's name. kUnavailable + retry_after when the queue is full
  // or the server drains; kAlreadyExists when request_id came with another spec.
  virtual Result<std::string> CreateJob(const v1::JobSpec& spec, const CreateOptions& options) = 0;

  // CreateJob with a watch attached from sequence 1 before anything runs, so that nothing can be lost.
  struct Solving {
    std::string name;
    std::unique_ptr<Watch> watch;
  };
  virtual Result<Solving> Solve(const v1::JobSpec& spec, const CreateOptions& options,
                                const v1::WatchOptions& watch) = 0;

  // overflow UNSPECIFIED means DROP here, BLOCK in Solve.
  virtual Result<std::unique_ptr<Watch>> WatchJob(std::string_view name, int64_t from_sequence,
                                                  const v1::WatchOptions& options) = 0;

  virtual Result<v1::Job> GetJob(std::string_view name) const = 0;
  virtual Result<v1::ListJobsResponse> ListJobs(const v1::ListJobsRequest& request) const = 0;
  // Idempotent. Returns at once; the Result follows.
  virtual Result<v1::Job> CancelJob(std::string_view name) = 0;
  virtual Status DeleteJob(std::string_view name) = 0;
  virtual Result<v1::Job> UpdateJob(const v1::UpdateJobRequest& request) = 0;
  virtual Result<v1::ListPathStepsResponse> ListPathSteps(const v1::ListPathStepsRequest& request) const = 0;
  // The whole content; the adapter cuts it into chunks.
  virtual Result<std::shared_ptr<const std::string>> ReadContent(std::string_view name, v1::ContentPart part) const = 0;

  // Runs in a worker; `done` is called once, from any thread. Cancelled by destroying the returned handle.
  virtual std::shared_ptr<void> ValidateInstance(const v1::InstanceRef& instance,
                                                 std::function<void(Result<v1::ValidateInstanceResponse>)> done) = 0;

  // The same for EvaluateStates.
  virtual std::shared_ptr<void> EvaluateStates(const v1::EvaluateStatesRequest& request,
                                               std::function<void(Result<v1::EvaluateStatesResponse>)> done) = 0;

  // Replays a path that comes piece by piece. `wanted` is called, from any thread, when the next piece may come: send
  // exactly one then, not before. `done` is called once, from any thread, after the last piece or sooner; a call of
  // `wanted` may overlap it, or come before this returns. Cancelled by destroying what is returned, which may be done
  // from inside `wanted` and `done`.
  virtual std::shared_ptr<PathFeed> ValidatePath(const v1::InstanceRef& instance, std::function<void()> wanted,
                                                 std::function<void(Result<v1::ValidatePathResponse>)> done) = 0;

  // Algorithms of the engine, from the workers.
  virtual std::vector<v1::AlgorithmInfo> Algorithms() const = 0;

  virtual JobsLoad load() const = 0;

  // Refuses new jobs; after `timeout` running ones are interrupted (outcome INTERRUPTED). Returns when every
  // job is DONE. Watches can still be read.
  virtual void Drain(std::chrono::milliseconds timeout) = 0;
  virtual bool draining() const = 0;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOB_SERVICE_H_
