#include "daemon/worker/validate.h"

#include "daemon/worker/instance_loader.h"
#include "daemon/worker/memory_budget.h"
#include "daemon/worker/process_snapshot.h"
#include "daemon/worker/result_builder.h"
#include "daemon/worker/state_buffer.h"

namespace astrolabe::worker {
namespace {

constexpr size_t kMaxCanonical = 256 << 10;
constexpr uint64_t kMemory = uint64_t{1} << 30;

v1::Solvable ToProto(engine::Solvable solvable) {
  switch (solvable) {
    case engine::Solvable::kYes:
      return v1::SOLVABLE_YES;
    case engine::Solvable::kNo:
      return v1::SOLVABLE_NO;
    case engine::Solvable::kUnknown:
      break;
  }
  return v1::SOLVABLE_UNKNOWN;
}

void Describe(const WorkerContext& worker, const AbiProblem& problem, v1::ValidateInstanceResponse& out) {
  if (auto text = problem.CanonicalText(kMaxCanonical)) {
    out.set_canonical_text(*std::move(text));
  } else {
    out.add_notes("the canonical text is left out: it is above 256 KiB");
  }
  out.set_size(problem.Describe());
  out.set_state_bytes(static_cast<int64_t>(problem.info().state_size));
  out.set_fingerprint(problem.FingerprintHex());
  StateBuffer state(problem.info().state_size, problem.info().state_align);
  problem.InitialState(state.data());
  if (auto text = problem.RenderStateBounded(state.data(), kMaxInlineState)) out.set_initial_state(*std::move(text));
  if (problem.GoalState(state.data())) {
    if (auto text = problem.RenderStateBounded(state.data(), kMaxInlineState)) out.set_goal_state(*std::move(text));
  }
  worker.stage->Enter(problem.plugin(), "solvable");
  const engine::SolvableAnswer answer = problem.IsSolvable();
  out.set_solvable(ToProto(answer.solvable));
  out.set_reason(answer.reason);
}

// Fills `done`; returns why the worker should not be used again, if so.
std::string Fill(const WorkerContext& worker, const internal::v1::Validate& request, internal::v1::ValidateDone& done) {
  const v1::InstanceRef& instance = request.instance();
  const LoadedPlugin* owner = nullptr;
  const ProblemRef* ref = nullptr;
  for (const internal::v1::PluginFile& file : request.plugins()) {
    auto loaded = LoadAndTell(worker, file);
    if (const auto* fault = std::get_if<LoadFault>(&loaded)) {
      *done.mutable_failure() = ToFailure(*fault, file.id());
      return "the plugin " + file.id() + " could not be loaded";
    }
    const LoadedPlugin* plugin = std::get<const LoadedPlugin*>(loaded);
    for (const ProblemRef& problem : plugin->problems) {
      if (ref == nullptr && problem.id == instance.problem()) {
        ref = &problem;
        owner = plugin;
      }
    }
  }
  if (ref == nullptr) {
    v1::Violation& violation = *done.add_violations();
    violation.set_field("problem");
    violation.set_message("no plugin of this request has the problem \"" + instance.problem() + "\"");
    return "";
  }
  const std::string& plugin = owner->manifest.id;
  worker.stage->Enter(plugin, "parse");
  ParamMap defaults;
  for (const ManifestProblem& entry : owner->manifest.problems) {
    if (entry.id == ref->id) defaults = entry.defaults;
  }
  const ParamList params(instance.params(), defaults);
  MemoryBudget budget(kMemory);
  JobServices services;
  services.frames = worker.frames;
  services.log = worker.log;
  services.cache = worker.cache;
  services.budget = &budget;
  const HostServices host(services, plugin, "");
  DiagnosticCollector diagnostics("instance");
  const bool raw = instance.instance_case() == v1::InstanceRef::kData;
  auto parsed =
      ParseInstance({ref, plugin, raw ? instance.data() : instance.text(), &params, &host}, diagnostics, nullptr);
  for (const std::string& note : diagnostics.notes()) done.mutable_response()->add_notes(note);
  if (const auto* problem = std::get_if<std::unique_ptr<AbiProblem>>(&parsed)) {
    Describe(worker, **problem, *done.mutable_response());
    return "";
  }
  const Refusal& refusal = std::get<Refusal>(parsed);
  if (refusal.kind == Refusal::Kind::kRejected) {
    for (const v1::Violation& violation : refusal.violations) *done.add_violations() = violation;
  } else if (refusal.kind == Refusal::Kind::kNoMemory) {
    v1::Violation& violation = *done.add_violations();
    violation.set_field("instance");
    violation.set_message("the instance needs more memory than a validation may use");
    violation.set_expected("at most 1 GiB");
  } else {
    *done.mutable_failure() = refusal.failure;
  }
  return "";
}

}  // namespace

void RunValidate(const WorkerContext& worker, const internal::v1::Validate& request) {
  const ProcessSnapshot before = ProcessSnapshot::Take();
  internal::v1::ToDaemon message;
  internal::v1::ValidateDone& done = *message.mutable_validated();
  done.set_request(request.request());
  std::string recycle = Fill(worker, request, done);
  std::vector<std::string> broken = before.Restore();
  for (std::string& line : before.Leaks()) broken.push_back(std::move(line));
  if (recycle.empty() && !broken.empty()) recycle = "a plugin broke a rule: " + broken.front();
  message.set_recycle(recycle);
  worker.log->Finish();
  worker.stage->Leave();
  worker.frames->Send(message);
}

}  // namespace astrolabe::worker
