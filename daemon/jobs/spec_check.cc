#include "daemon/jobs/spec_check.h"

#include <algorithm>

#include "daemon/base/nearest.h"
#include "daemon/jobs/fault_list.h"
#include "daemon/jobs/limit_check.h"
#include "daemon/jobs/param_check.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

std::string Quote(std::string_view text) { return std::string("'").append(CleanText(text, 80)).append("'"); }

// "manhattan" names the plugin "org.astrolabe.manhattan" and the file ".../manhattan.so".
bool Names(std::string_view id, const registry::PluginRecord& record) {
  const auto last_part = [](std::string_view text, char separator) {
    const size_t at = text.rfind(separator);
    return at == std::string_view::npos ? text : text.substr(at + 1);
  };
  std::string_view file = last_part(record.path, '/');
  file = file.substr(0, file.find(".so"));
  return record.id == id || last_part(record.id, '.') == id || file == id || file == "lib" + std::string(id);
}

// Adds kFailedPrecondition and returns true when `id` is that of a plugin that failed to load.
bool AddFailedPlugin(const SpecContext& context, std::string_view id, const std::string& field, FaultList* faults) {
  if (!context.plugins) return false;
  for (const registry::PluginRecord& record : context.plugins()) {
    if (record.state == registry::PluginState::kReady || !Names(id, record)) continue;
    std::string text = "the plugin " + Quote(id);
    if (record.error) {
      text +=
          " failed to load: " + std::string(registry::LoadCodeName(record.error->code)) + ", " + record.error->message;
      if (!record.error->expected.empty()) text += " (expected " + record.error->expected;
      if (!record.error->expected.empty() && !record.error->found.empty()) text += ", found " + record.error->found;
      if (!record.error->expected.empty()) text += ")";
    } else {
      text += " has been unloaded";
    }
    // The error was written for the admin: folders of the server are none of the client's business.
    for (size_t at; !record.path.empty() && (at = text.find(record.path)) != std::string::npos;) {
      text.replace(at, record.path.size(), "the file");
    }
    faults->Add(ErrorCode::kFailedPrecondition, record.error ? "PLUGIN_FAILED" : "PLUGIN_UNLOADED", field, text);
    return true;
  }
  return false;
}

void UseCountingDefaults(std::vector<v1::ParamSpec>* params) {
  for (v1::ParamSpec& param : *params) {
    if (param.has_counting_default()) *param.mutable_default_value() = param.counting_default();
  }
}

class Checker {
 public:
  Checker(const SpecContext& context, FaultList* faults) : context_(context), faults_(*faults) {}

  // Null when there is no such problem; the fault is noted.
  const registry::Catalog::Problem* Problem(const std::string& id, const std::string& field) {
    const auto& problems = context_.catalog->problems;
    if (const auto found = problems.find(id); found != problems.end()) return &found->second;
    if (id.empty()) {
      faults_.Invalid(field, "required: the id of a problem");
    } else if (!AddFailedPlugin(context_, id, field, &faults_)) {
      faults_.Add(ErrorCode::kNotFound, "UNKNOWN_PROBLEM", field,
                  "there is no problem " + Quote(id) + DidYouMean(context_.catalog->NearestProblem(id)));
    }
    return nullptr;
  }

  bool CountsSolutions(const std::string& algorithm) const {
    return std::ranges::any_of(context_.algorithms, [&](const v1::AlgorithmInfo& info) {
      return info.id() == algorithm && info.counts_solutions();
    });
  }

  void Algorithm(const registry::Catalog::Problem* problem, v1::AlgorithmUse* use) {
    std::vector<std::string> names;
    for (const v1::AlgorithmInfo& info : context_.algorithms) names.push_back(info.id());
    if (use->id().empty()) {
      if (problem == nullptr) return;
      use->set_id(problem->entry.default_algorithm.empty() ? "astar" : problem->entry.default_algorithm);
    }
    const auto found = std::find_if(context_.algorithms.begin(), context_.algorithms.end(),
                                    [&](const v1::AlgorithmInfo& info) { return info.id() == use->id(); });
    if (found == context_.algorithms.end()) {
      faults_.Add(ErrorCode::kNotFound, "UNKNOWN_ALGORITHM", "spec.algorithm.id",
                  "there is no algorithm " + Quote(use->id()) + " (there are " + JoinNames(names) + ")" +
                      DidYouMean(Nearest(use->id(), names)));
      return;
    }
    needs_heuristic_ = found->needs_heuristic();
    CheckParams({found->params().begin(), found->params().end()}, "spec.algorithm.params",
                "the algorithm " + Quote(found->id()), use->mutable_params(), &faults_);
  }

