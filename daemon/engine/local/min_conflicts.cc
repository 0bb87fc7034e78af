// Minton, Johnston, Philips and Laird, "Minimizing conflicts", 1992.
#include "daemon/engine/local/min_conflicts.h"

#include <optional>
#include <string>

#include "daemon/engine/local/best_moves.h"
#include "daemon/engine/local/chance.h"
#include "daemon/engine/local/factored.h"
#include "daemon/engine/local/local_search.h"
#include "daemon/engine/local/repair.h"

namespace astrolabe::engine {
namespace {

constexpr uint32_t kManyValues = 1000;
constexpr uint32_t kVariablesBetweenLooks = 1 << 16;
constexpr uint32_t kValuesBetweenLooks = 1 << 16;

class MinConflicts final : public Climber {
 public:
  explicit MinConflicts(const Task& task)
      : method_(task.params.Get<std::string>("method")), noise_(task.params.Get<double>("noise")) {}

  std::unique_ptr<Neighbourhood> Open(const Task& task, Runner& runner) override {
    auto states = MakeFactoredNeighbourhood(task, runner);
    states_ = states.get();
    if (method_ == "repair" || (method_ == "auto" && states_->values() > kManyValues)) {
      repair_.emplace(*states_, task.memory);
    }
    return states;
  }

  ClimbEnd Climb(Walk& walk) override {
    if (repair_) {
      const ClimbEnd end = repair_->Run(walk);
      if (end != ClimbEnd::kStuck) return end;
    }
    uint32_t idle = 0;  // variables in a row that had no better value
    while (!walk.solved()) {
      if (walk.OutOfSteps() || !states_->HasNeighbours()) return ClimbEnd::kStuck;
      if (!walk.Look()) return ClimbEnd::kFailed;
      const bool stuck = idle >= states_->variables();
      std::optional<Step> step;
      if (!stuck) {
        step = StepOf(walk, InConflict(walk));
      } else if (noise_.possible()) {
        step = AnyValue(walk, InConflict(walk));
      } else if (step = BestMove(walk); !walk.failed() && (!step || step->change > 0)) {
        return ClimbEnd::kStuck;
      }
      if (walk.failed()) return ClimbEnd::kFailed;
      ++idle;
      if (!step) continue;
      idle = 0;
      if (!walk.Take(*step)) return ClimbEnd::kFailed;
    }
    return ClimbEnd::kSolved;
  }

 private:
  // Any variable in conflict, each as likely as the others unless they are very few; any at all where the objective
  // cannot tell.
  uint32_t InConflict(Walk& walk) {
    const uint32_t n = states_->variables();
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t variable = walk.random().Below32(n);
      if (states_->InConflict(variable)) return variable;
      if (i % kVariablesBetweenLooks == kVariablesBetweenLooks - 1 && !walk.LookAround()) return 0;
    }
    const uint32_t first = walk.random().Below32(n);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t variable = first + i < n ? first + i : first + i - n;
      if (states_->InConflict(variable)) return variable;
      if (i % kVariablesBetweenLooks == kVariablesBetweenLooks - 1 && !walk.LookAround()) return 0;
    }
    return first;
  }

  // nullopt: the variable is best left as it is, or the walk has failed.
  std::optional<Step> StepOf(Walk& walk, uint32_t variable) {
    if (walk.failed()) return std::nullopt;
    if (noise_.Happens(walk.random())) return AnyValue(walk, variable);
    BestOf best(walk.random());
    const uint64_t first = states_->MoveTo(variable, 0);
    // A million values take a millisecond or more: expansions are too few a measure of time.
    if (states_->values() >= kValuesBetweenLooks && !walk.LookAround()) return std::nullopt;
    best.Add(first, walk.Watch(first, states_->Row(variable)));
    const std::optional<Step> step = best.step();
    return step && step->change <= 0 ? step : std::nullopt;
  }

  // Any other value that is no dead end.
  std::optional<Step> AnyValue(Walk& walk, uint32_t variable) const {
    if (walk.failed()) return std::nullopt;
    const uint32_t other = walk.random().Below32(states_->values() - 1);
    const uint64_t move = states_->MoveTo(variable, other < states_->value_of(variable) ? other : other + 1);
    Cost change;
    if (!walk.Change(move, change) || !states_->Leads(change)) return std::nullopt;
    return Step{move, change};
  }

  const std::string method_;
  const Chance noise_;
  FactoredNeighbourhood* states_ = nullptr;
  std::optional<Repair> repair_;
};

}  // namespace

std::unique_ptr<Algorithm> MakeMinConflicts(const Task& task) {
  return std::make_unique<LocalSearch>(task, std::make_unique<MinConflicts>(task));
}

}  // namespace astrolabe::engine
