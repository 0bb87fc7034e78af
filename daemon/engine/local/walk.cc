#include "daemon/engine/local/walk.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

Walk::Walk(const Task& task, const LocalOptions& options, Runner& runner, std::unique_ptr<Neighbourhood> neighbourhood)
    : task_(task),
      options_(options),
      runner_(runner),
      problem_(task.space.calls()),
      goal_test_(!task.space.info().no_goal_test),
      neighbourhood_(std::move(neighbourhood)),
      events_(task.space, task.sink, runner),
      random_(task.seed),
      start_(task.memory, StateStride(task.space.info())) {
  if (!events_.enabled()) return;
  previous_ = Block(task.memory, StateStride(task.space.info()));
  neighbour_ = Block(task.memory, StateStride(task.space.info()));
}

bool Walk::Begin() {
  if (statistics_.climbs == 0 && !task_.space.info().no_start) {
    task_.space.InitialState(start_.data());
  } else {
    task_.space.RandomState(random_.Next(), start_.data());
  }
  ++statistics_.climbs;
  solved_ = false;
  stuck_by_ = StuckBy::kLocalOptimum;
  steps_ = 0;
  if (!neighbourhood_->Bind(start_.data())) return false;
  climb_best_ = objective();
  if (statistics_.climbs == 1) runner_.statistics().initial_h = objective();
  if (!has_best_ || objective() < best_objective_) Save();
  if (events_.enabled()) RecordStart(start_.data());
  if (IsGoodEnough(start_.data())) Solved();
  return true;
}

bool Walk::Meet(const std::byte* state) {
  if (!neighbourhood_->Bind(state)) return false;
  if (objective() < climb_best_) climb_best_ = objective();
  if (objective() < best_objective_ && !best_is_solution_) Save();
  return true;
}

bool Walk::BeginAt(const std::byte* state) {
  if (!Meet(state)) return false;
  ForgetStep();  // it is told when it is looked at
  if (IsGoodEnough(state)) Solved();
  return true;
}

ClimbEnd Walk::Finish(ClimbEnd end) {
  statistics_.steps += steps_;
  if (end == ClimbEnd::kFailed) return end;
  if (end == ClimbEnd::kStuck && goal_test_ && !neighbourhood_->state_is_at_hand() &&
      IsGoodEnough(neighbourhood_->State())) {
    Solved();
  }
  if (solved_) {
    ++statistics_.solved;
    statistics_.steps_solved += steps_;
    return ClimbEnd::kSolved;
  }
  ++statistics_.stuck;
  statistics_.steps_stuck += steps_;
  if (events_.enabled()) Record(NodeKind::kClosing);
  return ClimbEnd::kStuck;
}

bool Walk::Arrive(Cost change) {
  ++steps_;
  if (change >= 0) ++(change == 0 ? statistics_.sideways_steps : statistics_.worsening_steps);
  const Cost now = objective();
  if (now < climb_best_) climb_best_ = now;
  if (now < best_objective_ && !best_is_solution_) Save();
  // State() may have to be made.
  if (now <= options_.target || (goal_test_ && GoalTestIsDue() && IsGoodEnough(neighbourhood_->State()))) Solved();
  return true;
}

bool Walk::Jump(const std::byte* state, Cost before) {
  ForgetStep();
  return neighbourhood_->Bind(state) && Arrive(objective() - before);
}

bool Walk::IsGoodEnough(const std::byte* state) {
  if (objective() <= options_.target) return true;
  return goal_test_ && problem_.is_goal(problem_.problem, state) != 0;
}

void Walk::Solved() {
  solved_ = true;
  if (!best_is_solution_ || objective() < best_objective_) {
    best_is_solution_ = true;
    Save();
  }
  if (events_.enabled()) Record(NodeKind::kGoal);
}

void Walk::Save() {
  neighbourhood_->SaveBest();
  best_objective_ = objective();
  has_best_ = true;
}

void Walk::RememberStep(uint64_t move) {
  std::memcpy(previous_.data(), neighbourhood_->State(), task_.space.info().state_size);
  has_previous_ = true;
  last_op_ = neighbourhood_->OpOf(move);
  last_step_ = neighbourhood_->StepOf(move);
}

void Walk::ForgetStep() {
  has_previous_ = false;
  last_op_ = kNoOp;
  last_step_.reset();
}

void Walk::RecordStart(const std::byte* state) {
  ForgetStep();
  recorded_steps_ = -1;
  events_.Record(statistics_.climbs == 1 ? NodeKind::kSource : NodeKind::kRestart, state, nullptr, kNoOp, 0,
                 objective(), 0);
}

// A state that is looked at again, because no step was taken, is told once.
void Walk::RecordLook() {
  if (recorded_steps_ == steps_) return;
  recorded_steps_ = steps_;
  Record(NodeKind::kExpanding);
}

void Walk::Record(NodeKind kind) {
  if (!events_.Wants(kind)) return;
  events_.Record(kind, neighbourhood_->State(), has_previous_ ? previous_.data() : nullptr, last_op_, 0, objective(),
                 steps_, last_step_ ? &*last_step_ : nullptr);
}

void Walk::RecordNeighbours(uint64_t first, std::span<const Cost> changes) {
  // Making the state of a neighbour may take a millisecond.
  const size_t between_looks = std::max<size_t>(1, (size_t{1} << 20) / task_.space.info().state_size);
  for (size_t i = 0; i < changes.size(); ++i) {
    const uint64_t move = first + i;
    if (i % between_looks == between_looks - 1 && !runner_.LookAround()) {
      Stopped();
      return;
    }
    if (neighbourhood_->IsPresent(move)) continue;
    const bool dead_end = !neighbourhood_->Leads(changes[i]);
    neighbourhood_->Neighbour(move, neighbour_.data());
    const std::optional<FactoredStep> step = neighbourhood_->StepOf(move);
    events_.Record(dead_end ? NodeKind::kDeadEnd : NodeKind::kGenerating, neighbour_.data(), neighbourhood_->State(),
                   neighbourhood_->OpOf(move), 0, dead_end ? kInfinity : objective() + changes[i], steps_ + 1,
                   step ? &*step : nullptr);
  }
}

}  // namespace astrolabe::engine
