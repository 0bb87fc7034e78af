#include "daemon/engine/algorithms/idastar.h"

#include <string>
#include <utility>

#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/algorithms/iterative_deepening.h"

namespace astrolabe::engine {
namespace {

// A kernel keeps no states, tells no events, and knows no bound but that on f.
bool KernelFits(const Task& task, const IterationOptions& options) {
  return task.tier != Tier::kGeneric && task.single && task.sink == nullptr && options.table_bytes == 0 &&
         !ChecksDuplicates(task) && task.space.HasKernel(task.evaluator);
}

IterationOptions OptionsOf(const Task& task) {
  return {.any_order = task.params.Get<std::string>("mode") == "fast",
          .table_bytes = static_cast<size_t>(task.params.Get<int64_t>("transposition_table")) << 20};
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
