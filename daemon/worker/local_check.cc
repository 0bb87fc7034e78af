#include "daemon/worker/local_check.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "daemon/worker/plugin_call.h"
#include "daemon/worker/state_buffer.h"

namespace astrolabe::worker {
namespace {

constexpr uint32_t kSteps = 8;
// Above it a single step is tried: each costs an evaluation of the whole state.
constexpr uint32_t kManyVariables = 4096;

// Steps that reach all over the state. Not random, so that a finding comes again.
struct Step {
  uint32_t variable;
  uint32_t value;
};
Step PickStep(const engine::FactoredInfo& info, uint32_t number) {
  constexpr uint64_t kFraction = 0x9E3779B97F4A7C15;  // of the golden ratio: multiples of it spread evenly
  const uint64_t mixed = (uint64_t{number} + 1) * kFraction;
  return {static_cast<uint32_t>((mixed >> 32) % info.variables), static_cast<uint32_t>((mixed >> 8) % info.values)};
}

uint32_t StepsToTry(const engine::FactoredInfo& info) { return info.variables > kManyVariables ? 1 : kSteps; }

std::string StepName(Step step) {
  return "giving variable " + std::to_string(step.variable) + " the value " + std::to_string(step.value);
}

class ProblemCheck {
 public:
  explicit ProblemCheck(const AbiProblem& problem)
      : problem_(problem),
        size_(problem.info().state_size),
        state_(size_, problem.info().state_align),
        other_(size_, problem.info().state_align) {}

  std::optional<Finding> Run() {
    if (problem_.info().no_goal_test && problem_.GoalState(other_.data())) {
      return Finding{"a problem without a goal test has no goal state", "goal_state gives one"};
    }
    problem_.InitialState(state_.data());
    if (problem_.HasRandomState()) {
      if (auto finding = CheckRandomState()) return finding;
    }
    const std::optional<engine::FactoredInfo> info = problem_.Factored();
    if (!info) return std::nullopt;
    values_.resize(info->variables);
    if (auto finding = CheckValues(*info)) return finding;
    for (uint32_t number = 0; number < StepsToTry(*info); ++number) {
      if (auto finding = CheckStep(*info, PickStep(*info, number))) return finding;
    }
    return std::nullopt;
  }

 private:
  bool Same() const { return std::memcmp(state_.data(), other_.data(), size_) == 0; }

  // Leaves a random state in state_.
  std::optional<Finding> CheckRandomState() {
    constexpr uint64_t kSeed = 42;
    // What is left of an earlier state must not show in the new one.
    std::memset(other_.data(), 0xA5, size_);
    problem_.RandomState(kSeed, state_.data());
    problem_.RandomState(kSeed, other_.data());
    if (Same()) return std::nullopt;
    return Finding{"random_state depends on the seed alone", "bytes differ from call to call"};
  }

  // Leaves the values of state_ in values_.
  std::optional<Finding> CheckValues(const engine::FactoredInfo& info) {
    problem_.ValuesOf(state_.data(), values_.data());
    const auto bad = std::ranges::find_if(values_, [&](uint32_t value) { return value >= info.values; });
    if (bad != values_.end()) {
      return Finding{"values are 0 to info.values - 1",
                     "variable " + std::to_string(bad - values_.begin()) + " has " + std::to_string(*bad)};
    }
    std::memset(other_.data(), 0xA5, size_);
    problem_.StateOf(values_.data(), other_.data());
    if (Same()) return std::nullopt;
    return Finding{"canonical bytes: state makes of the values of a state the same state", "the bytes differ"};
  }

  // The step by values and by its operator.
  std::optional<Finding> CheckStep(const engine::FactoredInfo& info, Step step) {
    if (values_[step.variable] == step.value) return std::nullopt;
    const uint64_t op = uint64_t{step.variable} * info.values + step.value;
    problem_.StateOf(values_.data(), state_.data());
    values_[step.variable] = step.value;
    problem_.StateOf(values_.data(), other_.data());
    if (Same()) return Finding{"other values are another state", StepName(step) + " changes no byte of the state"};
    if (uint64_t{info.variables} * info.values >= engine::kNoOp) return std::nullopt;
    if (!problem_.ApplyInPlace(state_.data(), static_cast<engine::Op>(op)) || !Same()) {
      return Finding{"apply_in_place takes operator variable * values + value",
                     StepName(step) + " was refused, or gave another state"};
    }
    return std::nullopt;
  }

