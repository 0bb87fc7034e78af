// The plugin generations a job runs with, held from its start until its worker lets go.
#ifndef ASTROLABE_DAEMON_JOBS_PLUGIN_PINS_H_
#define ASTROLABE_DAEMON_JOBS_PLUGIN_PINS_H_

#include <span>
#include <string>
#include <vector>

#include "astrolabe/v1/catalog.pb.h"
#include "astrolabe/v1/result.pb.h"
#include "astrolabe/v1/spec.pb.h"
#include "daemon/registry/registry.h"

namespace astrolabe::jobs {

struct PluginPins {
  std::vector<registry::GenerationRef> generations;
  std::vector<workers::PluginFile> files;  // the problem's first, each plugin once
  // What is no longer there; the job cannot run then.
  std::vector<v1::Violation> missing;
};

PluginPins PinPlugins(const registry::Catalog& catalog, const std::string& problem,
                      const std::vector<std::string>& heuristics);
PluginPins PinPlugins(const registry::Catalog& catalog, const v1::JobSpec& spec);

// The row of the job's algorithm; null: there is none.
const v1::AlgorithmInfo* FindAlgorithm(std::span<const v1::AlgorithmInfo> algorithms, const v1::JobSpec& spec);

// Whether a bound that the search reports is a lower bound of the optimal cost: every algorithm but local searches
// reports none but such, if h is admissible by the heuristics' claims (MAX of admissible ones, or SUM with weights
// adding up to at most 1).
bool BoundsAreProven(const registry::Catalog& catalog, std::span<const v1::AlgorithmInfo> algorithms,
                     const v1::JobSpec& spec);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_PLUGIN_PINS_H_
