#include "daemon/engine/algorithms/constructed_path.h"

#include <algorithm>

#include "daemon/engine/algorithms/expander.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

class PathTaker final : public OpSink {
 public:
  PathTaker(Runner& runner, AccountedPath& path) : runner_(runner), path_(path) {}

  bool Take(std::span<const Op> ops) override {
    const uint64_t wanted = ops.size();
    const uint64_t n = std::min({wanted, runner_.ExpansionsLeft(), runner_.GenerationsLeft()});
    path_.insert(path_.end(), ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(n));
    runner_.Count(n, n);
    if (n < wanted) {
      return runner_.Stop(runner_.ExpansionsLeft() == 0 ? StopReason::kExpansions : StopReason::kGenerated);
    }
    return runner_.LookAround();
  }

 private:
  Runner& runner_;
  AccountedPath& path_;
};

// kExhausted: `cost` is that of the path, if it can be followed.
SearchEnd AddCosts(const Task& task, Runner& runner, const AccountedPath& path, Cost& cost) {
  constexpr size_t kStepsBetweenLooks = 256;
  const SpaceInfo& info = task.space.info();
  cost = 0;
  if (info.unit_cost) {
    if (__builtin_mul_overflow(static_cast<Cost>(path.size()), info.cost_scale, &cost)) {
      return runner.Break(kCostsTooLarge);
    }
    return SearchEnd::kExhausted;
  }
  const Block state(task.memory, StateStride(info));
  task.space.InitialState(state.data());
  for (size_t i = 0; i < path.size(); ++i) {
    if (i % kStepsBetweenLooks == 0 && runner.StopRequested()) return SearchEnd::kStopped;
    const std::optional<Cost> step = task.space.ApplyInPlace(state.data(), path[i]);
    if (!step) {
      return runner.Break("the constructed path cannot be followed: operator " + std::to_string(path[i]) + " at step " +
                          std::to_string(i + 1) + " is not possible there");
    }
    if (__builtin_add_overflow(cost, *step, &cost)) return runner.Break(kCostsTooLarge);
  }
  return SearchEnd::kExhausted;
}

}  // namespace

SearchEnd ConstructPath(const Task& task, Runner& runner, AccountedPath& path, Cost& cost) {
  PathTaker taker(runner, path);
  const Construction construction = task.space.Construct(taker);
  switch (construction.end) {
    case Construction::End::kStopped:
      return SearchEnd::kStopped;
    case Construction::End::kRefused:
      return runner.Refuse(construction.why);
    case Construction::End::kBroken:
      return runner.Break(construction.why);
    case Construction::End::kDone:
      break;
  }
  // A plugin that did not hear that it should stop.
  if (runner.stop_reason() != StopReason::kNone) return SearchEnd::kStopped;
  const SearchEnd end = AddCosts(task, runner, path, cost);
  return end == SearchEnd::kExhausted ? SearchEnd::kSolved : end;
}

}  // namespace astrolabe::engine
