// JobRun: making the heuristics of a job.
#include <algorithm>

#include "daemon/worker/job_run.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

// Says of what a heuristic told that it is about the reversed problem.
constexpr std::string_view kOnReversed = " (of the problem with start and goal swapped)";

void MarkReversed(Refusal& refusal) {
  for (v1::Violation& violation : refusal.violations) violation.mutable_message()->append(kOnReversed);
}

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

bool JobRun::MakeHeuristic(int index, const AbiProblem& problem, int threads, std::vector<Heuristic>& all) {
  const v1::HeuristicUse& use = spec_.heuristics(index);
  const bool reversed = &problem == reversed_.get();
  const std::string field = "heuristics[" + std::to_string(index) + "]";
  const LoadedPlugin* plugin = nullptr;
  const HeuristicRef* ref = nullptr;
  for (const LoadedPlugin* candidate : plugins_) {
    for (const HeuristicRef& heuristic : candidate->heuristics) {
      if (ref == nullptr && heuristic.id == use.id()) {
        ref = &heuristic;
        plugin = candidate;
      }
    }
  }
  if (ref == nullptr) {
    return Reject(field, "no plugin of this job has the heuristic \"" + use.id() + "\"", "list the heuristics");
  }
  if (ref->state_layout != problem.state_layout()) {
    return Reject(field,
                  "the heuristic \"" + use.id() + "\" reads states of layout " + ref->state_layout +
                      ", the problem \"" + spec_.problem() + "\" has " + problem.state_layout(),
                  "use a heuristic of this problem");
  }
  const std::string& plugin_id = plugin->manifest.id;
  ParamMap defaults;
  for (const ManifestHeuristic& entry : plugin->manifest.heuristics) {
    if (entry.id == ref->id) defaults = entry.defaults;
  }
  const ParamList params(use.params(), defaults);

  worker_.stage->Enter(plugin_id, "create");
  Heuristic& made = all.emplace_back();
  made.host = std::make_unique<HostServices>(Services(), plugin_id, use.id());
  void* object = nullptr;
  DiagnosticCollector diagnostics(field);
  const astro_status created = CallPlugin("create", [&] {
    return ref->vtable->create(made.host->abi(), problem.vtable(), problem.object(), params.abi(), diagnostics.abi(),
                               &object);
  });
  if (created == ASTRO_OK && object != nullptr) made.object = std::make_unique<AbiHeuristic>(*ref, plugin_id, object);
  if (auto refusal = Judge(created, diagnostics, plugin_id, "create", "create", control_->ShouldStop())) {
    if (reversed) MarkReversed(*refusal);
    return End(*refusal);
  }
  if (made.object == nullptr) {
    return End(PluginFault(plugin_id, "create", "CONTRACT_VIOLATION", "create", "create made no heuristic"));
  }
  worker_.stage->Enter(plugin_id, "build");
  if (ref->vtable->build != nullptr) {
    const astro_status built = CallPlugin("build", [&] { return ref->vtable->build(object, diagnostics.abi()); });
    if (auto refusal = Judge(built, diagnostics, plugin_id, "build", "build", control_->ShouldStop())) {
      if (reversed) MarkReversed(*refusal);
      return End(*refusal);
    }
  }
  for (const std::string& note : diagnostics.notes()) result_.add_notes(reversed ? note + std::string(kOnReversed) : note);
  if (const std::string defect = made.object->ReadInfo(); !defect.empty()) {
    return End(PluginFault(plugin_id, "build", "CONTRACT_VIOLATION", "info", defect));
  }
  for (int thread = 0; thread < threads; ++thread) {
    made.evaluators.push_back(
        std::make_unique<AbiEvaluator>(made.object.get(), spec_.seed() + static_cast<uint64_t>(thread)));
  }
  return !StoppedBetweenSteps();
}

uint64_t JobRun::PluginMemory() const {
  // A heuristic may use the host's memory or its own; what it says of itself covers both.
  uint64_t declared = 0;
  for (const std::vector<Heuristic>* heuristics : {&heuristics_, &reversed_heuristics_}) {
    for (const Heuristic& heuristic : *heuristics) {
      if (heuristic.object != nullptr) declared += heuristic.object->memory_bytes();
    }
  }
  return std::max(budget_.used(), declared);
}

}  // namespace astrolabe::worker
