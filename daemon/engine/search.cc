#include "daemon/engine/search.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "daemon/engine/algorithms/registry.h"
#include "daemon/engine/evaluator_set.h"
#include "daemon/engine/local_result.h"
#include "daemon/engine/params.h"
#include "daemon/engine/replay.h"
#include "daemon/engine/request_check.h"
#include "daemon/engine/result_text.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

// One search, from the algorithm's start to the checked result.
class Search final : private Runner::Solutions {
 public:
  Search(const SearchRequest& request, int algorithm, Params params, Solvable solvable, SearchObserver& observer,
         const StopToken& stop)
      : request_(request),
        params_(std::move(params)),
        observer_(observer),
        heuristics_(request.evaluators, request.combine),
        reversed_heuristics_(request.reversed_evaluators, request.combine),
        memory_(request.limits.max_memory_bytes),
        task_{.space = *request.space,
              .evaluator = heuristics_.evaluator(),
              .single = heuristics_.single(),
              .admissible =
                  heuristics_.admissible() && (request.reversed == nullptr || reversed_heuristics_.admissible()),
              .solvable = solvable,
              .max_cost = request.limits.max_cost,
              .tier = request.tier,
              .sink = request.sink != nullptr && request.sink->wanted != 0 ? request.sink : nullptr,
              .params = params_,
              .memory = memory_,
              .seed = request.seed,
              .reversed = request.reversed,
              .reversed_evaluator = &reversed_heuristics_.evaluator(),
              .thread_evaluators = ThreadEvaluators(algorithm),
              .thread_starter = request.thread_starter},
        algorithm_index_(algorithm),
        runner_(request, observer, stop, memory_, *this) {
    if (task_.admissible) runner_.TrustHeuristics();
  }

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
    const bool local = Algorithms()[static_cast<size_t>(algorithm_index_)].local;
    if (out_of_memory && !local) AskForFirstBound();
    runner_.FinishSearch();
    result.statistics = std::move(runner_.statistics());
    if (algorithm_ != nullptr) {
      result.tier = algorithm_->tier();
      result.solution_count = algorithm_->solution_count();
    }
    if (local) return FinishLocal(result, end, out_of_memory);
    if (bounds_hold()) result.lower_bound = runner_.lower_bound();
    if (out_of_memory) {
      // Room for the answer itself.
      runner_.Watch(nullptr);
      guarantee_ = algorithm_ != nullptr ? algorithm_->guarantee() : Guarantee{};
      algorithm_.reset();
      if (best_) ReportBest(result, false);
      return SetOutOfMemory(result);
    }
    guarantee_ = algorithm_->guarantee();
    switch (end) {
      case SearchEnd::kSolved:
        return best_ ? ReportBest(result, true) : Finish(result);
      case SearchEnd::kStuck:  // of local search
      case SearchEnd::kExhausted:
        return Exhausted(result);
      case SearchEnd::kStopped:
        if (best_) ReportBest(result, false);
        return SetStopped(result, runner_.stop_reason(), request_.limits);
      case SearchEnd::kBroken:
        NameBrokenHeuristic(result);
        return SetBroken(result, runner_.broken());
      case SearchEnd::kRefused:
        return SetRefused(result, request_.algorithm, runner_.refused());
    }
  }

  // A search that had no memory for its first node has not asked for h of it: a lower bound all the same.
  void AskForFirstBound() {
    if (!task_.admissible || !Algorithms()[static_cast<size_t>(algorithm_index_)].needs_heuristic) return;
    if (runner_.lower_bound() > 0) return;
    try {
      MemoryAccount unlimited(0);
      const Block state(unlimited, StateStride(task_.space.info()));
      task_.space.InitialState(state.data());
      const EvaluatorCalls& h = task_.evaluator.calls();
      if (const Cost first = h.eval(h.context, state.data()); first >= 0) runner_.SetInitialH(first);
    } catch (const std::bad_alloc&) {
      // Then nothing is known, and the bound stays 0.
    }
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

  // A solution that was replayed, and what that showed.
  struct Checked {
    Solution solution;
    std::vector<std::byte> final_state;
    std::vector<ClaimRefuted> refuted;
    bool complete = false;  // all claims were looked at
  };

  // Extracts, replays, looks at the claims. On kBroken `why` says what is wrong.
  ReplayEnd Check(Checked& checked, std::string& why) {
    if (!algorithm_->Extract(runner_, checked.solution)) {
      why = runner_.broken();
      return ReplayEnd::kBroken;
    }
    const ReplayEnd end = Replay(*request_.space, checked.solution, runner_, checked.final_state, why);
    if (end != ReplayEnd::kVerified) return end;
    checked.complete = true;
    // A constructed path may have millions of states, and nothing rests on what a heuristic says of them.
    if (!guarantee().uses_heuristics) return ReplayEnd::kVerified;
    checked.refuted = CheckClaims(request_, checked.solution, runner_, checked.complete, why);
    return why.empty() ? ReplayEnd::kVerified : ReplayEnd::kBroken;
  }

  // The first solution is the last.
  void Finish(SearchResult& result) {
    const auto start = Runner::Clock::now();
    observer_.OnFinishing();
    Checked checked;
    std::string why;
    const ReplayEnd end = Check(checked, why);
    if (end == ReplayEnd::kVerified) {
      const bool complete = checked.complete;
      Report(result, std::move(checked), true);
      if (!complete) SetStopped(result, runner_.stop_reason(), request_.limits);
      Tell(result);
    }
    if (end == ReplayEnd::kStopped) SetStopped(result, runner_.stop_reason(), request_.limits);
    if (end == ReplayEnd::kBroken) SetBroken(result, why);
    result.statistics.extract_time = Runner::Clock::now() - start;
  }

  // A local search: the best state is the answer.
  void FinishLocal(SearchResult& result, SearchEnd end, bool out_of_memory) {
    const auto start = Runner::Clock::now();
    observer_.OnFinishing();
    std::optional<LocalAnswer> answer;
    if (algorithm_ != nullptr) answer = algorithm_->local_answer();
    runner_.Watch(nullptr);
    if (out_of_memory) algorithm_.reset();  // room for the answer itself
    std::string broken;
    if (answer) broken = ReportLocal(request_, heuristics_.evaluator(), std::move(*answer), result);
    if (end == SearchEnd::kBroken) broken = runner_.broken();
    if (!broken.empty()) {
      NameBrokenHeuristic(result);
      SetBroken(result, broken);
    } else if (out_of_memory) {
      SetOutOfMemory(result);
    } else if (end == SearchEnd::kStopped) {
      SetStopped(result, runner_.stop_reason(), request_.limits);
    }
    result.statistics.extract_time = Runner::Clock::now() - start;
  }

  // The best of several, which were checked when they were found.
  void ReportBest(SearchResult& result, bool finished) {
    const auto start = Runner::Clock::now();
    observer_.OnFinishing();
    Report(result, std::move(*best_), finished);
    if (result.lower_bound != told_bound_) Tell(result);
    result.statistics.extract_time = Runner::Clock::now() - start;
  }

  // `finished`: the algorithm's guarantee holds for it.
  void Report(SearchResult& result, Checked checked, bool finished) {
    result.refuted_claims = std::move(checked.refuted);
    result.outcome = Outcome::kSolved;
    result.cost = checked.solution.cost;
    result.path = std::move(checked.solution.path);
    result.final_state = std::move(checked.final_state);
    result.has_path = true;
    result.verified = true;
    SetProof(result, checked.complete, finished);
    result.explanation = Explain(result, checked.complete);
    const std::string note = algorithm_ != nullptr ? algorithm_->note() : "";
    if (!note.empty()) result.explanation += " " + note;
  }

  void Tell(const SearchResult& result) {
    observer_.OnImprovement({.cost = *result.cost,
                             .lower_bound = result.lower_bound,
                             .bound_factor = result.bound_factor,
                             .length = static_cast<int64_t>(result.path.size())});
  }

  // Runner::Solutions.
  bool Take() override {
    Checked checked;
    std::string why;
    switch (Check(checked, why)) {
      case ReplayEnd::kStopped:  // at its next question the algorithm hears of it
        return true;
      case ReplayEnd::kBroken:
        runner_.Break(why);
        return false;
      case ReplayEnd::kVerified:
        break;
    }
    if (best_ && best_->solution.cost <= checked.solution.cost) return true;
    best_ = std::move(checked);
    runner_.SetIncumbent(best_->solution.cost);
    told_bound_.reset();
    TellBound();
    return true;
  }
  void TellBound() override {
    const Cost cost = best_->solution.cost;
    Improvement improvement{.cost = cost,
                            .lower_bound = std::nullopt,
                            .bound_factor = 0,
                            .length = static_cast<int64_t>(best_->solution.path.size())};
    if (bounds_hold() && best_->refuted.empty()) {
      const Cost bound = std::min(cost, runner_.lower_bound());
      if (told_bound_ == bound) return;
      told_bound_ = improvement.lower_bound = bound;
      if (bound > 0) improvement.bound_factor = static_cast<double>(cost) / static_cast<double>(bound);
      if (bound == cost) improvement.bound_factor = 1;
    }
    observer_.OnImprovement(improvement);
  }

  void NameBrokenHeuristic(SearchResult& result) const {
    const auto take = [&result](const EvaluatorSet& set) {
      if (const std::string* id = set.broken(); id != nullptr) result.broken_heuristic = *id;
    };
    take(heuristics_);
    take(reversed_heuristics_);
    for (const auto& set : thread_heuristics_) take(*set);
  }

  // Of as many threads as the algorithm can use.
  std::span<const Evaluator* const> ThreadEvaluators(int algorithm) {
    each_thread_.push_back(&heuristics_.evaluator());
    if (Algorithms()[static_cast<size_t>(algorithm)].uses_threads && request_.thread_starter != nullptr) {
      for (const std::vector<EvaluatorUse>& uses : request_.thread_evaluators) {
        thread_heuristics_.push_back(std::make_unique<EvaluatorSet>(uses, request_.combine));
        each_thread_.push_back(&thread_heuristics_.back()->evaluator());
      }
    }
    return each_thread_;
  }

  // The bounds that the algorithm reports, and its guarantee, may be believed.
  bool bounds_hold() const { return task_.admissible || !guarantee().needs_admissible; }
  Guarantee guarantee() const { return algorithm_ != nullptr ? algorithm_->guarantee() : guarantee_; }

  void SetProof(SearchResult& result, bool complete, bool finished) const {
    result.proof = Proof::kFeasible;
    result.bound_factor = 0;
    result.lower_bound.reset();
    const Guarantee promised = guarantee();
    const bool refuted = promised.needs_admissible && !result.refuted_claims.empty();
    if (!complete || refuted || !bounds_hold()) return;
    const Cost cost = *result.cost;
    Cost bound = std::min(cost, runner_.lower_bound());
    if (finished && promised.kind == Guarantee::kLeast) bound = cost;
    result.lower_bound = bound;
    if (bound == cost) {
      result.proof = Proof::kOptimal;
      result.bound_factor = 1;
    } else if (promised.kind != Guarantee::kNothing && bound > 0) {
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
    if (guarantee().kind == Guarantee::kNothing) {
      return "A solution of cost " + cost + "; the algorithm does not look for the cheapest.";
    }
    return "A solution of cost " + cost +
           ", not proven optimal: the heuristics and their weights do not promise to be admissible.";
  }

  const SearchRequest& request_;
  const Params params_;
  SearchObserver& observer_;
  const EvaluatorSet heuristics_;
  const EvaluatorSet reversed_heuristics_;
  std::vector<std::unique_ptr<EvaluatorSet>> thread_heuristics_;
  std::vector<const Evaluator*> each_thread_;
  MemoryAccount memory_;
  const Task task_;
  const int algorithm_index_;
  Runner runner_;
  std::unique_ptr<Algorithm> algorithm_;
  Guarantee guarantee_;  // of the algorithm when it is gone
  std::optional<Checked> best_;
  std::optional<Cost> told_bound_;
};

void RunChecked(const SearchRequest& request, SearchObserver& observer, const StopToken& stop, SearchResult& result) {
  const int algorithm = FindAlgorithm(request.algorithm);
  Params params = CheckRequest(request, algorithm, result.violations);
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
  const auto search = std::make_shared<Search>(request, algorithm, std::move(params), answer.solvable, observer, stop);
  search->Run(result);
  result.remains = search;
  const AlgorithmDescription& row = Algorithms()[static_cast<size_t>(algorithm)];
  const bool cut_off = result.outcome == Outcome::kLimitReached && result.limit != LimitKind::kCost;
  if (cut_off && !result.has_path && !row.local && !row.needs_construct && request.space->HasConstruct()) {
    AdviseConstruction(result, request.space->info());
  }
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
