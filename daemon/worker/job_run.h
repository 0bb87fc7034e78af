// JobRun: the life of one job in the worker, from plugins to Result.
//
// Steps, each a stage told to the daemon: load, parse, solvable, reverse (if the algorithm searches from the goal
// too), create and build of each heuristic, search, replay, extract. A step that ends the job fills the result and
// returns false; the rest is then skipped and Finish sends what there is.
#ifndef ASTROLABE_DAEMON_WORKER_JOB_RUN_H_
#define ASTROLABE_DAEMON_WORKER_JOB_RUN_H_

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/engine/search.h"
#include "daemon/worker/abi_heuristic.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/cache_uses.h"
#include "daemon/worker/data_limit.h"
#include "daemon/worker/heuristic_loader.h"
#include "daemon/worker/instance_loader.h"
#include "daemon/worker/job_control.h"
#include "daemon/worker/leftovers.h"
#include "daemon/worker/memory_budget.h"
#include "daemon/worker/process_snapshot.h"
#include "daemon/worker/search_threads.h"
#include "daemon/worker/worker_context.h"

namespace astrolabe::worker {

class JobRun {
 public:
  // `request` and `control` outlive the run.
  JobRun(const WorkerContext& worker, const internal::v1::RunJob& request, JobControl* control);
  ~JobRun();
  JobRun(const JobRun&) = delete;
  JobRun& operator=(const JobRun&) = delete;

  // Runs the job and sends its Result as the last frame. Call once.
  void Run();

 private:
  bool Steps();
  bool LoadPlugins();
  bool Parse();
  bool CheckSolvable();
  // Makes the reversed problem if the algorithm needs it. A problem that has none goes on: the engine rejects it.
  bool Reverse();
  // All that the algorithm needs, on the problem and on the reversed one.
  bool MakeHeuristics();
  // Heuristic `index` of the request on `problem`, with a context for each of `threads`, added to `made`.
  bool MakeHeuristic(int index, const AbiProblem& problem, int threads, std::vector<MadeHeuristic>& made);
  bool Search();
  void Extract(const engine::SearchResult& found);
  // A tier that was asked for and could not be had is told.
  void NoteTier(const engine::SearchResult& found);
  void KeepPath(std::span<const engine::Op> path);
  void Finish();

  // Each ends the job and returns false.
  bool End(const Refusal& refusal);
  bool EndStopped();
  bool EndOutOfMemory(std::string_view where);
  bool Reject(std::string field, std::string message, std::string hint);
  bool StoppedBetweenSteps();

  [[noreturn]] static void OnPluginOutOfMemory(void* self);
  JobServices Services();
  uint64_t PluginMemory() const;
  engine::SearchRequest MakeRequest(uint64_t plugin_memory);
  // `thread`th evaluator of each, with the weights of the request.
  std::vector<engine::EvaluatorUse> UsesOf(const std::vector<MadeHeuristic>& heuristics, size_t thread) const;
  // That this search runs on: as many as were asked for, if the algorithm can use them.
  int SearchThreads() const;
  bool SearchesByHeuristics() const { return algorithm_ == nullptr || algorithm_->needs_heuristic; }
  // Of a failure that the engine found.
  const std::string& PluginToBlame(const engine::SearchResult& found) const;
  void FillMoves();
  void FillProvenance();
  std::string RecycleReason() const;

  const WorkerContext worker_;
  const internal::v1::RunJob& request_;
  const v1::JobSpec& spec_;
  JobControl* const control_;
  const int threads_;  // asked for, in bounds
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const ProcessSnapshot before_;

  MemoryBudget budget_;
  Leftovers leftovers_;
  CacheUses cache_uses_;
  std::optional<DataLimit> data_limit_;
  const LoadedPlugin* problem_plugin_ = nullptr;
  const ProblemRef* problem_ref_ = nullptr;
  std::vector<const LoadedPlugin*> plugins_;
  std::unique_ptr<HostServices> problem_host_;
  std::unique_ptr<AbiProblem> problem_;
  std::vector<MadeHeuristic> heuristics_;
  const engine::AlgorithmDescription* const algorithm_;  // null: the engine rejects the job
  std::unique_ptr<AbiProblem> reversed_;
  std::string no_reversed_;  // why there is none, if one is needed
  std::vector<MadeHeuristic> reversed_heuristics_;
  SearchThreadStarter thread_starter_;

  v1::Result result_;
  internal::v1::JobContent content_;
  bool has_content_ = false;
  int64_t engine_peak_ = 0;
  std::shared_ptr<const void> remains_;  // of the search; given up when the Result is on its way
  std::vector<std::string> broken_;      // rules that plugins broke, for people
  std::string recycle_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_JOB_RUN_H_
