#include "daemon/engine/result_text.h"

#include <utility>

namespace astrolabe::engine {
namespace {

std::string SoFar(const SearchResult& result) {
  return result.has_path || result.objective ? " So far: " + result.explanation : "";
}

}  // namespace

std::string CostText(Cost cost, const StateSpace& space) {
  const Cost scale = space.info().cost_scale;
  return scale == 1 ? std::to_string(cost) : std::to_string(static_cast<double>(cost) / static_cast<double>(scale));
}

void SetBroken(SearchResult& result, const std::string& what) {
  result.outcome = Outcome::kPluginFailed;
  result.proof = Proof::kNone;
  result.lower_bound.reset();
  result.contract_violation = what;
  result.explanation = "A plugin broke its contract: " + what + ".";
}

void SetStopped(SearchResult& result, StopReason reason, const SearchLimits& limits) {
  const std::string so_far = SoFar(result);
  const auto limit = [&](LimitKind kind, std::string explanation) {
    result.outcome = Outcome::kLimitReached;
    result.limit = kind;
    result.explanation = std::move(explanation) + so_far;
  };
  switch (reason) {
    case StopReason::kNone:
    case StopReason::kCancel:
      result.outcome = Outcome::kCancelled;
      result.explanation = "The search was cancelled." + so_far;
      return;
    case StopReason::kInterrupt:
      result.outcome = Outcome::kInterrupted;
      result.explanation = "The search was interrupted because the server is shutting down." + so_far;
      return;
    case StopReason::kWallTime:
      return limit(LimitKind::kWallTime, "The time limit was reached.");
    case StopReason::kExpansions:
      return limit(LimitKind::kExpansions,
                   "The limit of " + std::to_string(limits.max_expansions) + " expanded nodes was reached.");
    case StopReason::kGenerated:
      return limit(LimitKind::kGenerated,
                   "The limit of " + std::to_string(limits.max_generated) + " generated nodes was reached.");
  }
}

void SetOutOfMemory(SearchResult& result) {
  result.outcome = Outcome::kLimitReached;
  result.limit = LimitKind::kMemory;
  result.explanation = "The memory limit was reached." + SoFar(result);
}

void AdviseConstruction(SearchResult& result, const SpaceInfo& info) {
  result.explanation += " The algorithm construct gives a solution at once, without search";
  // It goes from state to state by operators.
  if (info.max_ops > 0 && !info.no_start) result.explanation += ", and improve makes one cheaper for as long as it may";
  result.explanation += ".";
}

void SetRefused(SearchResult& result, const std::string& algorithm, const std::string& why) {
  result.outcome = Outcome::kRejected;
  result.lower_bound.reset();
  result.violations.push_back({"algorithm", algorithm + " cannot solve this instance: " + why, "",
                               "use an algorithm that searches, such as astar"});
  result.explanation = "The request was refused: " + result.violations.back().message + ".";
}

}  // namespace astrolabe::engine
