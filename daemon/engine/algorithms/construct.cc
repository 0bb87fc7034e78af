#include "daemon/engine/algorithms/construct.h"

#include "daemon/engine/algorithms/constructed_path.h"
#include "daemon/engine/runner.h"

namespace astrolabe::engine {
namespace {

class Construct final : public Algorithm {
 public:
  explicit Construct(const Task& task) : task_(task), path_(AccountedAllocator<Op>(task.memory)) {}

  SearchEnd Search(Runner& runner) override { return ConstructPath(task_, runner, path_, cost_); }

  bool Extract(Runner&, Solution& solution) override {
    solution.path.assign(path_.begin(), path_.end());
    solution.cost = cost_;
    return true;
  }

  Gauges Observe() const override { return {}; }
  Guarantee guarantee() const override {
    return {.kind = Guarantee::kNothing, .needs_admissible = false, .uses_heuristics = false};
  }

 private:
  const Task& task_;
  AccountedPath path_;
  Cost cost_ = 0;
};

}  // namespace

std::unique_ptr<Algorithm> MakeConstruct(const Task& task) { return std::make_unique<Construct>(task); }

}  // namespace astrolabe::engine
