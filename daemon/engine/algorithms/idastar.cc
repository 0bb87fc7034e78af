#include "daemon/engine/algorithms/idastar.h"

#include <utility>
#include <vector>

#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

// A kernel knows no cycles, no events, and no bound but that on f.
bool KernelFits(const Task& task) {
  return task.tier != Tier::kGeneric && task.single && task.sink == nullptr && task.solvable == Solvable::kYes &&
         !task.space.info().zero_costs && (task.admissible || !task.max_cost) && task.space.HasKernel(task.evaluator);
}

std::unique_ptr<IterationEngine> MakeIteration(const Task& task) {
  if (!KernelFits(task)) return MakeGenericIteration(task);
  return MakeKernelIteration(task, task.tier != Tier::kKernel && task.space.HasAdditiveKernel(task.evaluator));
}

class IdaStar final : public Algorithm {
 public:
  explicit IdaStar(const Task& task)
      : task_(task),
        iteration_(MakeIteration(task)),
        root_state_(task.memory, StateStride(task.space.info())),
        root_aux_(task.memory, kMaxAuxSize) {}

  SearchEnd Search(Runner& runner) override {
    const EvaluatorCalls& h = task_.evaluator.calls();
    Root root{root_state_.data(), nullptr, 0};
    task_.space.InitialState(root_state_.data());
    root.h = h.eval(h.context, root.state);
    if (root.h < 0) return runner.Break("the heuristic gave a negative h for the initial state");
    if (task_.evaluator.info().aux_size > 0) {
      h.root_aux(h.context, root.state, root_aux_.data());
      root.aux = root_aux_.data();
    }
    runner.SetInitialH(root.h);
    NodeEvents(task_.space, task_.sink, runner).Record(NodeKind::kSource, root.state, nullptr, kNoOp, 0, root.h, 0);

    Cost bound = root.h;
    while (bound != kInfinity) {
      if (task_.admissible && task_.max_cost && bound > *task_.max_cost) {
        runner.RaiseLowerBound(bound);
        runner.NoteCostCut();
        break;
      }
      runner.BeginIteration(bound);
      const IterationResult result = iteration_->Run(runner, root, bound);
      runner.EndIteration();
      if (result.end != SearchEnd::kExhausted) return result.end;
      if (result.next_bound <= bound) return runner.Break("an iteration of the kernel did not raise the bound");
      bound = result.next_bound;
    }
    return SearchEnd::kExhausted;
  }

  bool Extract(Runner&, Solution& solution) override {
    iteration_->TakeSolution(solution);
    return true;
  }

  Gauges Observe() const override { return {.best_h = iteration_->best_h()}; }
  Tier tier() const override { return iteration_->tier(); }

 private:
  const Task& task_;
  std::unique_ptr<IterationEngine> iteration_;
  Block root_state_;
  Block root_aux_;
};

}  // namespace

std::unique_ptr<Algorithm> MakeIdaStar(const Task& task) { return std::make_unique<IdaStar>(task); }

}  // namespace astrolabe::engine
