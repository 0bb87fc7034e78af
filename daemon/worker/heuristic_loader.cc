#include "daemon/worker/heuristic_loader.h"

#include <algorithm>
#include <utility>

#include "daemon/worker/local_check.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

Refusal Reject(const std::string& field, std::string message, std::string hint) {
  Refusal refusal;
  v1::Violation& violation = refusal.violations.emplace_back();
  violation.set_field(field);
  violation.set_message(std::move(message));
  violation.set_hint(std::move(hint));
  return refusal;
}

}  // namespace

std::variant<MadeHeuristic, Refusal> MakeHeuristic(const HeuristicSource& source, std::vector<std::string>* notes) {
  const std::string& id = source.use->id();
  const AbiProblem& problem = *source.problem;
  const LoadedPlugin* plugin = nullptr;
  const HeuristicRef* ref = nullptr;
  for (const LoadedPlugin* candidate : source.plugins) {
    for (const HeuristicRef& heuristic : candidate->heuristics) {
      if (ref == nullptr && heuristic.id == id) {
        ref = &heuristic;
        plugin = candidate;
      }
    }
  }
  if (ref == nullptr) {
    return Reject(source.field, "no plugin of this job has the heuristic \"" + id + "\"", "list the heuristics");
  }
  if (ref->state_layout != problem.state_layout()) {
    return Reject(source.field,
                  "the heuristic \"" + id + "\" reads states of layout " + ref->state_layout + ", the problem \"" +
                      source.problem_id + "\" has " + problem.state_layout(),
                  "use a heuristic of this problem");
  }
  const std::string& plugin_id = plugin->manifest.id;
  ManifestHeuristic entry;
  for (const ManifestHeuristic& candidate : plugin->manifest.heuristics) {
    if (candidate.id == ref->id) entry = candidate;
  }
  const ParamList params(source.use->params(), entry.defaults);
  JobControl* const control = source.services->control;
  const auto stopped = [control] { return control != nullptr && control->ShouldStop(); };

  source.stage->Enter(plugin_id, "create");
  MadeHeuristic made;
  made.host = std::make_unique<HostServices>(*source.services, plugin_id, id);
  void* object = nullptr;
  DiagnosticCollector diagnostics(source.field);
  const astro_status created = CallPlugin("create", [&] {
    return ref->vtable->create(made.host->abi(), problem.vtable(), problem.object(), params.abi(), diagnostics.abi(),
                               &object);
  });
  if (created == ASTRO_OK && object != nullptr) {
    made.object = std::make_unique<AbiHeuristic>(*ref, plugin_id, object, entry.objective_name);
  }
  if (auto refusal = Judge(created, diagnostics, plugin_id, "create", "create", stopped())) return *std::move(refusal);
  if (made.object == nullptr) {
    return PluginFault(plugin_id, "create", "CONTRACT_VIOLATION", "create", "create made no heuristic");
  }
  source.stage->Enter(plugin_id, "build");
  if (ref->vtable->build != nullptr) {
    const astro_status built = CallPlugin("build", [&] { return ref->vtable->build(object, diagnostics.abi()); });
    if (auto refusal = Judge(built, diagnostics, plugin_id, "build", "build", stopped())) return *std::move(refusal);
  }
  notes->insert(notes->end(), diagnostics.notes().begin(), diagnostics.notes().end());
  if (const std::string defect = made.object->ReadInfo(); !defect.empty()) {
    return PluginFault(plugin_id, "build", "CONTRACT_VIOLATION", "info", defect);
  }
  for (int thread = 0; thread < source.threads; ++thread) {
    const uint64_t seed = source.services->seed + static_cast<uint64_t>(thread);
    made.evaluators.push_back(std::make_unique<AbiEvaluator>(made.object.get(), seed));
  }
  if (made.object->local() != nullptr && problem.Factored()) {
    if (const auto finding = CheckTrail(problem, *made.evaluators.front(), source.services->seed)) {
      return PluginFault(
          plugin_id, "build", "CONTRACT_VIOLATION", "",
          "the heuristic \"" + id + "\" follows states wrongly: " + finding->test + ", but " + finding->found);
    }
  }
  return made;
}

engine::EvaluatorUse WeightedUse(const v1::HeuristicUse& use, const engine::Evaluator* evaluator) {
  engine::EvaluatorUse weighted;
  weighted.evaluator = evaluator;
  if (use.has_weight()) {
    weighted.weight_numerator = use.weight().numerator();
    weighted.weight_denominator = std::max<int64_t>(use.weight().denominator(), 1);
  }
  return weighted;
}

}  // namespace astrolabe::worker
