#include <algorithm>
#include <utility>

#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/runner.h"

namespace astrolabe::engine {
namespace {

class KernelIterationEngine final : public IterationEngine {
 public:
  KernelIterationEngine(const Task& task, bool additive) : task_(task), additive_(additive) {}

  IterationResult Run(Runner& runner, const Root& root, Cost bound) override {
    for (uint32_t depth = std::max(depth_, FirstKernelDepth(bound));; depth *= 2) {
      Poller poller(runner);
      KernelControl control;
      runner.BeginKernel(control);
      const KernelRoots roots{.states = root.state, .h = &root.h, .g = &root.g, .last_op = &root.op, .aux = root.aux};
      KernelIteration kernel =
          task_.space.RunKernel(task_.evaluator, Mode(runner), roots, bound, depth, control, poller);
      const bool too_deep = kernel.end == KernelIteration::End::kTooDeep && depth < kDeepestKernel;
      runner.EndKernel(kernel.expanded, kernel.generated, !too_deep);
      used_additive_ = kernel.used_additive;
      if (too_deep) continue;
      depth_ = depth;
      return Conclude(runner, std::move(kernel));
    }
  }

  void TakeSolution(Solution& solution) override {
    solution.path = std::move(path_);
    solution.cost = cost_;
  }
  Tier tier() const override { return used_additive_ ? Tier::kAdditive : Tier::kKernel; }

 private:
  class Poller final : public KernelPoll {
   public:
    explicit Poller(Runner& runner) : runner_(runner) {}
    bool Poll(KernelControl& control, uint64_t expanded, uint64_t generated) override {
      return runner_.PollKernel(control, expanded, generated);
    }

   private:
    Runner& runner_;
  };

  KernelMode Mode(const Runner& runner) const {
    if (!additive_) return KernelMode::kEvaluate;
    return runner.counts_are_limited() ? KernelMode::kTable : KernelMode::kTableAnyOrder;
  }

  IterationResult Conclude(Runner& runner, KernelIteration kernel) {
    IterationResult result;
    switch (kernel.end) {
      case KernelIteration::End::kExhausted:
        result.next_bound = kernel.next_bound;
        return result;
      case KernelIteration::End::kFound:
        path_ = std::move(kernel.path);
        cost_ = kernel.path_cost;
        result.end = SearchEnd::kSolved;
        return result;
      case KernelIteration::End::kStopped:
        result.end = runner.stop_reason() != StopReason::kNone
                         ? SearchEnd::kStopped
                         : runner.Break("the depth-first kernel stopped without being told to");
        return result;
      case KernelIteration::End::kTooDeep:
        result.end = runner.Break("the depth-first kernel found no room for any path");
        return result;
    }
    result.end = runner.Break("the depth-first kernel ended in an unknown way");
    return result;
  }

  const Task& task_;
  const bool additive_;
  bool used_additive_ = false;
  uint32_t depth_ = 1;
  std::vector<Op> path_;
  Cost cost_ = 0;
};

}  // namespace

std::unique_ptr<IterationEngine> MakeKernelIteration(const Task& task, bool additive) {
  return std::make_unique<KernelIterationEngine>(task, additive);
}

}  // namespace astrolabe::engine
