#include "daemon/engine/local/local_search.h"

namespace astrolabe::engine {

// Until solved: the restarts that are left are negative, and never 0.
SearchEnd LocalSearch::Search(Runner& runner) {
  walk_.emplace(task_, options_, runner, climber_->Open(task_, runner));
  for (int64_t left = options_.restarts;; --left) {
    if (!walk_->Begin()) return walk_->end();
    switch (walk_->Finish(walk_->solved() ? ClimbEnd::kSolved : climber_->Climb(*walk_))) {
      case ClimbEnd::kFailed:
        return walk_->end();
      case ClimbEnd::kSolved:
        if (options_.stop_at_solution) return SearchEnd::kSolved;
        break;
      case ClimbEnd::kStuck:
        break;
    }
    if (left == 0) return walk_->best_is_solution() ? SearchEnd::kSolved : SearchEnd::kStuck;
    if (!runner.MayExpand()) return SearchEnd::kStopped;  // climbs may be without a step
  }
}

Gauges LocalSearch::Observe() const {
  Gauges gauges;
  if (walk_ && walk_->has_best()) gauges.best_h = walk_->best_objective();
  return gauges;
}

std::optional<LocalAnswer> LocalSearch::local_answer() const {
  LocalAnswer answer;
  if (!walk_) return answer;
  answer.statistics = walk_->statistics();
  answer.stuck_by = walk_->stuck_by();
  if (!walk_->has_best()) return answer;
  answer.objective = walk_->best_objective();
  answer.solution = walk_->best_is_solution();
  answer.state.resize(task_.space.info().state_size);
  // States are aligned as the problem asked.
  walk_->CopyBest(answer.state.data());
  return answer;
}

}  // namespace astrolabe::engine
