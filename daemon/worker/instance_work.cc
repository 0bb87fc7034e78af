#include "daemon/worker/instance_work.h"

#include <algorithm>

#include "daemon/worker/data_limit.h"
#include "daemon/worker/process_snapshot.h"

namespace astrolabe::worker {
namespace {

constexpr uint64_t kMemory = uint64_t{1} << 30;

}  // namespace

InstanceWork::InstanceWork(const WorkerContext& worker) : worker_(worker), budget_(kMemory) {
  services_.frames = worker_.frames;
  services_.log = worker_.log;
  services_.cache = worker_.cache;
  services_.budget = &budget_;
}

bool InstanceWork::Load(const v1::InstanceRef& instance,
                        const google::protobuf::RepeatedPtrField<internal::v1::PluginFile>& files) {
  return LoadPlugins(files) && Parse(instance);
}

bool InstanceWork::LoadPlugins(const google::protobuf::RepeatedPtrField<internal::v1::PluginFile>& files) {
  for (const internal::v1::PluginFile& file : files) {
    auto loaded = LoadAndTell(worker_, file);
    if (const auto* fault = std::get_if<LoadFault>(&loaded)) {
      fault_.failure = ToFailure(*fault, file.id());
      recycle_ = "the plugin " + file.id() + " could not be loaded";
      return false;
    }
    plugins_.push_back(std::get<const LoadedPlugin*>(loaded));
  }
  return true;
}

bool InstanceWork::Parse(const v1::InstanceRef& instance) {
  const LoadedPlugin* owner = nullptr;
  const ProblemRef* ref = nullptr;
  for (const LoadedPlugin* plugin : plugins_) {
    for (const ProblemRef& problem : plugin->problems) {
      if (ref == nullptr && problem.id == instance.problem()) {
        ref = &problem;
        owner = plugin;
      }
    }
  }
  if (ref == nullptr) {
    v1::Violation& violation = fault_.violations.emplace_back();
    violation.set_field("problem");
    violation.set_message("no plugin of this request has the problem \"" + instance.problem() + "\"");
    return false;
  }
  const std::string& plugin = owner->manifest.id;
  worker_.stage->Enter(plugin, "parse");
  ParamMap defaults;
  for (const ManifestProblem& entry : owner->manifest.problems) {
    if (entry.id == ref->id) defaults = entry.defaults;
  }
  const ParamList params(instance.params(), defaults);
  host_ = std::make_unique<HostServices>(services_, plugin, "");
  DiagnosticCollector diagnostics("instance");
  const bool raw = instance.instance_case() == v1::InstanceRef::kData;
  auto parsed =
      ParseInstance({ref, plugin, raw ? instance.data() : instance.text(), &params, host_.get()}, diagnostics, nullptr);
  for (const std::string& note : diagnostics.notes()) notes_.push_back(note);
  if (auto* problem = std::get_if<std::unique_ptr<AbiProblem>>(&parsed)) {
    problem_ = std::move(*problem);
    return true;
  }
  Refuse(std::get<Refusal>(parsed));
  return false;
}

void InstanceWork::Refuse(const Refusal& refusal, const std::string& field) {
  if (refusal.kind == Refusal::Kind::kRejected) {
    fault_.violations.insert(fault_.violations.end(), refusal.violations.begin(), refusal.violations.end());
  } else if (refusal.kind == Refusal::Kind::kNoMemory) {
    v1::Violation& violation = fault_.violations.emplace_back();
    violation.set_field(field);
    violation.set_message("it needs more memory than a request without a search may use");
    violation.set_expected("at most 1 GiB");
  } else {
    fault_.failure = refusal.failure;
  }
}

std::string InstanceWork::RecycleReason() const {
  if (!recycle_.empty()) return recycle_;
  return std::max(budget_.peak(), ResidentAnonymousBytes()) > kLargeMemory ? "the request used much memory" : "";
}

void RunAndSend(const WorkerContext& worker, internal::v1::ToDaemon& message,
                const std::function<std::string()>& work) {
  const ProcessSnapshot before = ProcessSnapshot::Take();
  std::string recycle = work();
  std::vector<std::string> broken = before.Restore();
  for (std::string& line : before.Leaks()) broken.push_back(std::move(line));
  if (recycle.empty() && !broken.empty()) recycle = "a plugin broke a rule: " + broken.front();
  message.set_recycle(recycle);
  worker.log->Finish();
  worker.stage->Leave();
  worker.frames->Send(message);
}

}  // namespace astrolabe::worker
