#include "daemon/engine/replay.h"

#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

// Steps between two looks at the stop token: some may copy kilobytes.
constexpr size_t kStepsBetweenChecks = 256;

std::string StepText(const Solution& solution, size_t i) {
  return "operator " + std::to_string(solution.path[i]) + " at step " + std::to_string(i + 1) + " of " +
         std::to_string(solution.path.size());
}

}  // namespace

ReplayEnd Replay(const StateSpace& space, Solution& solution, Runner& runner, std::vector<std::byte>& end,
                 std::string& why) {
  MemoryAccount unlimited;
  const Block state(unlimited, StateStride(space.info()));
  space.InitialState(state.data());
  Cost cost = 0;
  for (size_t i = 0; i < solution.path.size(); ++i) {
    if (i % kStepsBetweenChecks == 0 && runner.StopRequested()) return ReplayEnd::kStopped;
    const std::optional<Cost> step = space.ApplyInPlace(state.data(), solution.path[i]);
    if (!step) {
      why = "the found path cannot be replayed: " + StepText(solution, i) + " is not possible there";
      return ReplayEnd::kBroken;
    }
    if (*step < 0 || __builtin_add_overflow(cost, *step, &cost)) {
      why = "the found path cannot be replayed: " + StepText(solution, i) + " costs " + std::to_string(*step);
      return ReplayEnd::kBroken;
    }
  }
  const SpaceCalls& calls = space.calls();
  if (calls.is_goal(calls.problem, state.data()) == 0) {
    why = "the found path does not end in a goal when it is replayed";
    return ReplayEnd::kBroken;
  }
  if (cost > solution.cost || (cost < solution.cost && !solution.may_be_cheaper)) {
    why = "the found path costs " + std::to_string(cost) + " when it is replayed, the search had " +
          std::to_string(solution.cost);
    return ReplayEnd::kBroken;
  }
  solution.cost = cost;
  end.assign(state.data(), state.data() + space.info().state_size);
  return ReplayEnd::kVerified;
}

std::vector<ClaimRefuted> CheckClaims(const SearchRequest& request, const Solution& solution, Runner& runner,
                                      bool& complete, std::string& why) {
  const StateSpace& space = *request.space;
  struct Claim {
    const Evaluator* evaluator;
    bool backward;  // estimates the cost from the start
  };
  std::vector<Claim> claiming;
  for (const EvaluatorUse& use : request.evaluators) {
    if (use.evaluator->info().admissible) claiming.push_back({use.evaluator, false});
  }
  for (const EvaluatorUse& use : request.reversed_evaluators) {
    if (use.evaluator->info().admissible) claiming.push_back({use.evaluator, true});
  }
  std::vector<ClaimRefuted> refuted;
  complete = true;
  MemoryAccount unlimited;
  const Block state(unlimited, StateStride(space.info()));
  space.InitialState(state.data());
  Cost remaining = solution.cost;
  for (size_t i = 0; !claiming.empty(); ++i) {
    if (i % kStepsBetweenChecks == 0 && runner.StopRequested()) {
      complete = false;
      break;
    }
    std::erase_if(claiming, [&](const Claim& claim) {
      const EvaluatorCalls& calls = claim.evaluator->calls();
      const std::string& id = claim.evaluator->id();
      const Cost h = calls.eval(calls.context, state.data());
      const Cost truth = claim.backward ? solution.cost - remaining : remaining;
      if (h < 0) why = "the heuristic " + id + " gave a negative h: " + std::to_string(h);
      if (h <= truth) return false;
      refuted.push_back(
          {id, claim.backward ? "admissible backward" : "admissible", space.RenderState(state.data()), h, truth});
      return true;
    });
    if (i == solution.path.size()) break;
    remaining -= space.ApplyInPlace(state.data(), solution.path[i]).value_or(0);
  }
  return refuted;
}

}  // namespace astrolabe::engine
