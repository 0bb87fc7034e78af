// Glover, "Tabu search, part I", 1989.
#include "daemon/engine/local/tabu.h"

#include <optional>
#include <string>

#include "daemon/engine/local/local_search.h"
#include "daemon/engine/local/tabu_list.h"

namespace astrolabe::engine {
namespace {

class Tabu final : public Climber {
 public:
  explicit Tabu(const Task& task)
      : aspires_(task.params.Get<std::string>("aspiration") == "on"),
        list_(static_cast<size_t>(task.params.Get<int64_t>("tenure")), task.memory) {}

  ClimbEnd Climb(Walk& walk) override {
    list_.Clear();
    while (!walk.solved()) {
      if (walk.OutOfSteps()) return ClimbEnd::kStuck;
      if (!walk.Look()) return ClimbEnd::kFailed;
      const std::optional<Step> step = BestAllowed(walk);
      if (walk.failed()) return ClimbEnd::kFailed;
      if (!step) return ClimbEnd::kStuck;
      list_.Push(walk.neighbourhood().MarkHere(step->move));
      if (!walk.Take(*step)) return ClimbEnd::kFailed;
    }
    return ClimbEnd::kSolved;
  }

 private:
  // nullopt: all neighbours are tabu, or there are none, or the walk has failed.
  std::optional<Step> BestAllowed(Walk& walk) const {
    std::optional<Step> best;
    uint64_t ties = 0;
    const uint64_t moves = walk.Moves();
    for (uint64_t first = 0; first < moves;) {
      const std::span<const Cost> changes = walk.Changes(first);
      if (changes.empty()) return std::nullopt;
      for (size_t i = 0; i < changes.size(); ++i) {
        const Step step{first + i, changes[i]};
        if ((best && step.change > best->change) || !Allowed(walk, step)) continue;
        if (!best || step.change < best->change) ties = 0;
        if (++ties == 1 || walk.random().Below(ties) == 0) best = step;
      }
      first += changes.size();
    }
    return best;
  }

  bool Allowed(Walk& walk, const Step& step) const {
    Neighbourhood& states = walk.neighbourhood();
    if (!states.Leads(step.change)) return false;
    if (!list_.Contains(states.MarkOf(step.move))) return true;
    return aspires_ && walk.objective() + step.change < walk.climb_best();
  }

  const bool aspires_;
  TabuList list_;
};

}  // namespace

std::unique_ptr<Algorithm> MakeTabu(const Task& task) {
  return std::make_unique<LocalSearch>(task, std::make_unique<Tabu>(task));
}

}  // namespace astrolabe::engine
