// Making a heuristic for an instance: found among the plugins, created, built, ready to evaluate.
#ifndef ASTROLABE_DAEMON_WORKER_HEURISTIC_LOADER_H_
#define ASTROLABE_DAEMON_WORKER_HEURISTIC_LOADER_H_

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "daemon/engine/search.h"
#include "daemon/worker/abi_heuristic.h"
#include "daemon/worker/instance_loader.h"
#include "daemon/worker/plugin_host.h"

namespace astrolabe::worker {

// Destroyed in the order evaluators, object, host, before the problem.
struct MadeHeuristic {
  std::unique_ptr<HostServices> host;
  std::unique_ptr<AbiHeuristic> object;
  std::vector<std::unique_ptr<AbiEvaluator>> evaluators;  // one for each search thread
};

struct HeuristicSource {
  const v1::HeuristicUse* use = nullptr;
  std::string field;                             // of faults: "heuristics[0]"
  std::span<const LoadedPlugin* const> plugins;  // the first that has it is used
  const AbiProblem* problem = nullptr;           // outlives the heuristic
  int threads = 1;
  std::string problem_id;  // for messages
  const JobServices* services = nullptr;
  StageTracker* stage = nullptr;
};

// Notes of the plugin are added to *notes.
std::variant<MadeHeuristic, Refusal> MakeHeuristic(const HeuristicSource& source, std::vector<std::string>* notes);

// With the weight of `use`: h is floor(weight * value); an unset weight or denominator is 1.
engine::EvaluatorUse WeightedUse(const v1::HeuristicUse& use, const engine::Evaluator* evaluator);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_HEURISTIC_LOADER_H_
