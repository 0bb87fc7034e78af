// One iteration of a depth-first search under a bound, whoever runs it.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATION_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATION_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

struct IterationResult {
  SearchEnd end = SearchEnd::kExhausted;
  // Smallest f that the bound cut; kInfinity: nothing was cut by it.
  Cost next_bound = kInfinity;
};

// The root's values, computed once.
struct Root {
  const void* state;
  const void* aux;
  Cost h;
};

class IterationEngine {
 public:
  virtual ~IterationEngine() = default;
  // Nodes with f <= bound are entered.
  virtual IterationResult Run(Runner& runner, const Root& root, Cost bound) = 0;
  // After kSolved.
  virtual void TakeSolution(Solution& solution) = 0;
  // Smallest h of an entered node; negative: not known.
  virtual Cost best_h() const { return -1; }
  virtual Tier tier() const = 0;
};

// T1: the engine's own loop over the problem's batched calls. Cycles on the path are checked when the
// search might not end without.
std::unique_ptr<IterationEngine> MakeGenericIteration(const Task& task);
// T2: the depth-first kernel of the problem's library. Precondition: task.space.HasKernel.
std::unique_ptr<IterationEngine> MakeKernelIteration(const Task& task, bool additive);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATION_H_
