// One job. The fields below the line are guarded by the service's mutex.
#ifndef ASTROLABE_DAEMON_JOBS_JOB_H_
#define ASTROLABE_DAEMON_JOBS_JOB_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "astrolabe/v1/solver.pb.h"
#include "daemon/jobs/budget.h"
#include "daemon/jobs/event_log.h"
#include "daemon/jobs/job_state.h"
#include "daemon/jobs/timer_queue.h"

namespace astrolabe::jobs {

class JobRun;

struct Job {
  Job(int64_t order, std::string name, std::shared_ptr<const v1::JobSpec> spec, std::shared_ptr<Budget> budget)
      : order(order), name(std::move(name)), spec(std::move(spec)), charge(std::move(budget)) {}

  const int64_t order;                            // of creation, from 1
  const std::string name;                         // "jobs/<id>"
  const std::shared_ptr<const v1::JobSpec> spec;  // as checked; limits and priority as they were at first
  // Constant once the job is in the table.
  std::string owner;
  std::string request_id;
  std::string request_spec;  // the spec as it was sent, without its instance: for idempotency
  bool attached = false;
  std::chrono::system_clock::time_point create_time;
  TimePoint accepted;
  std::shared_ptr<EventLog> log;

  // ----------------------------------------------------------------------------------------------
  int64_t spec_bytes = 0;
  Charge charge;  // spec, result and content; the log has its own
  StateMachine state;
  v1::Limits limits;
  int priority = 0;
  bool cancel_requested = false;
  std::optional<std::chrono::system_clock::time_point> start_time;
  std::optional<std::chrono::system_clock::time_point> end_time;
  TimePoint started;  // valid with start_time
  std::optional<TimerQueue::Id> queue_timer;
  int told_position = 0;                // the queue position watchers know
  int attempts = 0;                     // runs that never reached a worker
  std::shared_ptr<JobRun> run;          // while a worker has it
  std::vector<v1::PluginUsed> plugins;  // pinned
  v1::Progress progress;
  std::shared_ptr<const v1::Result> result;  // when DONE
  std::shared_ptr<const internal::v1::JobContent> content;
};

using JobPtr = std::shared_ptr<Job>;

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOB_H_
