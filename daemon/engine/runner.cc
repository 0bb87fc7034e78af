#include "daemon/engine/runner.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace astrolabe::engine {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kFirstBudget = 1;
constexpr std::chrono::milliseconds kGrace{50};
constexpr std::chrono::nanoseconds kCheckInterval = std::chrono::milliseconds(5);

uint64_t LimitOr(int64_t limit) { return limit > 0 ? static_cast<uint64_t>(limit) : kNoLimit; }

}  // namespace

Runner::Runner(const SearchRequest& request, SearchObserver& observer, const StopToken& stop,
               const MemoryAccount& memory, Solutions& solutions)
    : limits_(request.limits),
      observer_(observer),
      stop_(stop),
      memory_(memory),
      solutions_(&solutions),
      progress_interval_(request.progress_interval),
      expand_limit_(LimitOr(request.limits.max_expansions)),
      generate_limit_(LimitOr(request.limits.max_generated)) {
  started_at_ = reported_at_ = checked_at_ = Clock::now();
}

bool Runner::Stop(StopReason reason) {
  if (stop_reason_ == StopReason::kNone) stop_reason_ = reason;
  expand_check_ = 0;
  return false;
}

SearchEnd Runner::Break(std::string what) {
  if (broken_.empty()) broken_ = std::move(what);
  return SearchEnd::kBroken;
}

SearchEnd Runner::Refuse(std::string why) {
  refused_ = std::move(why);
  return SearchEnd::kRefused;
}

bool Runner::LastSolution() {
  grace_end_ = Clock::now() + kGrace;
  const bool good = solutions_->Take();
  grace_end_ = Clock::time_point{};
  return good;
}

bool Runner::StopRequested() {
  if (grace_end_ != Clock::time_point{} && Clock::now() < grace_end_) return false;
  switch (stop_.cause()) {
    case StopCause::kNone:
      break;
    case StopCause::kCancel:
      return !Stop(StopReason::kCancel);
    case StopCause::kInterrupt:
      return !Stop(StopReason::kInterrupt);
    case StopCause::kWallTime:
      return !Stop(StopReason::kWallTime);
  }
  if (limits_.deadline && Clock::now() >= *limits_.deadline) return !Stop(StopReason::kWallTime);
  return false;
}

bool Runner::Check() {
  if (stop_reason_ != StopReason::kNone) return false;
  if (expanded_ >= expand_limit_) return Stop(StopReason::kExpansions);
  return Poll(Clock::now());
}

// The clock, the token and the observer; then the next budget.
bool Runner::Poll(Clock::time_point now) {
  if (StopRequested()) return false;
  if (sink_refused_) return Stop(StopReason::kCancel);
  if (now - reported_at_ >= progress_interval_) Report(now);
  SetBudget(now);
  return true;
}

void Runner::SetBudget(Clock::time_point now) {
  const uint64_t done = expanded_ - checked_expanded_;
  if (budget_ == 0) {
    budget_ = kFirstBudget;
  } else if (done > 0) {
    const double elapsed = std::max<double>(static_cast<double>((now - checked_at_).count()), 1);
    const double fitting = static_cast<double>(done) * static_cast<double>(kCheckInterval.count()) / elapsed;
    budget_ = static_cast<uint64_t>(std::clamp(fitting, 1.0, 4.0 * static_cast<double>(budget_)));
  }
  checked_expanded_ = expanded_;
  checked_at_ = now;
  const uint64_t left = expand_limit_ - expanded_;
  expand_check_ = expanded_ + std::min(budget_, left);
}

void Runner::Report(Clock::time_point now) {
  Progress progress;
  // A repeated kernel call drops its counts: what was shown stays.
  progress.expanded = std::max(static_cast<int64_t>(expanded_), reported_expanded_);
  progress.generated = std::max(static_cast<int64_t>(generated_), reported_generated_);
  const double seconds = std::chrono::duration<double>(now - reported_at_).count();
  if (seconds > 0) {
    progress.expanded_per_second = static_cast<double>(progress.expanded - reported_expanded_) / seconds;
    progress.generated_per_second = static_cast<double>(progress.generated - reported_generated_) / seconds;
  }
  progress.f_bound = lower_bound_;
  progress.incumbent = incumbent_;
  progress.memory_bytes = memory_.used_bytes();
  if (watched_ != nullptr) {
    const Gauges gauges = watched_->Observe();
    progress.open = gauges.open;
    progress.stored = gauges.stored;
    progress.best_h = gauges.best_h;
  }
  reported_at_ = now;
  reported_expanded_ = progress.expanded;
  reported_generated_ = progress.generated;
  observer_.OnProgress(progress);
}

void Runner::BeginIteration(Cost bound) {
  RaiseLowerBound(bound);
  iteration_ = IterationStats{};
  iteration_.bound = bound;
  iteration_expanded_ = expanded_;
  iteration_generated_ = generated_;
  iteration_at_ = Clock::now();
  in_iteration_ = true;
}

void Runner::EndIteration() {
  if (!in_iteration_) return;
  in_iteration_ = false;
  iteration_.expanded = static_cast<int64_t>(expanded_ - iteration_expanded_);
  iteration_.generated = static_cast<int64_t>(generated_ - iteration_generated_);
  iteration_.time = Clock::now() - iteration_at_;
  statistics_.iterations.push_back(iteration_);
  observer_.OnIteration(iteration_);
}

void Runner::BeginKernel(KernelControl& control) {
  kernel_expanded_ = expanded_;
  kernel_generated_ = generated_;
  control.expand_limit = expand_check_ > expanded_ ? expand_check_ - expanded_ : 0;
  control.generate_limit = generate_limit_ - kernel_generated_;
}

bool Runner::counts_are_limited() const { return expand_limit_ != kNoLimit || generate_limit_ != kNoLimit; }

bool Runner::PollKernel(KernelControl& control, uint64_t expanded, uint64_t generated) {
  expanded_ = std::max(expanded_, kernel_expanded_ + expanded);
  generated_ = std::max(generated_, kernel_generated_ + generated);
  if (!MayGenerate() || !MayExpand()) return false;
  control.expand_limit = expand_check_ - kernel_expanded_;
  control.generate_limit = generate_limit_ - kernel_generated_;
  return true;
}

void Runner::EndKernel(uint64_t expanded, uint64_t generated, bool keep) {
  expanded_ = kernel_expanded_ + (keep ? expanded : 0);
  generated_ = kernel_generated_ + (keep ? generated : 0);
  checked_expanded_ = std::min(checked_expanded_, expanded_);
}

void Runner::FinishSearch() {
  EndIteration();
  statistics_.expanded = static_cast<int64_t>(expanded_);
  statistics_.generated = static_cast<int64_t>(generated_);
  statistics_.peak_memory_bytes = memory_.peak_bytes();
  statistics_.search_time = Clock::now() - started_at_;
  if (watched_ == nullptr) return;
  const Gauges gauges = watched_->Observe();
  statistics_.stored = gauges.stored;
  statistics_.max_open = gauges.max_open;
}

}  // namespace astrolabe::engine
