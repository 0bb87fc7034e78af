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

bool HasTarget(const SearchRequest& request) {
  const auto target = request.params.find("target");
  return target != request.params.end() && std::get<int64_t>(target->second) >= 0;
}

std::string ObjectiveText(Cost objective, const std::string& name, const StateSpace& space) {
  return objective == kInfinity ? "a dead end" : name + " " + CostText(objective, space);
}

std::string Explain(const LocalAnswer& answer, bool solved, const std::string& objective) {
  const LocalStatistics& local = answer.statistics;
  if (local.climbs > 1) {
    const std::string climbs = Count(local.climbs, "climb");
    const std::string steps = Count(local.steps, "step") + " in all";
    if (answer.solution) {
      return std::to_string(local.solved) + " of " + climbs + " found a solution, " + objective + ", " + steps + ".";
    }
    const std::string none = solved ? "The best of " : "None of ";
    return none + climbs + (solved ? "" : " found a solution; the best state has") + (solved ? " has " : " ") +
           objective + ", " + steps + ".";
  }
  const std::string after = ", after " + Count(local.steps, "step") + ".";
  if (answer.solution) return "A solution, " + objective + after;
  if (local.stuck == 0) return "The best state has " + objective + after;
  if (answer.gave_up) return "Given up at the limit of steps for a climb, " + objective + after;
  return "Stopped in a local optimum, " + objective + after;
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
  if (answer.solution && goal_test && space.calls().is_goal(space.calls().problem, state.data()) == 0) {
    return "the state of the solution is a goal no more when it is tested again";
  }
  const bool solved = answer.solution || (!goal_test && !HasTarget(request));
  result.outcome = solved ? Outcome::kSolved : Outcome::kExhaustedLocal;
  result.proof = solved ? Proof::kFeasible : Proof::kNone;
  result.objective = anew;
  if (solved && !goal_test) result.cost = anew;
  result.verified = true;
  result.objective_name = objective.objective_name();
  result.explanation = Explain(answer, solved, ObjectiveText(answer.objective, result.objective_name, space));
  result.final_state = std::move(answer.state);
  return "";
}

}  // namespace astrolabe::engine
