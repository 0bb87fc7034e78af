#include "daemon/engine/search.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "daemon/engine/algorithms/registry.h"
#include "daemon/engine/evaluator_set.h"
#include "daemon/engine/params.h"
#include "daemon/engine/replay.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {
namespace {

void CheckRequest(const SearchRequest& request, int algorithm, std::vector<Violation>& violations) {
  if (algorithm < 0) {
    std::string known;
    for (const AlgorithmDescription& row : Algorithms()) known += (known.empty() ? "" : ", ") + row.id;
    violations.push_back({"algorithm", "\"" + request.algorithm + "\" is not known", "one of " + known, ""});
  }
  const SpaceInfo& info = request.space->info();
  if (info.max_ops == 0) {
    violations.push_back({"algorithm", "needs the operators of a state one by one, which this problem does not list",
                          "a local search algorithm", ""});
  }
  if (info.state_size == 0 || info.state_align == 0 || info.state_align > Block::kAlign ||
      (info.state_align & (info.state_align - 1)) != 0 || info.cost_scale < 1) {
    violations.push_back({"problem", "describes its states wrongly",
                          "a positive size, an alignment that is a power of two up to 64, a positive cost scale", ""});
  }
  if (algorithm >= 0 && Algorithms()[static_cast<size_t>(algorithm)].counts_operators && request.limits.max_cost &&
      !info.unit_cost) {
    violations.push_back({"limits.max_cost", "cannot be kept by " + request.algorithm + ", which counts operators",
                          "no max_cost, or an algorithm that goes by costs, such as uniform_cost", ""});
  }
  EvaluatorSet::Check(request, violations);
}

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
  const auto limit = [&result](LimitKind kind, std::string explanation) {
    result.outcome = Outcome::kLimitReached;
    result.limit = kind;
    result.explanation = std::move(explanation);
  };
  switch (reason) {
    case StopReason::kNone:
    case StopReason::kCancel:
      result.outcome = Outcome::kCancelled;
      result.explanation = "The search was cancelled.";
      return;
    case StopReason::kInterrupt:
      result.outcome = Outcome::kInterrupted;
      result.explanation = "The search was interrupted because the server is shutting down.";
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

// One search, from the algorithm's start to the checked result.
class Search {
 public:
  Search(const SearchRequest& request, int algorithm, const Params& params, Solvable solvable, SearchObserver& observer,
         const StopToken& stop)
      : request_(request),
        observer_(observer),
        heuristics_(request),
        memory_(request.limits.max_memory_bytes),
        task_{.space = *request.space,
              .evaluator = heuristics_.evaluator(),
              .single = heuristics_.single(),
              .admissible = heuristics_.admissible(),
              .solvable = solvable,
              .max_cost = request.limits.max_cost,
              .tier = request.tier,
              .sink = request.sink != nullptr && request.sink->wanted != 0 ? request.sink : nullptr,
              .params = params,
              .memory = memory_},
        algorithm_index_(algorithm),
        runner_(request, observer, stop, memory_) {}

  void Run(SearchResult& result) {
    bool out_of_memory = false;
    SearchEnd end = SearchEnd::kStopped;
    try {
      algorithm_ = MakeAlgorithm(algorithm_index_, task_);
      runner_.Watch(algorithm_.get());
      end = algorithm_->Search(runner_);
    } catch (const std::bad_alloc&) {
      out_of_memory = true;
    }
    runner_.FinishSearch();
    result.statistics = std::move(runner_.statistics());
    if (algorithm_ != nullptr) result.tier = algorithm_->tier();
    if (bounds_hold()) result.lower_bound = runner_.lower_bound();
    if (out_of_memory) {
      // Room for the answer itself.
      runner_.Watch(nullptr);
      algorithm_.reset();
      return OutOfMemory(result);
    }
    switch (end) {
      case SearchEnd::kSolved:
        return Finish(result);
      case SearchEnd::kExhausted:
        return Exhausted(result);
      case SearchEnd::kStopped:
        return SetStopped(result, runner_.stop_reason(), request_.limits);
      case SearchEnd::kBroken:
        return SetBroken(result, runner_.broken());
    }
  }

  void OutOfMemory(SearchResult& result) {
    result.outcome = Outcome::kLimitReached;
    result.limit = LimitKind::kMemory;
    result.explanation = "The memory limit was reached.";
  }

 private:
  void Exhausted(SearchResult& result) {
    if (runner_.cost_cut()) {
      result.outcome = Outcome::kLimitReached;
      result.limit = LimitKind::kCost;
      const Cost least = *request_.limits.max_cost == kInfinity ? kInfinity : *request_.limits.max_cost + 1;
      result.lower_bound = std::max(least, result.lower_bound.value_or(0));
      result.explanation =
          "There is no solution that costs at most " + CostText(*request_.limits.max_cost, *request_.space) + ".";
      return;
    }
    result.outcome = Outcome::kUnsolvable;
    result.proof = Proof::kUnsolvableExhausted;
    result.lower_bound.reset();
    result.explanation = "There is no solution: everything that can be reached was searched.";
  }

  void Finish(SearchResult& result) {
    const auto start = Runner::Clock::now();
    observer_.OnFinishing();
    Solution solution;
    std::string why;
    ReplayEnd end = ReplayEnd::kBroken;
    if (algorithm_->Extract(runner_, solution)) {
      end = Replay(*request_.space, solution, runner_, why);
    } else {
      why = runner_.broken();
    }
    if (end == ReplayEnd::kVerified) Report(result, std::move(solution));
    if (end == ReplayEnd::kStopped) SetStopped(result, runner_.stop_reason(), request_.limits);
    if (end == ReplayEnd::kBroken) SetBroken(result, why);
    result.statistics.extract_time = Runner::Clock::now() - start;
  }

  void Report(SearchResult& result, Solution solution) {
    std::string why;
    bool complete = true;
    result.refuted_claims = CheckClaims(request_, solution, runner_, complete, why);
    if (!why.empty()) return SetBroken(result, why);
    result.outcome = Outcome::kSolved;
    result.cost = solution.cost;
    result.path = std::move(solution.path);
    result.has_path = true;
    result.verified = true;
    SetProof(result, complete);
    result.explanation = Explain(result, complete);
    if (!complete) {
      SetStopped(result, runner_.stop_reason(), request_.limits);
    }
    observer_.OnImprovement({.cost = solution.cost,
                             .lower_bound = result.lower_bound,
                             .bound_factor = result.bound_factor,
                             .length = static_cast<int64_t>(result.path.size())});
  }

  // The bounds that the algorithm reports, and its guarantee, may be believed.
  bool bounds_hold() const {
    return task_.admissible || (algorithm_ != nullptr && !algorithm_->guarantee().needs_admissible);
  }

  void SetProof(SearchResult& result, bool complete) const {
    result.proof = Proof::kFeasible;
    result.bound_factor = 0;
    result.lower_bound.reset();
    const Guarantee guarantee = algorithm_->guarantee();
    const bool refuted = guarantee.needs_admissible && !result.refuted_claims.empty();
    if (!complete || refuted || !bounds_hold()) return;
    const Cost cost = *result.cost;
    Cost bound = std::min(cost, runner_.lower_bound());
    if (guarantee.kind == Guarantee::kLeast) bound = cost;
    result.lower_bound = bound;
    if (bound == cost) {
      result.proof = Proof::kOptimal;
      result.bound_factor = 1;
    } else if (guarantee.kind == Guarantee::kBounded && bound > 0) {
      result.proof = Proof::kBounded;
      result.bound_factor = static_cast<double>(cost) / static_cast<double>(bound);
    }
  }

  std::string Explain(const SearchResult& result, bool complete) const {
    const std::string cost = CostText(*result.cost, *request_.space);
    if (!result.refuted_claims.empty()) {
      const ClaimRefuted& claim = result.refuted_claims.front();
      return "A solution of cost " + cost + ", not proven optimal: the heuristic " + claim.heuristic +
             " claims to be admissible but estimates " + CostText(claim.h, *request_.space) +
             " for a state from which " + CostText(claim.remaining_cost, *request_.space) + " suffices.";
    }
    if (result.proof == Proof::kOptimal) return "An optimal solution: nothing costs less than " + cost + ".";
    if (!complete) return "A solution of cost " + cost + ".";
    if (result.proof == Proof::kBounded) {
      return "A solution of cost " + cost + "; none costs less than " + CostText(*result.lower_bound, *request_.space) +
             ".";
    }
    if (algorithm_->guarantee().kind == Guarantee::kNothing) {
      return "A solution of cost " + cost + "; the algorithm does not look for the cheapest.";
    }
    return "A solution of cost " + cost +
           ", not proven optimal: the heuristics and their weights do not promise to be admissible.";
  }

  const SearchRequest& request_;
  SearchObserver& observer_;
  const EvaluatorSet heuristics_;
  MemoryAccount memory_;
  const Task task_;
  const int algorithm_index_;
  Runner runner_;
  std::unique_ptr<Algorithm> algorithm_;
};

void RunChecked(const SearchRequest& request, SearchObserver& observer, const StopToken& stop, SearchResult& result) {
  const int algorithm = FindAlgorithm(request.algorithm);
  CheckRequest(request, algorithm, result.violations);
  Params params;
  if (algorithm >= 0) {
    params = CheckParams(Algorithms()[static_cast<size_t>(algorithm)].params, request.params, result.violations);
  }
  if (!result.violations.empty()) {
    result.outcome = Outcome::kRejected;
    result.explanation =
        "The request was refused: " + result.violations.front().field + " " + result.violations.front().message + ".";
    return;
  }
  const SolvableAnswer answer = request.space->IsSolvable();
  if (answer.solvable == Solvable::kNo) {
    result.outcome = Outcome::kUnsolvable;
    result.proof = Proof::kUnsolvableTheory;
    result.explanation = "There is no solution: " + answer.reason;
    return;
  }
  Search(request, algorithm, params, answer.solvable, observer, stop).Run(result);
}

}  // namespace

SearchResult RunSearch(const SearchRequest& request, SearchObserver& observer, const StopToken& stop) {
  SearchResult result;
  try {
    RunChecked(request, observer, stop, result);
  } catch (const std::bad_alloc&) {
    result.outcome = Outcome::kLimitReached;
    result.limit = LimitKind::kMemory;
    result.proof = Proof::kNone;
    result.explanation = "The memory limit was reached.";
  } catch (const std::exception& error) {
    SetBroken(result, std::string("an exception came out of a plugin: ") + error.what());
  }
  return result;
}

}  // namespace astrolabe::engine
