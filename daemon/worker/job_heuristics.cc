// JobRun: making the heuristics of a job, and its request to the engine.
#include <algorithm>

#include "daemon/worker/job_run.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

// floor(weight * h); an unset weight or denominator is 1.
void SetWeight(const v1::HeuristicUse& use, engine::EvaluatorUse& out) {
  if (!use.has_weight()) return;
  out.weight_numerator = use.weight().numerator();
  out.weight_denominator = std::max<int64_t>(use.weight().denominator(), 1);
}

}  // namespace

bool JobRun::MakeHeuristic(int index) {
  const v1::HeuristicUse& use = spec_.heuristics(index);
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
  if (ref->state_layout != problem_->state_layout()) {
    return Reject(field,
                  "the heuristic \"" + use.id() + "\" reads states of layout " + ref->state_layout +
                      ", the problem \"" + spec_.problem() + "\" has " + problem_->state_layout(),
                  "use a heuristic of this problem");
  }
  const std::string& plugin_id = plugin->manifest.id;
  ParamMap defaults;
  for (const ManifestHeuristic& entry : plugin->manifest.heuristics) {
    if (entry.id == ref->id) defaults = entry.defaults;
  }
  const ParamList params(use.params(), defaults);

  worker_.stage->Enter(plugin_id, "create");
  Heuristic& made = heuristics_.emplace_back();
  made.host = std::make_unique<HostServices>(Services(), plugin_id, use.id());
  void* object = nullptr;
  DiagnosticCollector diagnostics(field);
  const astro_status created = CallPlugin("create", [&] {
    return ref->vtable->create(made.host->abi(), problem_->vtable(), problem_->object(), params.abi(),
                               diagnostics.abi(), &object);
  });
  if (created == ASTRO_OK && object != nullptr) made.object = std::make_unique<AbiHeuristic>(*ref, plugin_id, object);
  if (auto refusal = Judge(created, diagnostics, plugin_id, "create", "create", control_->ShouldStop())) {
    return End(*refusal);
  }
  if (made.object == nullptr) {
    return End(PluginFault(plugin_id, "create", "CONTRACT_VIOLATION", "create", "create made no heuristic"));
  }
  worker_.stage->Enter(plugin_id, "build");
  if (ref->vtable->build != nullptr) {
    const astro_status built = CallPlugin("build", [&] { return ref->vtable->build(object, diagnostics.abi()); });
    if (auto refusal = Judge(built, diagnostics, plugin_id, "build", "build", control_->ShouldStop())) {
      return End(*refusal);
    }
  }
  for (const std::string& note : diagnostics.notes()) result_.add_notes(note);
  if (const std::string defect = made.object->ReadInfo(); !defect.empty()) {
    return End(PluginFault(plugin_id, "build", "CONTRACT_VIOLATION", "info", defect));
  }
  made.evaluator = std::make_unique<AbiEvaluator>(made.object.get(), spec_.seed());
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
    engine::EvaluatorUse use;
    use.evaluator = heuristics_[i].evaluator.get();
    SetWeight(spec_.heuristics(static_cast<int>(i)), use);
    request.evaluators.push_back(use);
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
