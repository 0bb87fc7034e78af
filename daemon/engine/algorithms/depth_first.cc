#include "daemon/engine/algorithms/depth_first.h"

#include <string>

#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/algorithms/iterative_deepening.h"
#include "daemon/engine/evaluator_set.h"

namespace astrolabe::engine {
namespace {

// IDA* with h = 0, which is admissible whatever the heuristics of the request are.
class DepthFirst final : public Algorithm {
 public:
  explicit DepthFirst(const Task& task)
      : task_(Blind(task, zero_.evaluator())),
        search_(task_, {.kind = Guarantee::kLeast, .needs_admissible = false}, MakeGenericIteration(task_, {})) {}

  SearchEnd Search(Runner& runner) override { return search_.Search(runner); }
  bool Extract(Runner& runner, Solution& solution) override { return search_.Extract(runner, solution); }
  Gauges Observe() const override { return {}; }
  Guarantee guarantee() const override { return search_.guarantee(); }

 private:
  static Task Blind(const Task& task, const Evaluator& zero) {
    return {.space = task.space,
            .evaluator = zero,
            .admissible = true,
            .solvable = task.solvable,
            .max_cost = task.max_cost,
            .tier = task.tier,
            .sink = task.sink,
            .params = task.params,
            .memory = task.memory,
            .seed = task.seed,
            .thread_evaluators = {}};
  }

  const EvaluatorSet zero_{{}, Combine::kMax};
  const Task task_;
  IterativeDeepening search_;
};

}  // namespace

std::unique_ptr<Algorithm> MakeDepthFirst(const Task& task) { return std::make_unique<DepthFirst>(task); }

}  // namespace astrolabe::engine
