// Walk: what every local search does at every step: limits, counts, the goal test, the best state, node events. The
// algorithms see states through it.
//
//   while (!walk.solved()) {
//     if (walk.OutOfSteps()) return ClimbEnd::kStuck;
//     if (!walk.Look()) return ClimbEnd::kFailed;
//     ... walk.Changes(first) ...
//     if (!walk.Take(step)) return ClimbEnd::kFailed;
//   }
//
// Counts: `expanded` says how often a climb looked at neighbours of its state, whether it took a step then or not;
// `generated` how many neighbours were valued.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_WALK_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_WALK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/events.h"
#include "daemon/engine/local/neighbourhood.h"
#include "daemon/engine/local/options.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/random.h"

namespace astrolabe::engine {

enum class ClimbEnd { kSolved, kStuck, kFailed };  // kFailed: Walk::end() says why

class Walk {
 public:
  // All outlive it. Throws std::bad_alloc.
  Walk(const Task& task, const LocalOptions& options, Runner& runner, std::unique_ptr<Neighbourhood> neighbourhood);

  // --- climbs ------------------------------------------------------------------------------------------
  // To the start of the next climb. False: failed.
  [[nodiscard]] bool Begin();
  // The climb is over; gives what it came to: a state where it got stuck may be a goal.
  ClimbEnd Finish(ClimbEnd end);

  // --- in a climb --------------------------------------------------------------------------------------
  Cost objective() const { return neighbourhood_->objective(); }
  bool solved() const { return solved_; }
  bool OutOfSteps() {
    if (options_.steps == 0 || steps_ < options_.steps) return false;
    stuck_by_ = StuckBy::kSteps;
    return true;
  }
  // The algorithm ends the climb by its schedule, wherever the state is.
  void ScheduleIsOver() { stuck_by_ = StuckBy::kSchedule; }
  // Neighbours of the present state are about to be valued. False: the search is to stop.
  [[nodiscard]] bool Look() {
    if (!runner_.MayExpand()) return Stopped();
    runner_.CountExpanded();
    if (events_.enabled()) RecordLook();
    return true;
  }
  // To be asked every some thousand neighbours, where many are valued one by one. False: the search is to stop.
  [[nodiscard]] bool LookAround() { return runner_.LookAround() || Stopped(); }
  // As those of the neighbourhood.
  uint64_t Moves() { return neighbourhood_->Moves(); }
  std::span<const Cost> Changes(uint64_t first) {
    if (first != 0 && !LookAround()) return {};
    return Watch(first, neighbourhood_->Changes(first));
  }
  [[nodiscard]] bool Change(uint64_t move, Cost& change) {
    if (!neighbourhood_->Change(move, change)) return false;
    Watch(move, {&change, 1});
    return true;
  }
  // Neighbours were valued below, in the neighbourhood.
  std::span<const Cost> Watch(uint64_t first, std::span<const Cost> changes) {
    if (events_.WantsChildren()) RecordNeighbours(first, changes);
    return changes;
  }
  // False: failed.
  [[nodiscard]] bool Take(const Step& step) {
    if (events_.enabled()) RememberStep(step.move);
    return neighbourhood_->Take(step) && Arrive(step.change);
  }
  // Of a climb that begins with several states: one more of them, which is the present one now. False: failed.
  [[nodiscard]] bool Meet(const std::byte* state);
  // The climb goes on from that one of them. False: failed.
  [[nodiscard]] bool BeginAt(const std::byte* state);
  // `state`, the present one, ends the climb.
  bool IsGoodEnough(const std::byte* state);
  // A step to any state, from where the objective was `before`. False: failed.
  [[nodiscard]] bool Jump(const std::byte* state, Cost before);

  Neighbourhood& neighbourhood() { return *neighbourhood_; }
  Random& random() { return random_; }
  Runner& runner() { return runner_; }
  bool failed() const { return end() != SearchEnd::kExhausted; }
  SearchEnd end() const { return stopped_ ? SearchEnd::kStopped : neighbourhood_->end(); }
  int64_t steps() const { return steps_; }
  // Best objective of this climb.
  Cost climb_best() const { return climb_best_; }

  // --- of the search -----------------------------------------------------------------------------------
  const LocalStatistics& statistics() const { return statistics_; }
  bool has_best() const { return has_best_; }
  Cost best_objective() const { return best_objective_; }
  bool best_is_solution() const { return best_is_solution_; }
  StuckBy stuck_by() const { return stuck_by_; }
  // Precondition: has_best().
  void CopyBest(std::byte* out) const { neighbourhood_->CopyBest(out); }

 private:
  bool Arrive(Cost change);
  bool Stopped() {
    stopped_ = true;
    return false;
  }
  bool GoalTestIsDue() const { return neighbourhood_->state_is_at_hand() || neighbourhood_->objective() <= 0; }
  void Solved();
  void Save();
  void RememberStep(uint64_t move);
  void ForgetStep();
  void RecordStart(const std::byte* state);
  void RecordLook();
  void Record(NodeKind kind);
  void RecordNeighbours(uint64_t first, std::span<const Cost> changes);

  const Task& task_;
  const LocalOptions options_;
  Runner& runner_;
  const SpaceCalls problem_;
  const bool goal_test_;
  const std::unique_ptr<Neighbourhood> neighbourhood_;
  NodeEvents events_;
  Random random_;
  Block start_;

  bool stopped_ = false;
  bool solved_ = false;
  StuckBy stuck_by_ = StuckBy::kLocalOptimum;
  int64_t steps_ = 0;
  Cost climb_best_ = kInfinity;
  bool has_best_ = false;
  bool best_is_solution_ = false;
  Cost best_objective_ = kInfinity;
  LocalStatistics statistics_;

  // For events alone.
  Block previous_;
  Block neighbour_;
  Op last_op_ = kNoOp;
  std::optional<FactoredStep> last_step_;
  bool has_previous_ = false;
  int64_t recorded_steps_ = -1;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_WALK_H_
