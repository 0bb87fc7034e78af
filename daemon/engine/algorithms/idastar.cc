#include "daemon/engine/algorithms/idastar.h"

#include <string>
#include <utility>

#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/algorithms/iterative_deepening.h"

namespace astrolabe::engine {
namespace {

// A kernel keeps no states, tells no events, knows no bound but that on f, and leaves parents out.
bool KernelFits(const Task& task, const IterationOptions& options) {
  return task.tier != Tier::kGeneric && task.single && task.sink == nullptr && options.table_bytes == 0 &&
         options.parent_pruning && !ChecksDuplicates(task) && task.space.HasKernel(task.evaluator);
}

IterationOptions OptionsOf(const Task& task) {
  return {.any_order = task.params.Get<std::string>("mode") == "fast",
          .table_bytes = static_cast<size_t>(task.params.Get<int64_t>("transposition_table")) << 20,
          .parent_pruning = task.params.Get<std::string>("parent_pruning") == "on"};
}

std::unique_ptr<IterationEngine> MakeIteration(const Task& task, const IterationOptions& options) {
  SubtreeTier tier = SubtreeTier::kGeneric;
  std::unique_ptr<IterationEngine> whole;
  if (KernelFits(task, options)) {
    const bool additive = task.tier != Tier::kKernel && task.space.HasAdditiveKernel(task.evaluator);
    tier = additive ? SubtreeTier::kAdditive : SubtreeTier::kKernel;
    whole = MakeKernelIteration(task, additive);
  } else {
    whole = MakeGenericIteration(task, options);
  }
  if (!SplitFits(task, options, tier)) return whole;
  return MakeSplitIteration(task, options, tier, std::move(whole));
}

}  // namespace

std::unique_ptr<Algorithm> MakeIdaStar(const Task& task) {
  return std::make_unique<IterativeDeepening>(task, Guarantee{}, MakeIteration(task, OptionsOf(task)));
}

}  // namespace astrolabe::engine
