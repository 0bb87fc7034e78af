#include "daemon/engine/local_result.h"

#include <cstring>
#include <utility>
#include <variant>

#include "daemon/engine/result_text.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

std::string Count(int64_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

// Negative: none.
Cost TargetOf(const SearchRequest& request) {
  const auto target = request.params.find("target");
  return target == request.params.end() ? -1 : std::get<int64_t>(target->second);
}

std::string ObjectiveText(Cost objective, const std::string& name, const StateSpace& space) {
  return objective == kInfinity ? "a dead end" : name + " " + CostText(objective, space);
}

// Why a single climb ended without a solution.
std::string EndOfClimb(StuckBy stuck_by) {
  switch (stuck_by) {
    case StuckBy::kLocalOptimum:
      return "Stopped in a local optimum";
    case StuckBy::kSteps:
      return "Given up at the limit of steps for a climb";
    case StuckBy::kSchedule:
      return "The schedule came to its end";
  }
  return "Stopped";
}

// `goal`: the state is good enough because it is a goal, or because the problem has no goal test.
std::string Explain(const LocalAnswer& answer, bool solved, bool goal, const std::string& objective) {
  const LocalStatistics& local = answer.statistics;
  if (local.climbs > 1) {
    const std::string climbs = Count(local.climbs, "climb");
    const std::string steps = Count(local.steps, "step") + " in all";
    if (answer.solution) {
      return std::to_string(local.solved) + " of " + climbs + (goal ? " found a solution, " : " reached the target, ") +
             objective + ", " + steps + ".";
    }
    const std::string none = solved ? "The best of " : "None of ";
    return none + climbs + (solved ? "" : " found a solution; the best state has") + (solved ? " has " : " ") +
           objective + ", " + steps + ".";
  }
  const std::string after = ", after " + Count(local.steps, "step") + ".";
  if (answer.solution) return (goal ? "A solution, " : "The target is reached, ") + objective + after;
  if (local.stuck == 0) return "The best state has " + objective + after;
  return EndOfClimb(answer.stuck_by) + ", " + objective + after;
}

}  // namespace

std::string ReportLocal(const SearchRequest& request, const Evaluator& objective, LocalAnswer answer,
                        SearchResult& result) {
  const StateSpace& space = *request.space;
  result.statistics.local = answer.statistics;
  if (answer.state.empty()) return "";
  MemoryAccount unaccounted;
  Block state(unaccounted, StateStride(space.info()));
  std::memcpy(state.data(), answer.state.data(), answer.state.size());
  const EvaluatorCalls& calls = objective.calls();
  const Cost anew = calls.eval(calls.context, state.data());
  if (anew != answer.objective) {
    return "the objective of the best state is " + std::to_string(anew) + ", but steps led to " +
           std::to_string(answer.objective);
  }
  const bool goal_test = !space.info().no_goal_test;
  const bool goal = !goal_test || space.calls().is_goal(space.calls().problem, state.data()) != 0;
  const Cost target = TargetOf(request);
  if (answer.solution && !goal && anew > target) {
    return "the state of the solution is a goal no more when it is tested again";
  }
  const bool solved = answer.solution || (!goal_test && target < 0);
  result.outcome = solved ? Outcome::kSolved : Outcome::kExhaustedLocal;
  result.proof = solved && goal ? Proof::kFeasible : Proof::kNone;
  result.objective = anew;
  if (solved && !goal_test) result.cost = anew;
  result.verified = true;
  result.objective_name = objective.objective_name();
  result.explanation = Explain(answer, solved, goal, ObjectiveText(answer.objective, result.objective_name, space));
  result.final_state = std::move(answer.state);
  return "";
}

}  // namespace astrolabe::engine
