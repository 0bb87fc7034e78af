#include "daemon/worker/problem_reverser.h"

#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

Refusal NotOffered() {
  Refusal refusal;
  v1::Violation& violation = refusal.violations.emplace_back();
  violation.set_field("problem");
  violation.set_message("its plugin offers no reversed problem (" ASTRO_PROBLEM_REVERSED_V1 ")");
  return refusal;
}

}  // namespace

std::variant<std::unique_ptr<AbiProblem>, Refusal> ReverseProblem(const AbiProblem& problem, const ProblemRef& ref,
                                                                  const HostServices& host,
                                                                  DiagnosticCollector& diagnostics,
                                                                  JobControl* control) {
  const astro_problem_reversed_v1* calls = problem.reversed_calls();
  if (calls == nullptr) return NotOffered();
  const std::string& plugin = problem.plugin();
  void* made = nullptr;
  const astro_status status =
      CallPlugin("reverse", [&] { return calls->reverse(problem.object(), host.abi(), diagnostics.abi(), &made); });
  std::unique_ptr<AbiProblem> reversed;
  if (status == ASTRO_OK && made != nullptr) reversed = std::make_unique<AbiProblem>(ref, plugin, made);
  const bool stopped = control != nullptr && control->ShouldStop();
  if (auto refusal = Judge(status, diagnostics, plugin, "reverse", "reverse", stopped)) return *std::move(refusal);
  const auto fault = [&](std::string_view function, std::string_view what) {
    return PluginFault(plugin, "reverse", "CONTRACT_VIOLATION", function, what);
  };
  if (reversed == nullptr) return fault("reverse", "reverse succeeded but made no problem");
  if (!reversed->defect().empty()) return fault("info", reversed->defect());
  if (reversed->info().state_size != problem.info().state_size) {
    return fault("info", "the states of the reversed problem have another size");
  }
  if (reversed->info().cost_scale != problem.info().cost_scale) {
    return fault("info", "the costs of the reversed problem have another scale");
  }
  return reversed;
}

}  // namespace astrolabe::worker
