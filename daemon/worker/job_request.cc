// JobRun: what it asks the engine for.
#include <algorithm>

#include "daemon/worker/job_run.h"

namespace astrolabe::worker {
int JobRun::SearchThreads() const { return algorithm_ != nullptr && algorithm_->uses_threads ? threads_ : 1; }

std::vector<engine::EvaluatorUse> JobRun::UsesOf(const std::vector<MadeHeuristic>& heuristics, size_t thread) const {
  std::vector<engine::EvaluatorUse> uses;
  for (size_t i = 0; i < heuristics.size(); ++i) {
    uses.push_back(WeightedUse(spec_.heuristics(static_cast<int>(i)), heuristics[i].evaluators[thread].get()));
  }
  return uses;
}

engine::SearchRequest JobRun::MakeRequest(uint64_t plugin_memory) {
  engine::SearchRequest request;
  request.space = problem_.get();
  request.evaluators = UsesOf(heuristics_, 0);
  request.reversed = reversed_.get();
  request.reversed_evaluators = UsesOf(reversed_heuristics_, 0);
  request.no_reversed = no_reversed_;
  request.threads = SearchThreads();
  if (request.threads > 1) {
    for (size_t thread = 1; thread < static_cast<size_t>(request.threads); ++thread) {
      request.thread_evaluators.push_back(UsesOf(heuristics_, thread));
    }
    request.thread_starter = &thread_starter_;
  }
  request.combine = spec_.combine() == v1::COMBINE_SUM ? engine::Combine::kSum : engine::Combine::kMax;
  request.algorithm = spec_.algorithm().id();
  request.params = ToParamMap(spec_.algorithm().params());
  const v1::Limits& limits = spec_.limits();
  request.limits.deadline = control_->deadline();
  request.limits.max_expansions = std::max<int64_t>(limits.max_expansions(), 0);
  request.limits.max_generated = std::max<int64_t>(limits.max_generated(), 0);
  if (limits.max_memory_bytes() > 0) {
    request.limits.max_memory_bytes = limits.max_memory_bytes() - static_cast<int64_t>(plugin_memory);
  }
  if (limits.has_max_cost()) request.limits.max_cost = limits.max_cost();
  request.seed = spec_.seed();
  request.tier = static_cast<engine::Tier>(spec_.tier());
  if (request_.progress_interval_ms() > 0) {
    request.progress_interval = std::chrono::milliseconds(request_.progress_interval_ms());
  }
  return request;
}

}  // namespace astrolabe::worker
