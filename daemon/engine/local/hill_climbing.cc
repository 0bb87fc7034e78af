// Hill climbing (here downhill, the objective is made smaller): Russell and Norvig, Artificial Intelligence, 4.1.
#include "daemon/engine/local/hill_climbing.h"

#include <numeric>
#include <optional>
#include <string>

#include "daemon/engine/local/best_moves.h"
#include "daemon/engine/local/local_search.h"

namespace astrolabe::engine {
namespace {

class HillClimbing final : public Climber {
 public:
  explicit HillClimbing(const Params& params)
      : variant_(params.Get<std::string>("variant")), max_sideways_(params.Get<int64_t>("max_sideways")) {}

  ClimbEnd Climb(Walk& walk) override {
    for (int64_t sideways = 0; !walk.solved();) {
      if (walk.OutOfSteps()) return ClimbEnd::kStuck;
      if (!walk.Look()) return ClimbEnd::kFailed;
      const std::optional<Step> step = Choose(walk);
      if (walk.failed()) return ClimbEnd::kFailed;
      if (!step || step->change > 0) return ClimbEnd::kStuck;
      if (step->change < 0) {
        sideways = 0;
      } else if (sideways++ == max_sideways_) {
        return ClimbEnd::kStuck;
      }
      if (!walk.Take(*step)) return ClimbEnd::kFailed;
    }
    return ClimbEnd::kSolved;
  }

 private:
  // nullopt: no neighbour is at least as good, or the walk has failed.
  std::optional<Step> Choose(Walk& walk) const {
    if (variant_ == "first_choice") return FirstBetter(walk);
    if (variant_ == "stochastic") return AnyBetter(walk);
    return BestMove(walk);
  }

  // Looks at all neighbours in a random order until one is better. The order is a walk around the moves, from a random
  // one on, in steps that have no factor in common with their number: so it needs no memory.
  static std::optional<Step> FirstBetter(Walk& walk) {
    const uint64_t moves = walk.Moves();
    if (moves == 0) return std::nullopt;
    Random& random = walk.random();
    uint64_t move = random.Below(moves);
    uint64_t stride = 1 + random.Below(moves);
    while (std::gcd(stride, moves) != 1) stride = 1 + random.Below(moves);
    std::optional<Step> level;
    uint64_t levels = 0;
    for (uint64_t i = 0; i < moves; ++i, move = (move + stride) % moves) {
      if (i % kBetweenLooks == kBetweenLooks - 1 && !walk.LookAround()) return std::nullopt;
      if (walk.neighbourhood().IsPresent(move)) continue;
      Cost change;
      if (!walk.Change(move, change)) return std::nullopt;
      if (change < 0) return Step{move, change};
      if (change == 0 && random.Below(++levels) == 0) level = Step{move, change};
    }
    return level;
  }

  // Any of the better neighbours, or, if there is none, of the equal ones.
  static std::optional<Step> AnyBetter(Walk& walk) {
    std::optional<Step> chosen;
    uint64_t better = 0;
    uint64_t level = 0;
    const uint64_t moves = walk.Moves();
    for (uint64_t first = 0; first < moves;) {
      const std::span<const Cost> changes = walk.Changes(first);
      if (changes.empty()) return std::nullopt;
      for (size_t i = 0; i < changes.size(); ++i) {
        if (changes[i] > 0 || (changes[i] == 0 && better > 0)) continue;
        uint64_t& so_far = changes[i] < 0 ? better : level;
        ++so_far;
        if (so_far == 1 || walk.random().Below(so_far) == 0) chosen = Step{first + i, changes[i]};
      }
      first += changes.size();
    }
    return chosen;
  }

  static constexpr uint64_t kBetweenLooks = 4096;

  const std::string variant_;
  const int64_t max_sideways_;
};

}  // namespace

std::unique_ptr<Algorithm> MakeHillClimbing(const Task& task) {
  return std::make_unique<LocalSearch>(task, std::make_unique<HillClimbing>(task.params));
}

}  // namespace astrolabe::engine
