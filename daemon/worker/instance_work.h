// An instance outside any job: what requests that search nothing share.
#ifndef ASTROLABE_DAEMON_WORKER_INSTANCE_WORK_H_
#define ASTROLABE_DAEMON_WORKER_INSTANCE_WORK_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/instance_loader.h"
#include "daemon/worker/memory_budget.h"
#include "daemon/worker/worker_context.h"

namespace astrolabe::worker {

// Why a request has no answer: violations, or a failure of a plugin.
struct RequestFault {
  std::vector<v1::Violation> violations;
  std::optional<v1::PluginFailure> failure;
};

// Loads the plugins of a request and parses its instance. Plugins get at most 1 GiB from the host.
class InstanceWork {
 public:
  explicit InstanceWork(const WorkerContext& worker);
  InstanceWork(const InstanceWork&) = delete;
  InstanceWork& operator=(const InstanceWork&) = delete;

  // False: fault() tells why, and there is no problem().
  bool Load(const v1::InstanceRef& instance, const google::protobuf::RepeatedPtrField<internal::v1::PluginFile>& files);

  // Adds what stopped a later step. `field`: of what needed too much memory.
  void Refuse(const Refusal& refusal, const std::string& field = "instance");

  const WorkerContext& worker() const { return worker_; }
  const AbiProblem& problem() const { return *problem_; }
  const std::vector<const LoadedPlugin*>& plugins() const { return plugins_; }
  const JobServices& services() const { return services_; }
  const RequestFault& fault() const { return fault_; }
  bool failed() const { return fault_.failure || !fault_.violations.empty(); }
  const std::vector<std::string>& notes() const { return notes_; }
  // Why the worker should not be used again; empty: it may be.
  std::string RecycleReason() const;

 private:
  bool LoadPlugins(const google::protobuf::RepeatedPtrField<internal::v1::PluginFile>& files);
  bool Parse(const v1::InstanceRef& instance);

  const WorkerContext worker_;
  MemoryBudget budget_;
  JobServices services_;
  std::vector<const LoadedPlugin*> plugins_;
  std::unique_ptr<HostServices> host_;  // outlives the problem
  std::unique_ptr<AbiProblem> problem_;
  RequestFault fault_;
  std::vector<std::string> notes_;
  std::string recycle_;
};

// Runs `work`, which fills all of `message` and returns why the worker should not be used again (empty: it may be);
// undoes what plugins did to the process, and sends `message` as the last frame.
void RunAndSend(const WorkerContext& worker, internal::v1::ToDaemon& message, const std::function<std::string()>& work);

// Puts the fault into a ValidateDone or EvaluateDone.
template <typename Done>
void PutFault(const RequestFault& fault, Done& done) {
  for (const v1::Violation& violation : fault.violations) *done.add_violations() = violation;
  if (fault.failure) *done.mutable_failure() = *fault.failure;
}

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_INSTANCE_WORK_H_
