// Runner: what surrounds every algorithm: limits, the stop token, statistics, progress.
//
// The algorithm counts and asks:
//   if (!runner.MayExpand()) return SearchEnd::kStopped;
//   runner.CountExpanded();
// MayExpand is one comparison; every ~5 ms (a budget of nodes that adapts to their speed, one at first)
// it looks at the clock, the token and the observer. Counts never depend on that clock.
#ifndef ASTROLABE_DAEMON_ENGINE_RUNNER_H_
#define ASTROLABE_DAEMON_ENGINE_RUNNER_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/search.h"

namespace astrolabe::engine {

enum class StopReason { kNone, kCancel, kInterrupt, kWallTime, kExpansions, kGenerated };

class Runner {
 public:
  using Clock = std::chrono::steady_clock;

  // Who takes the solutions of an algorithm that improves on them.
  class Solutions {
   public:
    virtual ~Solutions() = default;
    virtual bool Take() = 0;
    virtual void TellBound() = 0;
  };

  // All outlive the runner.
  Runner(const SearchRequest& request, SearchObserver& observer, const StopToken& stop, const MemoryAccount& memory,
         Solutions& solutions);

  // The heuristics promise h <= true remaining cost.
  void TrustHeuristics() { trusts_h_ = true; }
  // Whom to ask for gauges when progress is due; null: nobody.
  void Watch(const Algorithm* algorithm) { watched_ = algorithm; }

  // --- asked and told by algorithms -------------------------------------------------------------------
  // False: stop at once.
  bool MayExpand() { return expanded_ < expand_check_ || Check(); }
  bool MayGenerate() { return generated_ < generate_limit_ || Stop(StopReason::kGenerated); }
  // How many more children may be generated, the limit kept exactly.
  uint64_t GenerationsLeft() const { return generate_limit_ - generated_; }
  // How many nodes may be expanded, and counted together afterwards, before this is asked again; 0: stop at once.
  uint64_t Credit() { return MayExpand() ? expand_check_ - expanded_ : 0; }
  void CountExpanded() { ++expanded_; }
  void CountGenerated(uint64_t n = 1) { generated_ += n; }
  void CountReopened(int64_t n = 1) { statistics_.reopened += n; }
  void CountDuplicate(int64_t n = 1) { statistics_.duplicates += n; }
  // h of the initial state, by the heuristics that the search uses. Where they can be trusted it is a lower bound.
  void SetInitialH(Cost h) {
    statistics_.initial_h = h;
    if (trusts_h_ && h != kInfinity) RaiseLowerBound(h);
  }
  // No solution costs less (if the claims hold). Kept as a maximum.
  void RaiseLowerBound(Cost bound) {
    if (bound > lower_bound_) lower_bound_ = bound;
  }
  void BeginIteration(Cost bound);
  void EndIteration();
  // A node was left out because of max_cost: what is exhausted now proves nothing about dearer solutions.
  void NoteCostCut() { cost_cut_ = true; }
  // For an algorithm that goes on after its first solution: Extract gives a better one now. It is replayed, told and
  // kept, and is the result when the search ends, however it ends. False: return kBroken at once.
  bool NewSolution() { return solutions_->Take(); }
  // The lower bound was raised while a solution is known.
  void NewBound() { solutions_->TellBound(); }
  // Ends the search; always false, for `return runner.Stop(...)`.
  bool Stop(StopReason reason);
  // A plugin broke its contract. Always kBroken.
  SearchEnd Break(std::string what);
  // This instance is not for the algorithm, and why. Always kRefused.
  SearchEnd Refuse(std::string why);
  // The sink refused an event: stop at the next check.
  void StopSoon() {
    sink_refused_ = true;
    expand_check_ = 0;
  }

  // --- searches on several threads: the thread that was called asks for all of them ---------------------
  // Looks at the clock, the token and the observer now. False: stop at once.
  bool LookAround() { return stop_reason_ == StopReason::kNone && Poll(Clock::now()); }
  // Modulo 2^64: what was counted in advance can be taken off.
  void Count(uint64_t expanded, uint64_t generated) {
    expanded_ += expanded;
    generated_ += generated;
  }
  uint64_t expanded() const { return expanded_; }
  uint64_t ExpansionsLeft() const { return expand_limit_ - expanded_; }
  // NewSolution for a search that was stopped: it is replayed all the same, if that takes no longer than 50 ms.
  bool LastSolution();

  // --- kernels -----------------------------------------------------------------------------------------
  // Counts of the running kernel call are given absolutely, from BeginKernel on.
  void BeginKernel(KernelControl& control);
  bool PollKernel(KernelControl& control, uint64_t expanded, uint64_t generated);
  // True when a number of nodes was set as a limit.
  bool counts_are_limited() const;
  // True when the search ends after a time or a number of nodes, whatever it does.
  bool is_limited() const { return counts_are_limited() || limits_.deadline.has_value(); }
  // keep false: the call is to be repeated, its counts are dropped.
  void EndKernel(uint64_t expanded, uint64_t generated, bool keep);

  // --- read by the front -------------------------------------------------------------------------------
  StopReason stop_reason() const { return stop_reason_; }
  bool cost_cut() const { return cost_cut_; }
  const std::string& broken() const { return broken_; }
  const std::string& refused() const { return refused_; }
  Cost lower_bound() const { return lower_bound_; }
  // True when a stop was asked for from outside; for the time after the search.
  bool StopRequested();
  void FinishSearch();
  // Shown with progress.
  void SetIncumbent(Cost cost) { incumbent_ = cost; }
  SearchStatistics& statistics() { return statistics_; }

 private:
  bool Check();
  bool Poll(Clock::time_point now);
  void Report(Clock::time_point now);
  void SetBudget(Clock::time_point now);

  const SearchLimits& limits_;
  SearchObserver& observer_;
  const StopToken& stop_;
  const MemoryAccount& memory_;
  Solutions* const solutions_;
  const std::chrono::milliseconds progress_interval_;
  const Algorithm* watched_ = nullptr;

  uint64_t expanded_ = 0;
  uint64_t generated_ = 1;  // the root
  uint64_t expand_check_ = 0;
  uint64_t expand_limit_;
  uint64_t generate_limit_;

  uint64_t budget_ = 0;
  uint64_t checked_expanded_ = 0;
  Clock::time_point checked_at_;

  uint64_t kernel_expanded_ = 0;  // before the running call
  uint64_t kernel_generated_ = 0;

  Cost lower_bound_ = 0;
  bool trusts_h_ = false;
  std::optional<Cost> incumbent_;
  bool sink_refused_ = false;
  bool cost_cut_ = false;
  Clock::time_point grace_end_{};  // stops are not looked at before
  StopReason stop_reason_ = StopReason::kNone;
  std::string broken_;
  std::string refused_;

  Clock::time_point started_at_;
  Clock::time_point reported_at_;
  int64_t reported_expanded_ = 0;
  int64_t reported_generated_ = 0;
  IterationStats iteration_;
  uint64_t iteration_expanded_ = 0;
  uint64_t iteration_generated_ = 0;
  Clock::time_point iteration_at_;
  bool in_iteration_ = false;
  SearchStatistics statistics_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_RUNNER_H_
