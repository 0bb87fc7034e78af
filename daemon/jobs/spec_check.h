// Everything about a JobSpec that manifests and the algorithm catalogue can decide, before a worker is bothered.
#ifndef ASTROLABE_DAEMON_JOBS_SPEC_CHECK_H_
#define ASTROLABE_DAEMON_JOBS_SPEC_CHECK_H_

#include <functional>
#include <span>
#include <vector>

#include "astrolabe/v1/catalog.pb.h"
#include "astrolabe/v1/solver.pb.h"
#include "daemon/base/result.h"
#include "daemon/registry/registry.h"

namespace astrolabe::jobs {

inline constexpr int kMaxHeuristics = 32;
inline constexpr int kMaxEvaluatedStates = 1000;

// What specs are checked against.
struct SpecContext {
  const registry::Catalog* catalog = nullptr;
  std::span<const v1::AlgorithmInfo> algorithms;
  v1::Limits default_limits;
  int slots = 1;
  // Asked only when an id is unknown: was it a plugin that failed to load?
  std::function<std::vector<registry::PluginRecord>()> plugins;
};

// All faults at once, else the spec with its defaults filled in. One kind of fault keeps its code: kInvalidArgument,
// kNotFound (an unknown id, "did you mean"), kFailedPrecondition (a heuristic of another domain, a plugin that failed
// to load, with its error but no path of the server); a mixture is kInvalidArgument.
Result<v1::JobSpec> CheckSpec(const v1::JobSpec& spec, const SpecContext& context);

// The same for an instance alone.
Result<v1::InstanceRef> CheckInstance(const v1::InstanceRef& instance, const SpecContext& context);

// The same for an instance, the heuristics (none: the problem's default is filled in) and the number of states.
Result<v1::EvaluateStatesRequest> CheckEvaluate(const v1::EvaluateStatesRequest& request, const SpecContext& context);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_SPEC_CHECK_H_
