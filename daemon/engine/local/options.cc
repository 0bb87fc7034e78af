#include "daemon/engine/local/options.h"

#include <limits>
#include <utility>

namespace astrolabe::engine {

std::vector<ParamSpec> LocalParams(std::vector<ParamSpec> own, int64_t default_steps) {
  const auto add = [&own](std::string name, int64_t default_value, int64_t min, std::string doc) {
    own.push_back({.name = std::move(name),
                   .type = ParamType::kInt,
                   .default_value = default_value,
                   .min = min,
                   .max = std::numeric_limits<int64_t>::max(),
                   .doc = std::move(doc),
                   .choices = {}});
  };
  add("restarts", 0, LocalOptions::kUntilSolved,
      "How many more climbs there are, from random states, when one ends without a solution. -1: until one is found.");
  add("steps", default_steps, 0, "A climb is given up after so many steps; 0: never.");
  add("target", -1, -1,
      "An objective of at most this, in units of 1 / cost_scale, is good enough and ends the search as solved, besides "
      "the goals of the problem; -1: none is. With objectives that are followed step by step the goal test is asked "
      "where "
      "the objective is 0, and at both ends of a climb.");
  own.push_back({.name = "stop_at_solution",
                 .type = ParamType::kBool,
                 .default_value = true,
                 .min = std::nullopt,
                 .max = std::nullopt,
                 .doc = "off: all restarts are made, whether climbs find solutions or not, for statistics.",
                 .choices = {}});
  return own;
}

void CheckLocalRequest(const SearchRequest& request, const AlgorithmDescription& algorithm, const Params& params,
                       std::vector<Violation>& violations) {
  const StateSpace& space = *request.space;
  const SpaceInfo& info = space.info();
  const LocalOptions options(params);
  if (request.evaluators.empty()) {
    violations.push_back({"heuristics", "are missing: " + algorithm.id + " needs an objective to make smaller",
                          "a heuristic of the problem", ""});
  }
  if (request.limits.max_cost) {
    violations.push_back({"limits.max_cost", "cannot be kept by " + algorithm.id + ", whose solutions have no path",
                          "no max_cost", "the parameter target says what objective is good enough"});
  }
  if (algorithm.needs_factored && !space.Factored()) {
    violations.push_back({"algorithm", "needs a problem whose states are values of variables, which these are not",
                          "a problem with the extension astro.problem.factored/1",
                          "use hill_climbing, which takes the operators of any problem"});
  } else if (info.max_ops == 0 && !space.Factored()) {
    violations.push_back({"problem", "has neither operators nor variables, so its states have no neighbours",
                          "a positive max_ops, or the extension astro.problem.factored/1", ""});
  }
  if (!space.HasRandomState()) {
    if (info.no_start) {
      violations.push_back({"problem", "has neither a start nor random states to begin with", "one of them", ""});
    }
    if (options.restarts != 0) {
      violations.push_back({"algorithm.params.restarts", "needs random states, which this problem does not give", "0",
                            "a problem with the extension astro.problem.random_state/1 can be restarted"});
    }
  }
  if (options.restarts == LocalOptions::kUntilSolved) {
    if (info.no_goal_test && options.target < 0) {
      violations.push_back({"algorithm.params.restarts",
                            "is -1, until solved, but this problem has no goal test to say so", "at least 0",
                            "or give the parameter target, the objective that is good enough"});
    }
    if (!options.stop_at_solution) {
      violations.push_back({"algorithm.params.restarts",
                            "is -1, until solved, but stop_at_solution = false goes on then", "at least 0", ""});
    }
  }
}

}  // namespace astrolabe::engine