  using Uses = google::protobuf::RepeatedPtrField<v1::HeuristicUse>;
  // After Algorithm, if there is one.
  void Heuristics(const registry::Catalog::Problem* problem, const std::string& field, Uses* uses) {
    if (uses->size() > kMaxHeuristics) {
      faults_.Invalid(field, "expected at most " + std::to_string(kMaxHeuristics));
      return;
    }
    if (uses->empty()) AddDefaultHeuristic(problem, field, uses);
    for (int i = 0; i < uses->size(); ++i) Heuristic(problem, field + "[" + std::to_string(i) + "]", uses->Mutable(i));
  }

  // The problem, its parameters and that there is an instance, of an InstanceRef.
  const registry::Catalog::Problem* Instance(v1::InstanceRef* instance) {
    const registry::Catalog::Problem* problem = Problem(instance->problem(), "instance.problem");
    if (instance->instance_case() == v1::InstanceRef::INSTANCE_NOT_SET) {
      faults_.Invalid("instance", "required: the instance as text or data");
    }
    if (problem != nullptr) {
      CheckParams(Declarations(problem->entry.params), "instance.params", "the problem " + Quote(instance->problem()),
                  instance->mutable_params(), &faults_);
    }
    return problem;
  }

 private:
  std::vector<std::string> HeuristicsFor(const registry::Catalog::Problem& problem) const {
    std::vector<std::string> names;
    for (const auto& [id, heuristic] : context_.catalog->heuristics) {
      if (heuristic.entry.state_layout == problem.entry.state_layout) names.push_back(id);
    }
    return names;
  }

  void AddDefaultHeuristic(const registry::Catalog::Problem* problem, const std::string& field, Uses* uses) {
    if (problem == nullptr || !needs_heuristic_) return;
    const std::string& id = problem->entry.default_heuristic;
    if (!id.empty() && context_.catalog->heuristics.count(id) > 0) {
      uses->Add()->set_id(id);
      return;
    }
    const std::vector<std::string> names = HeuristicsFor(*problem);
    const std::string known = names.empty() ? "none for this problem is loaded" : "name one of " + JoinNames(names);
    if (!id.empty() && AddFailedPlugin(context_, id, field, &faults_)) return;
    faults_.Add(ErrorCode::kFailedPrecondition, "NO_HEURISTIC", field,
                id.empty() ? "a heuristic is needed: " + known
                           : "the default heuristic " + Quote(id) + " is not loaded: " + known);
  }

  void Heuristic(const registry::Catalog::Problem* problem, const std::string& field, v1::HeuristicUse* use) {
    if (!use->has_weight()) use->mutable_weight()->set_numerator(1);
    Weight(field + ".weight", use->mutable_weight());
    const auto found = context_.catalog->heuristics.find(use->id());
    if (found == context_.catalog->heuristics.end()) {
      if (use->id().empty()) {
        faults_.Invalid(field + ".id", "required: the id of a heuristic");
      } else if (!AddFailedPlugin(context_, use->id(), field + ".id", &faults_)) {
        const std::vector<std::string> names = problem ? HeuristicsFor(*problem) : std::vector<std::string>();
        const std::string known = names.empty() ? "" : " (for this problem there are " + JoinNames(names) + ")";
        faults_.Add(ErrorCode::kNotFound, "UNKNOWN_HEURISTIC", field + ".id",
                    "there is no heuristic " + Quote(use->id()) + known +
                        DidYouMean(context_.catalog->NearestHeuristic(use->id())));
      }
      return;
    }
    const registry::HeuristicEntry& entry = found->second.entry;
    if (problem != nullptr && entry.state_layout != problem->entry.state_layout) {
      faults_.Add(ErrorCode::kFailedPrecondition, "WRONG_DOMAIN", field + ".id",
                  "the heuristic " + Quote(use->id()) + " evaluates states of " + Quote(entry.problem) + " (layout " +
                      entry.state_layout + "), not of " + Quote(problem->entry.id) + " (layout " +
                      problem->entry.state_layout + ")");
    }
    CheckParams(Declarations(entry.params), field + ".params", "the heuristic " + Quote(use->id()),
                use->mutable_params(), &faults_);
  }

