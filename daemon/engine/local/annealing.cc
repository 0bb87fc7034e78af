// Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", 1983.
#include "daemon/engine/local/annealing.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "daemon/engine/local/acceptance.h"
#include "daemon/engine/local/local_search.h"

namespace astrolabe::engine {
namespace {

// A number of 2^-bits; multiplication by a power of two and truncation are exact on any machine.
uint64_t Fixed(double value, int bits) {
  return static_cast<uint64_t>(value * static_cast<double>(uint64_t{1} << bits));
}

// In a stage, where nothing is said of it.
constexpr int64_t kLeastSteps = 1000;

class Annealing final : public Climber {
 public:
  Annealing(const Params& params, const std::optional<FactoredInfo>& factored)
      : initial_(Fixed(params.Get<double>("initial_temperature"), kTemperatureBits)),
        last_(Fixed(params.Get<double>("final_temperature"), kTemperatureBits)),
        cooling_(Fixed(params.Get<double>("cooling"), 32)),
        stage_(StageOf(params, factored)) {}

  ClimbEnd Climb(Walk& walk) override {
    if (!walk.neighbourhood().HasNeighbours()) return walk.failed() ? ClimbEnd::kFailed : ClimbEnd::kStuck;
    for (uint64_t temperature = initial_; temperature > 0 && temperature >= last_; temperature = Cooler(temperature)) {
      for (int64_t i = 0; i < stage_; ++i) {
        if (walk.OutOfSteps()) return ClimbEnd::kStuck;
        if (!walk.Look()) return ClimbEnd::kFailed;
        Step step{walk.neighbourhood().AnyMove(walk.random()), 0};
        if (!walk.Change(step.move, step.change)) return ClimbEnd::kFailed;
        if (!walk.neighbourhood().Leads(step.change) || !Accepts(step.change, temperature, walk.random())) continue;
        if (!walk.Take(step)) return ClimbEnd::kFailed;
        if (walk.solved()) return ClimbEnd::kSolved;
        if (!walk.neighbourhood().HasNeighbours()) return walk.failed() ? ClimbEnd::kFailed : ClimbEnd::kStuck;
      }
    }
    walk.ScheduleIsOver();
    return ClimbEnd::kStuck;
  }

 private:
  static int64_t StageOf(const Params& params, const std::optional<FactoredInfo>& factored) {
    const auto steps = params.Get<int64_t>("steps_per_temperature");
    if (steps > 0) return steps;
    return std::max<int64_t>(kLeastSteps, factored ? factored->variables : 0);
  }

  uint64_t Cooler(uint64_t temperature) const {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(temperature) * cooling_ >> 32);
  }

  const uint64_t initial_;
  const uint64_t last_;
  const uint64_t cooling_;
  const int64_t stage_;
};

}  // namespace

std::unique_ptr<Algorithm> MakeAnnealing(const Task& task) {
  return std::make_unique<LocalSearch>(task, std::make_unique<Annealing>(task.params, task.space.Factored()));
}

}  // namespace astrolabe::engine
