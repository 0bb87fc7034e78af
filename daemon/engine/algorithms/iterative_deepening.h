// The loop of iterative deepening: depth first, again and again from the initial state, under a bound on f that rises
// to the least f that was cut. Who runs an iteration, and by which h, is the caller's choice.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATIVE_DEEPENING_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATIVE_DEEPENING_H_

#include <memory>
#include <string>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

class IterativeDeepening final : public Algorithm {
 public:
  // The task outlives it.
  IterativeDeepening(const Task& task, const Guarantee& guarantee, std::unique_ptr<IterationEngine> iteration);

  SearchEnd Search(Runner& runner) override;
  bool Extract(Runner& runner, Solution& solution) override;
  Gauges Observe() const override { return {.best_h = iteration_->best_h()}; }
  Tier tier() const override { return iteration_->tier(); }
  Guarantee guarantee() const override { return guarantee_; }
  std::string note() const override;

 private:
  // The iteration said that it cut nothing above the bound, nor all below it.
  SearchEnd NotRaised(Runner& runner, const Root& root, Cost bound);

  const Task& task_;
  const Guarantee guarantee_;
  std::unique_ptr<IterationEngine> iteration_;
  Block root_state_;
  Block root_aux_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATIVE_DEEPENING_H_
