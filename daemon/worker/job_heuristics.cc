// JobRun: making the heuristics of a job, and its request to the engine.
#include <algorithm>
#include <utility>

#include "daemon/worker/heuristic_loader.h"
#include "daemon/worker/job_run.h"

namespace astrolabe::worker {

bool JobRun::MakeHeuristic(int index) {
  HeuristicSource source;
  source.use = &spec_.heuristics(index);
  source.field = "heuristics[" + std::to_string(index) + "]";
  source.plugins = plugins_;
  source.problem = problem_.get();
  source.problem_id = spec_.problem();
  const JobServices services = Services();
  source.services = &services;
  source.stage = worker_.stage;
  std::vector<std::string> notes;
  auto made = worker::MakeHeuristic(source, &notes);
  if (const auto* refusal = std::get_if<Refusal>(&made)) return End(*refusal);
  for (const std::string& note : notes) result_.add_notes(note);
  MadeHeuristic& heuristic = std::get<MadeHeuristic>(made);
  heuristics_.push_back({std::move(heuristic.host), std::move(heuristic.object), std::move(heuristic.evaluator)});
  return !StoppedBetweenSteps();
}

uint64_t JobRun::PluginMemory() const {
  // A heuristic may use the host's memory or its own; what it says of itself covers both.
  uint64_t declared = 0;
  for (const Heuristic& heuristic : heuristics_) {
    if (heuristic.object != nullptr) declared += heuristic.object->memory_bytes();
  }
  return std::max(budget_.used(), declared);
}

engine::SearchRequest JobRun::MakeRequest(uint64_t plugin_memory) const {
  engine::SearchRequest request;
  request.space = problem_.get();
  for (size_t i = 0; i < heuristics_.size(); ++i) {
    request.evaluators.push_back(WeightedUse(spec_.heuristics(static_cast<int>(i)), heuristics_[i].evaluator.get()));
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
  request.threads = std::max(spec_.threads(), 1);
  request.tier = static_cast<engine::Tier>(spec_.tier());
  if (request_.progress_interval_ms() > 0) {
    request.progress_interval = std::chrono::milliseconds(request_.progress_interval_ms());
  }
  return request;
}

}  // namespace astrolabe::worker
