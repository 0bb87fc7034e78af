#include "daemon/engine/algorithms/iterative_deepening.h"

#include <utility>

#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

IterativeDeepening::IterativeDeepening(const Task& task, const Guarantee& guarantee,
                                       std::unique_ptr<IterationEngine> iteration)
    : task_(task),
      guarantee_(guarantee),
      iteration_(std::move(iteration)),
      root_state_(task.memory, StateStride(task.space.info())),
      root_aux_(task.memory, kMaxAuxSize) {}

SearchEnd IterativeDeepening::Search(Runner& runner) {
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
    if (result.next_bound <= bound) return NotRaised(runner, root, bound);
    bound = result.next_bound;
  }
  return SearchEnd::kExhausted;
}

// A kernel does not look at what it is given. The engine's own loop does, and names a heuristic whose h is negative.
SearchEnd IterativeDeepening::NotRaised(Runner& runner, const Root& root, Cost bound) {
  if (iteration_->tier() != Tier::kGeneric) {
    const SearchEnd end = MakeGenericIteration(task_, {})->Run(runner, root, bound).end;
    if (end == SearchEnd::kBroken || end == SearchEnd::kStopped) return end;
  }
  return runner.Break("an iteration of the kernel did not raise the bound");
}

bool IterativeDeepening::Extract(Runner&, Solution& solution) {
  iteration_->TakeSolution(solution);
  return true;
}

std::string IterativeDeepening::note() const {
  return iteration_->any_order() ? "The nodes of an iteration were not visited in the order of the operators, so the "
                                   "counts of the last one are not those of Korf's IDA*."
                                 : "";
}

}  // namespace astrolabe::engine