  void Weight(const std::string& field, v1::Rational* weight) {
    if (weight->numerator() < 0) {
      faults_.Invalid(field + ".numerator",
                      "expected a number of at least 0, not " + std::to_string(weight->numerator()));
    }
    if (weight->denominator() < 0) {
      faults_.Invalid(field + ".denominator",
                      "expected a number above 0 (0: 1), not " + std::to_string(weight->denominator()));
    }
    if (weight->denominator() == 0) weight->set_denominator(1);
  }

  const SpecContext& context_;
  FaultList& faults_;
  bool needs_heuristic_ = true;
};

}  // namespace

Result<v1::JobSpec> CheckSpec(const v1::JobSpec& spec, const SpecContext& context) {
  FaultList faults;
  Checker checker(context, &faults);
  v1::JobSpec filled = spec;
  const registry::Catalog::Problem* problem = checker.Problem(filled.problem(), "spec.problem");
  if (filled.instance_case() == v1::JobSpec::INSTANCE_NOT_SET) {
    faults.Invalid("spec.instance", "required: the instance as text or data");
  }
  if (problem != nullptr) {
    std::vector<v1::ParamSpec> params = Declarations(problem->entry.params);
    if (checker.CountsSolutions(filled.algorithm().id())) UseCountingDefaults(&params);
    CheckParams(params, "spec.params", "the problem " + Quote(filled.problem()), filled.mutable_params(), &faults);
  }
  checker.Algorithm(problem, filled.mutable_algorithm());
  checker.Heuristics(problem, "spec.heuristics", filled.mutable_heuristics());

  if (!v1::Combine_IsValid(filled.combine())) faults.Invalid("spec.combine", "is neither MAX nor SUM");
  if (filled.combine() == v1::COMBINE_UNSPECIFIED) filled.set_combine(v1::COMBINE_MAX);
  CheckLimits(filled.limits(), "spec.limits", &faults);
  FillLimits(context.default_limits, filled.mutable_limits());
  if (filled.threads() == 0) filled.set_threads(1);
  if (filled.threads() < 0 || filled.threads() > context.slots) {
    faults.Invalid("spec.threads", "expected a number from 1 to " + std::to_string(context.slots) +
                                       ", the slots of this server, not " + std::to_string(filled.threads()));
  }
  CheckEvents("spec.events", filled.mutable_events(), &faults);
  if (!v1::EngineTier_IsValid(filled.tier())) {
    faults.Invalid("spec.tier", "is no known engine tier");
  } else if (filled.tier() > v1::ENGINE_TIER_GENERIC && filled.events().kinds_size() > 0) {
    faults.Invalid("spec.tier", "recording node events needs the generic tier");
  }
  CheckLabels(filled, &faults);
  CheckPriority(filled.priority(), "spec.priority", &faults);
  if (!faults.empty()) return faults.ToError();
  return filled;
}

Result<v1::InstanceRef> CheckInstance(const v1::InstanceRef& instance, const SpecContext& context) {
  FaultList faults;
  v1::InstanceRef filled = instance;
  Checker(context, &faults).Instance(&filled);
  if (!faults.empty()) return faults.ToError();
  return filled;
}

Result<v1::EvaluateStatesRequest> CheckEvaluate(const v1::EvaluateStatesRequest& request, const SpecContext& context) {
  FaultList faults;
  Checker checker(context, &faults);
  v1::EvaluateStatesRequest filled = request;
  const registry::Catalog::Problem* problem = checker.Instance(filled.mutable_instance());
  checker.Heuristics(problem, "heuristics", filled.mutable_heuristics());
  if (filled.states_size() > kMaxEvaluatedStates) {
    faults.Invalid("states", "expected at most " + std::to_string(kMaxEvaluatedStates) + ", not " +
                                 std::to_string(filled.states_size()));
  }
  if (!faults.empty()) return faults.ToError();
  return filled;
}

}  // namespace astrolabe::jobs