  const AbiProblem& problem_;
  const size_t size_;
  StateBuffer state_;
  StateBuffer other_;
  std::vector<uint32_t> values_;
};

class TrailCheck {
 public:
  TrailCheck(const AbiProblem& problem, const engine::EvaluatorCalls& eval, const engine::TrailCalls& trail)
      : problem_(problem),
        info_(*problem.Factored()),
        eval_(eval),
        trail_(trail),
        state_(problem.info().state_size, problem.info().state_align),
        values_(info_.variables),
        row_(info_.values) {}

  std::optional<Finding> Run(uint64_t seed) {
    if (problem_.HasRandomState()) {
      problem_.RandomState(seed, state_.data());
    } else {
      problem_.InitialState(state_.data());
    }
    problem_.ValuesOf(state_.data(), values_.data());
    CallPlugin("local.bind", [&] { trail_.bind(trail_.trail, values_.data()); });
    if (auto finding = CompareObjective("after bind")) return finding;
    for (uint32_t number = 0; number < StepsToTry(info_); ++number) {
      if (auto finding = CheckStep(PickStep(info_, number))) return finding;
    }
    return std::nullopt;
  }

 private:
  engine::Cost Objective() const {
    return CallPlugin("local.objective", [&] { return trail_.objective(trail_.trail); });
  }
  engine::Cost Delta(Step step) const {
    return CallPlugin("local.delta", [&] { return trail_.delta(trail_.trail, step.variable, step.value); });
  }

  std::optional<Finding> CompareObjective(const std::string& when) {
    problem_.StateOf(values_.data(), state_.data());
    const engine::Cost h = CallPlugin("eval", [&] { return eval_.eval(eval_.context, state_.data()); });
    const engine::Cost objective = Objective();
    if (objective == h) return std::nullopt;
    return Finding{"the objective of a trail is that of eval",
                   when + " it is " + std::to_string(objective) + ", and eval says " + std::to_string(h)};
  }

  std::optional<Finding> CheckStep(Step step) {
    if (const engine::Cost stay = Delta({step.variable, values_[step.variable]}); stay != 0) {
      return Finding{"delta of the value that a variable has is 0",
                     "variable " + std::to_string(step.variable) + ": " + std::to_string(stay)};
    }
    const engine::Cost delta = Delta(step);
    CallPlugin("local.deltas", [&] { trail_.deltas(trail_.trail, step.variable, 1, row_.data()); });
    if (row_[step.value] != delta) {
      return Finding{"deltas are those of delta", StepName(step) + " changes the objective by " +
                                                      std::to_string(delta) + ", or by " +
                                                      std::to_string(row_[step.value])};
    }
    if (trail_.sample != nullptr) {
      const uint32_t sampled[] = {step.value, values_[step.variable]};
      engine::Cost changes[2] = {-1, -1};
      CallPlugin("local.sample", [&] { trail_.sample(trail_.trail, step.variable, 2, sampled, changes); });
      if (changes[0] != delta || changes[1] != 0) {
        return Finding{"samples are those of delta", StepName(step) + " changes the objective by " +
                                                         std::to_string(delta) + ", or by " +
                                                         std::to_string(changes[0])};
      }
    }
    const engine::Cost before = Objective();
    CallPlugin("local.commit", [&] { trail_.commit(trail_.trail, step.variable, step.value); });
    values_[step.variable] = step.value;
    if (const engine::Cost after = Objective(); after != before + delta) {
      return Finding{"commit changes the objective by delta", StepName(step) + " made " + std::to_string(before) +
                                                                  " to " + std::to_string(after) + ", and delta was " +
                                                                  std::to_string(delta)};
    }
    return CompareObjective("after " + StepName(step));
  }

  const AbiProblem& problem_;
  const engine::FactoredInfo info_;
  const engine::EvaluatorCalls eval_;
  const engine::TrailCalls trail_;
  StateBuffer state_;
  std::vector<uint32_t> values_;
  std::vector<engine::Cost> row_;
};

}  // namespace

std::optional<Finding> CheckLocalProblem(const AbiProblem& problem) { return ProblemCheck(problem).Run(); }

std::optional<Finding> CheckTrail(const AbiProblem& problem, const AbiEvaluator& evaluator, uint64_t seed) {
  const std::unique_ptr<engine::Trail> trail = evaluator.OpenTrail();
  if (trail == nullptr) return std::nullopt;
  return TrailCheck(problem, evaluator.calls(), trail->calls()).Run(seed);
}

}  // namespace astrolabe::worker
