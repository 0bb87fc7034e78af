#include "daemon/engine/algorithms/generic_search.h"
#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/algorithms/lean_search.h"
#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"

namespace astrolabe::engine {
namespace {

template <bool kEvents, bool kDuplicates, bool kByF>
class GenericIteration final : public IterationEngine {
 public:
  GenericIteration(const Task& task, const IterationOptions& options)
      : task_(task), search_(task, task.evaluator, options) {}

  IterationResult Run(Runner& runner, const Root& root, Cost bound) override {
    NodeEvents events(task_.space, task_.sink, runner);
    return search_.Run(runner, &events, root, bound);
  }

  void TakeSolution(Solution& solution) override { search_.TakeSolution(solution); }
  Cost best_h() const override { return search_.best_h(); }
  Tier tier() const override { return Tier::kGeneric; }
  bool any_order() const override { return kByF; }

 private:
  const Task& task_;
  GenericSearch<Runner, kEvents, kDuplicates, kByF> search_;
};

// Without events and checks, in the order of the operators: lean, unless counts are limited.
class LeanIteration final : public IterationEngine {
 public:
  explicit LeanIteration(const Task& task) : exact_(task, {}), lean_(task, task.evaluator) {}

  IterationResult Run(Runner& runner, const Root& root, Cost bound) override {
    counts_are_limited_ = runner.counts_are_limited();
    return counts_are_limited_ ? exact_.Run(runner, root, bound) : lean_.Run(runner, root, bound);
  }

  void TakeSolution(Solution& solution) override {
    return counts_are_limited_ ? exact_.TakeSolution(solution) : lean_.TakeSolution(solution);
  }
  Cost best_h() const override { return counts_are_limited_ ? exact_.best_h() : lean_.best_h(); }
  Tier tier() const override { return Tier::kGeneric; }

 private:
  GenericIteration<false, false, false> exact_;
  LeanSearch<Runner> lean_;
  bool counts_are_limited_ = false;
};

template <bool kEvents, bool kDuplicates>
std::unique_ptr<IterationEngine> Make(const Task& task, const IterationOptions& options) {
  if (options.any_order) return std::make_unique<GenericIteration<kEvents, kDuplicates, true>>(task, options);
  return std::make_unique<GenericIteration<kEvents, kDuplicates, false>>(task, options);
}

}  // namespace

bool ChecksDuplicates(const Task& task) {
  const SpaceInfo& info = task.space.info();
  return task.solvable != Solvable::kYes || info.zero_costs || info.few_states || (task.max_cost && !task.admissible);
}

std::unique_ptr<IterationEngine> MakeGenericIteration(const Task& task, const IterationOptions& options) {
  const bool events = task.sink != nullptr;
  const bool duplicates = options.table_bytes > 0 || ChecksDuplicates(task);
  if (events && duplicates) return Make<true, true>(task, options);
  if (events) return Make<true, false>(task, options);
  if (duplicates) return Make<false, true>(task, options);
  if (!options.any_order && options.parent_pruning && LeanSearch<Runner>::Fits(task.evaluator))
    return std::make_unique<LeanIteration>(task);
  return Make<false, false>(task, options);
}

}  // namespace astrolabe::engine
