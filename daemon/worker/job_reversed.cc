// JobRun: the problem with start and goal swapped, for algorithms that search from the goal too.
#include "daemon/worker/job_run.h"
#include "daemon/worker/problem_reverser.h"

namespace astrolabe::worker {

bool JobRun::Reverse() {
  if (algorithm_ == nullptr || !algorithm_->needs_reversed) return true;
  worker_.stage->Enter(problem_->plugin(), "reverse");
  DiagnosticCollector diagnostics("problem");
  auto made = ReverseProblem(*problem_, *problem_ref_, *problem_host_, diagnostics, control_);
  for (const std::string& note : diagnostics.notes()) result_.add_notes(note);
  if (auto* reversed = std::get_if<std::unique_ptr<AbiProblem>>(&made)) {
    reversed_ = std::move(*reversed);
    return !StoppedBetweenSteps();
  }
  const Refusal& refusal = std::get<Refusal>(made);
  if (refusal.kind != Refusal::Kind::kRejected) return End(refusal);
  no_reversed_ = refusal.violations.front().message();
  return !StoppedBetweenSteps();
}

}  // namespace astrolabe::worker
