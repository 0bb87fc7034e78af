// Results that the daemon writes itself because no worker can: from the last that was heard of the job.
#ifndef ASTROLABE_DAEMON_JOBS_RUN_RESULT_H_
#define ASTROLABE_DAEMON_JOBS_RUN_RESULT_H_

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "astrolabe/v1/event.pb.h"
#include "astrolabe/v1/result.pb.h"
#include "astrolabe/v1/spec.pb.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::jobs {

enum class StopCause { kCancel, kInterrupt, kWallTime, kMemory, kQueueTimeout };

// What a worker has told so far.
struct LastHeard {
  v1::Progress progress;  // counters never go down
  std::optional<v1::Improvement> best;
  std::deque<v1::Iteration> iterations;  // the newest
  std::string plugin;
  std::string stage;
  // Of the stages of a job, the search alone calls several plugins; the worker says at a stop which one is running.
  bool plugin_is_sure = true;
  // How long it has been searching; zero before that.
  std::chrono::nanoseconds search_time{0};
  // A reported f-bound is a lower bound of the optimal cost.
  bool bounds_are_proven = false;

  void Hear(const v1::Progress& progress);
  void Hear(const v1::Improvement& improvement);
  void Hear(const v1::Iteration& iteration);
};

// Outcome, limit, statistics, bound and a sentence. `by_force`: the worker did not stop by itself and was ended.
v1::Result StoppedResult(StopCause cause, const LastHeard& heard, bool by_force);

// PLUGIN_FAILED.
v1::Result FailedResult(v1::PluginFailure failure, const LastHeard& heard);

// REJECTED for what the daemon itself found.
v1::Result RejectedResult(const std::vector<v1::Violation>& violations);

// From how the worker ended. All texts are made UTF-8 and short: they come from a dying process.
v1::PluginFailure ToFailure(const workers::WorkerExit& exit);

// "The plugin org.x.y crashed in stage search: signal 11 (SIGSEGV) ...".
std::string Sentence(const v1::PluginFailure& failure);

// A worker's own result, made fit to send: known outcome, cost_scale at least 1, texts and path within the inline
// bounds. Returns false when it makes no sense (then it is a broken contract).
[[nodiscard]] bool CheckWorkerResult(v1::Result* result);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_RUN_RESULT_H_
