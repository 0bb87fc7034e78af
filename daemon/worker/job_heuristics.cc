// JobRun: making the heuristics of a job.
#include <algorithm>
#include <utility>

#include "daemon/worker/heuristic_loader.h"
#include "daemon/worker/job_run.h"

namespace astrolabe::worker {
namespace {

// Says of what a heuristic told that it is about the reversed problem.
constexpr std::string_view kOnReversed = " (of the problem with start and goal swapped)";

}  // namespace

bool JobRun::MakeHeuristics() {
  const bool needs_reversed = algorithm_ != nullptr && algorithm_->needs_reversed;
  if (needs_reversed && reversed_ == nullptr) return true;  // the engine rejects it: nothing to build
  for (int i = 0; i < spec_.heuristics_size(); ++i) {
    if (!MakeHeuristic(i, *problem_, SearchThreads(), heuristics_)) return false;
  }
  for (int i = 0; needs_reversed && i < spec_.heuristics_size(); ++i) {
    if (!MakeHeuristic(i, *reversed_, 1, reversed_heuristics_)) return false;
  }
  return true;
}

bool JobRun::MakeHeuristic(int index, const AbiProblem& problem, int threads, std::vector<MadeHeuristic>& all) {
  HeuristicSource source;
  source.use = &spec_.heuristics(index);
  source.field = "heuristics[" + std::to_string(index) + "]";
  source.plugins = plugins_;
  source.problem = &problem;
  source.threads = threads;
  source.problem_id = spec_.problem();
  const JobServices services = Services();
  source.services = &services;
  source.stage = worker_.stage;
  const std::string_view where = &problem == reversed_.get() ? kOnReversed : "";
  std::vector<std::string> notes;
  auto made = worker::MakeHeuristic(source, &notes);
  if (auto* refusal = std::get_if<Refusal>(&made)) {
    for (v1::Violation& violation : refusal->violations) violation.mutable_message()->append(where);
    return End(*refusal);
  }
  for (const std::string& note : notes) result_.add_notes(note + std::string(where));
  all.push_back(std::get<MadeHeuristic>(std::move(made)));
  return !StoppedBetweenSteps();
}

uint64_t JobRun::PluginMemory() const {
  // A heuristic may use the host's memory or its own; what it says of itself covers both.
  uint64_t declared = 0;
  for (const std::vector<MadeHeuristic>* heuristics : {&heuristics_, &reversed_heuristics_}) {
    for (const MadeHeuristic& heuristic : *heuristics) {
      if (heuristic.object != nullptr) declared += heuristic.object->memory_bytes();
    }
  }
  return std::max(budget_.used(), declared);
}

}  // namespace astrolabe::worker
