#include "daemon/jobs/plugin_pins.h"

#include <algorithm>

namespace astrolabe::jobs {
namespace {

void Pin(const registry::GenerationRef& generation, PluginPins* pins) {
  const workers::PluginFile& file = generation->file();
  const bool known = std::any_of(pins->files.begin(), pins->files.end(),
                                 [&](const workers::PluginFile& other) { return other.id == file.id; });
  if (known) return;
  pins->generations.push_back(generation);
  pins->files.push_back(file);
}

void AddMissing(const std::string& field, const std::string& what, const std::string& id, PluginPins* pins) {
  v1::Violation violation;
  violation.set_field(field);
  violation.set_message("the " + what + " '" + id + "' is no longer loaded");
  violation.set_hint("its plugin was unloaded while the job waited in the queue");
  pins->missing.push_back(std::move(violation));
}

}  // namespace

PluginPins PinPlugins(const registry::Catalog& catalog, const std::string& problem,
                      const std::vector<std::string>& heuristics) {
  PluginPins pins;
  if (const auto found = catalog.problems.find(problem); found != catalog.problems.end()) {
    Pin(found->second.generation, &pins);
  } else {
    AddMissing("problem", "problem", problem, &pins);
  }
  for (size_t i = 0; i < heuristics.size(); ++i) {
    if (const auto found = catalog.heuristics.find(heuristics[i]); found != catalog.heuristics.end()) {
      Pin(found->second.generation, &pins);
    } else {
      AddMissing("heuristics[" + std::to_string(i) + "]", "heuristic", heuristics[i], &pins);
    }
  }
  return pins;
}

PluginPins PinPlugins(const registry::Catalog& catalog, const v1::JobSpec& spec) {
  std::vector<std::string> heuristics;
  for (const v1::HeuristicUse& use : spec.heuristics()) heuristics.push_back(use.id());
  return PinPlugins(catalog, spec.problem(), heuristics);
}

const v1::AlgorithmInfo* FindAlgorithm(std::span<const v1::AlgorithmInfo> algorithms, const v1::JobSpec& spec) {
  const auto found = std::find_if(algorithms.begin(), algorithms.end(),
                                  [&](const v1::AlgorithmInfo& info) { return info.id() == spec.algorithm().id(); });
  return found == algorithms.end() ? nullptr : &*found;
}

bool BoundsAreProven(const registry::Catalog& catalog, std::span<const v1::AlgorithmInfo> algorithms,
                     const v1::JobSpec& spec) {
  const v1::AlgorithmInfo* const algorithm = FindAlgorithm(algorithms, spec);
  if (algorithm == nullptr || algorithm->local_search()) return false;
  double sum = 0;
  for (const v1::HeuristicUse& use : spec.heuristics()) {
    const auto found = catalog.heuristics.find(use.id());
    if (found == catalog.heuristics.end() || !found->second.entry.admissible) return false;
    if (use.weight().numerator() > use.weight().denominator()) return false;
    sum += static_cast<double>(use.weight().numerator()) / static_cast<double>(use.weight().denominator());
  }
  return spec.combine() != v1::COMBINE_SUM || sum <= 1.0;
}

}  // namespace astrolabe::jobs
