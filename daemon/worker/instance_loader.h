// Parsing an instance, and what a status of the ABI means for a job.
#ifndef ASTROLABE_DAEMON_WORKER_INSTANCE_LOADER_H_
#define ASTROLABE_DAEMON_WORKER_INSTANCE_LOADER_H_

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "astrolabe/v1/result.pb.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/diagnostics.h"
#include "daemon/worker/host_services.h"
#include "daemon/worker/param_list.h"

namespace astrolabe::worker {

// Why a job cannot go on.
struct Refusal {
  enum class Kind { kRejected, kNoMemory, kStopped, kPluginFailed };
  Kind kind = Kind::kRejected;
  std::vector<v1::Violation> violations;  // kRejected
  v1::PluginFailure failure;              // kPluginFailed
};

Refusal PluginFault(std::string_view plugin, std::string_view stage, std::string_view code, std::string_view function,
                    std::string_view message);

// What `status` of a call to a plugin means; nullopt: go on. `stopped`: the job was told to stop.
std::optional<Refusal> Judge(astro_status status, DiagnosticCollector& diagnostics, std::string_view plugin,
                             std::string_view stage, std::string_view function, bool stopped);

struct InstanceSource {
  const ProblemRef* problem = nullptr;
  std::string plugin;
  std::string_view text;
  const ParamList* params = nullptr;
  const HostServices* host = nullptr;  // outlives the instance
};

// parse, and a look at info. Notes stay in `diagnostics`. `control` may be null.
std::variant<std::unique_ptr<AbiProblem>, Refusal> ParseInstance(const InstanceSource& source,
                                                                 DiagnosticCollector& diagnostics, JobControl* control);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_INSTANCE_LOADER_H_
