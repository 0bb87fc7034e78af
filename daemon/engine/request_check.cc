#include "daemon/engine/request_check.h"

#include <string>

#include "daemon/engine/evaluator_set.h"
#include "daemon/engine/local/options.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {
namespace {

void CheckSpace(const SpaceInfo& info, std::vector<Violation>& violations) {
  if (info.state_size != 0 && info.state_align != 0 && info.state_align <= Block::kAlign &&
      (info.state_align & (info.state_align - 1)) == 0 && info.cost_scale >= 1) {
    return;
  }
  violations.push_back({"problem", "describes its states wrongly",
                        "a positive size, an alignment that is a power of two up to 64, a positive cost scale", ""});
}

// Of an algorithm that looks for paths.
void CheckPathSearch(const SearchRequest& request, const AlgorithmDescription& algorithm,
                     std::vector<Violation>& violations) {
  const SpaceInfo& info = request.space->info();
  // Else there simply are none, as in a graph without edges.
  if (info.max_ops == 0 && request.space->Factored() && !algorithm.takes_path) {
    violations.push_back({"algorithm", "needs the operators of a state one by one, which this problem does not list",
                          "a local search algorithm",
                          "use hill_climbing or min_conflicts, or another formulation of the problem, if it has one"});
  }
  if (info.no_start && !algorithm.takes_path) {
    violations.push_back({"problem", "has no start state, which " + algorithm.id + " needs", "an instance with a start",
                          "or a local search algorithm, which begins with a random state"});
  }
  if (info.no_goal_test) {
    violations.push_back({"algorithm", "looks for a goal, which this problem does not define",
                          "a local search algorithm", "use hill_climbing or simulated_annealing"});
  }
  if (algorithm.counts_operators && request.limits.max_cost && !info.unit_cost) {
    violations.push_back({"limits.max_cost", "cannot be kept by " + algorithm.id + ", which counts operators",
                          "no max_cost, or an algorithm that goes by costs, such as uniform_cost", ""});
  }
  if (algorithm.counts_solutions && request.limits.max_cost) {
    violations.push_back(
        {"limits.max_cost", "cannot be kept by " + algorithm.id + ", which looks at no costs", "no max_cost", ""});
  }
  if (algorithm.needs_reversed && request.reversed == nullptr) {
    violations.push_back({"algorithm",
                          "searches from the goal as well, which this problem cannot do" +
                              (request.no_reversed.empty() ? "" : ": " + request.no_reversed),
                          "a problem whose goal is one state and whose operators can be turned round",
                          "use an algorithm that searches forward alone, such as astar"});
  }
  if (!algorithm.needs_construct) return;
  if (!request.space->HasConstruct()) {
    violations.push_back({"algorithm", "needs a problem that constructs solutions of its own, which this one does not",
                          "a problem with the extension astro.problem.construct/1",
                          "use an algorithm that searches, such as greedy or anytime_astar"});
  }
  if (request.limits.max_cost) {
    violations.push_back({"limits.max_cost", "cannot be kept by " + algorithm.id + ", which takes what it is given",
                          "no max_cost, or an algorithm that goes by costs, such as astar", ""});
  }
}

}  // namespace

Params CheckRequest(const SearchRequest& request, int algorithm, std::vector<Violation>& violations) {
  Params params;
  if (algorithm < 0) {
    std::string known;
    for (const AlgorithmDescription& row : Algorithms()) known += (known.empty() ? "" : ", ") + row.id;
    violations.push_back({"algorithm", "\"" + request.algorithm + "\" is not known", "one of " + known, ""});
  }
  CheckSpace(request.space->info(), violations);
  if (algorithm >= 0 && !Algorithms()[static_cast<size_t>(algorithm)].local) {
    CheckPathSearch(request, Algorithms()[static_cast<size_t>(algorithm)], violations);
  }
  EvaluatorSet::Check(request, violations);
  if (algorithm >= 0) {
    const AlgorithmDescription& row = Algorithms()[static_cast<size_t>(algorithm)];
    const size_t before = violations.size();
    params = CheckParams(row.params, request.params, violations);
    if (row.check_params != nullptr && violations.size() == before) row.check_params(params, violations);
    if (row.local && violations.size() == before) CheckLocalRequest(request, row, params, violations);
  }
  return params;
}

}  // namespace astrolabe::engine
