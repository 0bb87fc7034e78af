#include "daemon/worker/instance_loader.h"

#include "daemon/worker/abi_text.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {

Refusal PluginFault(std::string_view plugin, std::string_view stage, std::string_view code, std::string_view function,
                    std::string_view message) {
  Refusal refusal;
  refusal.kind = Refusal::Kind::kPluginFailed;
  refusal.failure.set_plugin(std::string(plugin));
  refusal.failure.set_stage(std::string(stage));
  refusal.failure.set_code(std::string(code));
  refusal.failure.set_function(std::string(function));
  refusal.failure.set_message(std::string(message));
  return refusal;
}

std::optional<Refusal> Judge(astro_status status, DiagnosticCollector& diagnostics, std::string_view plugin,
                             std::string_view stage, std::string_view function, bool stopped) {
  Refusal refusal;
  switch (status) {
    case ASTRO_OK:
      if (!diagnostics.has_errors()) return std::nullopt;
      break;
    case ASTRO_INVALID:
      diagnostics.EnsureViolation("the plugin found the input wrong, without saying why");
      break;
    case ASTRO_REFUSED:
      diagnostics.EnsureViolation("the plugin refused the input, without saying why");
      break;
    case ASTRO_NO_MEMORY:
      refusal.kind = Refusal::Kind::kNoMemory;
      return refusal;
    case ASTRO_CANCELLED:
      if (!stopped) {
        return PluginFault(plugin, stage, "CONTRACT_VIOLATION", function, "it says cancelled, but nobody cancelled");
      }
      refusal.kind = Refusal::Kind::kStopped;
      return refusal;
    case ASTRO_INTERNAL: {
      const std::string why = diagnostics.Summary();
      return PluginFault(plugin, stage, "INTERNAL", function, why.empty() ? "it failed without a reason" : why);
    }
    default:
      return PluginFault(plugin, stage, "CONTRACT_VIOLATION", function,
                         "it returned the unknown status " + std::to_string(status));
  }
  refusal.violations = diagnostics.violations();
  return refusal;
}

std::variant<std::unique_ptr<AbiProblem>, Refusal> ParseInstance(const InstanceSource& source,
                                                                 DiagnosticCollector& diagnostics,
                                                                 JobControl* control) {
  void* made = nullptr;
  const astro_status status = CallPlugin("parse", [&] {
    return source.problem->vtable->parse(source.host->abi(), ToAbi(source.text), source.params->abi(),
                                         diagnostics.abi(), &made);
  });
  std::unique_ptr<AbiProblem> problem;
  if (status == ASTRO_OK && made != nullptr) {
    problem = std::make_unique<AbiProblem>(*source.problem, source.plugin, made);
  }
  const bool stopped = control != nullptr && control->ShouldStop();
  if (auto refusal = Judge(status, diagnostics, source.plugin, "parse", "parse", stopped)) return *std::move(refusal);
  if (problem == nullptr) {
    return PluginFault(source.plugin, "parse", "CONTRACT_VIOLATION", "parse", "parse succeeded but made no problem");
  }
  if (!problem->defect().empty()) {
    return PluginFault(source.plugin, "parse", "CONTRACT_VIOLATION", "info", problem->defect());
  }
  return problem;
}

}  // namespace astrolabe::worker
