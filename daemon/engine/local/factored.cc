#include "daemon/engine/local/factored.h"

#include <algorithm>
#include <string>

#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

FactoredNeighbourhood::FactoredNeighbourhood(const Task& task, Runner& runner, const FactoredInfo& info)
    : Neighbourhood(runner),
      task_(task),
      info_(info),
      values_(info.variables, AccountedAllocator<uint32_t>(task.memory)),
      numbered_(uint64_t{info.variables} * info.values < kNoOp),
      state_(task.memory, StateStride(task.space.info())),
      best_(info.variables, AccountedAllocator<uint32_t>(task.memory)),
      touched_(AccountedAllocator<uint32_t>(task.memory)) {
  touched_.reserve(info.variables);
}

bool FactoredNeighbourhood::Bind(const std::byte* state) {
  state_is_present_ = false;
  all_touched_ = true;
  task_.space.ValuesOf(state, values_.data());
  for (uint32_t variable = 0; variable < info_.variables; ++variable) {
    if (values_[variable] < info_.values) continue;
    return Break("variable " + std::to_string(variable) + " has the value " + std::to_string(values_[variable]) +
                 ", the problem promised less than " + std::to_string(info_.values));
  }
  return Follow(state);
}

const std::byte* FactoredNeighbourhood::State() {
  if (!state_is_present_) task_.space.StateOf(values_.data(), state_.data());
  state_is_present_ = true;
  return state_.data();
}

uint64_t FactoredNeighbourhood::AnyMove(Random& random) {
  const uint32_t variable = random.Below32(info_.variables);
  const uint32_t value = random.Below32(info_.values - 1);
  return MoveTo(variable, value < values_[variable] ? value : value + 1);
}

bool FactoredNeighbourhood::Move(uint32_t variable, uint32_t value, Cost change) {
  values_[variable] = value;
  state_is_present_ = false;
  return Advance(variable, value, change);
}

bool FactoredNeighbourhood::Take(const Step& step) {
  const uint32_t variable = VariableOf(step.move);
  Touch(variable);
  return Move(variable, ValueOf(step.move), step.change);
}

void FactoredNeighbourhood::Neighbour(uint64_t move, std::byte* out) {
  uint32_t& value = values_[VariableOf(move)];
  const uint32_t kept = value;
  value = ValueOf(move);
  task_.space.StateOf(values_.data(), out);
  value = kept;
}

uint64_t FactoredNeighbourhood::MarkHere(uint64_t move) {
  const uint32_t variable = VariableOf(move);
  return MoveTo(variable, values_[variable]);
}

void FactoredNeighbourhood::SaveBest() {
  if (all_touched_) {
    std::copy(values_.begin(), values_.end(), best_.begin());
  } else {
    for (uint32_t variable : touched_) best_[variable] = values_[variable];
  }
  all_touched_ = false;
  touched_.clear();
}

void FactoredNeighbourhood::CopyBest(std::byte* out) const { task_.space.StateOf(best_.data(), out); }

std::unique_ptr<FactoredNeighbourhood> MakeFactoredNeighbourhood(const Task& task, Runner& runner) {
  const FactoredInfo info = *task.space.Factored();
  return task.evaluator.HasTrail() ? MakeTrailNeighbourhood(task, runner, info)
                                   : MakeStatesNeighbourhood(task, runner, info);
}

}  // namespace astrolabe::engine
