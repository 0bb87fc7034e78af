#include "daemon/worker/probe.h"

#include <unistd.h>

#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/problem_check.h"
#include "daemon/worker/process_snapshot.h"

namespace astrolabe::worker {
namespace {

void SetFault(const LoadFault& fault, internal::v1::ProbeDone& done) {
  done.set_code(fault.code);
  done.set_message(fault.message);
  done.set_expected(fault.expected);
  done.set_found(fault.found);
  done.set_hint(fault.hint);
}

// The examples of the manifest are the instances we know to be good.
MaybeFault CheckExamples(const WorkerContext& worker, const LoadedPlugin& plugin) {
  for (const ManifestProblem& entry : plugin.manifest.problems) {
    if (!entry.first_example) continue;
    for (const ProblemRef& problem : plugin.problems) {
      if (problem.id != entry.id) continue;
      if (auto fault = CheckProblem(worker, plugin.manifest.id, problem, entry)) return fault;
    }
  }
  return std::nullopt;
}

}  // namespace

void RunProbe(const WorkerContext& worker, const internal::v1::Probe& request) {
  ReportAlarmAsTimeout();
  ::alarm(kProbeSeconds);
  internal::v1::ToDaemon message;
  internal::v1::ProbeDone& done = *message.mutable_probed();
  const ProcessSnapshot before = ProcessSnapshot::Take();
  const std::string* manifest = request.manifest().empty() ? nullptr : &request.manifest();
  auto loaded = worker.plugins->Load(request.plugin(), manifest);
  if (const auto* fault = std::get_if<LoadFault>(&loaded)) {
    SetFault(*fault, done);
  } else {
    const LoadedPlugin& plugin = *std::get<const LoadedPlugin*>(loaded);
    done.set_version(plugin.manifest.version);
    for (const std::string& warning : plugin.warnings) done.add_warnings(warning);
    if (const auto fault = CheckExamples(worker, plugin)) SetFault(*fault, done);
    for (const std::string& warning : before.Restore()) done.add_warnings(warning);
  }
  ::alarm(0);
  worker.frames->Send(message);
}

}  // namespace astrolabe::worker
