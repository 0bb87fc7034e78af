// One iteration of a depth-first search under a bound, whoever runs it.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATION_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

struct IterationResult {
  SearchEnd end = SearchEnd::kExhausted;
  // Smallest f that the bound cut; kInfinity: nothing was cut by it.
  Cost next_bound = kInfinity;
};

// Where an iteration begins, its values computed once: the initial state, or a node below it.
struct Root {
  const void* state;
  const void* aux;
  Cost h;
  Cost g = 0;
  Op op = kNoOp;  // that led there
};

struct IterationOptions {
  // The nodes of an iteration may be visited in any order.
  bool any_order = false;
  // Of a transposition table; 0: none is asked for.
  size_t table_bytes = 0;
  // False: the operator that takes the last one back is tried as well. The engine's own loop, on one thread, alone.
  bool parent_pruning = true;
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
  // The nodes were not visited in the order of the operators.
  virtual bool any_order() const { return false; }
};

// True when depth-first search of this task might not end, or only after every path to a few states was visited:
// without a promise of solvability, or with free operators, or where the bound does not keep max_cost. Cycles on the
// path and states met before are checked then.
bool ChecksDuplicates(const Task& task);

// T1: the engine's own loop over the problem's batched calls.
std::unique_ptr<IterationEngine> MakeGenericIteration(const Task& task, const IterationOptions& options);
// T2: the depth-first kernel of the problem's library. Precondition: task.space.HasKernel.
std::unique_ptr<IterationEngine> MakeKernelIteration(const Task& task, bool additive);

// Both: an iteration is cut into subtrees, and several threads, or one in another order, search them. `whole` runs
// iterations that are too small for it, and all when counts are limited. Precondition: SplitFits.
enum class SubtreeTier { kGeneric, kKernel, kAdditive };
std::unique_ptr<IterationEngine> MakeSplitIteration(const Task& task, const IterationOptions& options, SubtreeTier tier,
                                                    std::unique_ptr<IterationEngine> whole);
bool SplitFits(const Task& task, const IterationOptions& options, SubtreeTier tier);

// Room for a kernel's path: costs are at least 1, so one under the bound is no longer than it. More when that proves
// too little.
inline uint32_t FirstKernelDepth(Cost bound) {
  constexpr Cost kMost = Cost{1} << 16;
  return static_cast<uint32_t>(std::min(bound + (bound < kMost), kMost));
}
inline constexpr uint32_t kDeepestKernel = uint32_t{1} << 28;

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ITERATION_H_
