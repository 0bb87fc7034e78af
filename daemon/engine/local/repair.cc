#include "daemon/engine/local/repair.h"

#include <algorithm>

namespace astrolabe::engine {
namespace {

// Values that no variable has, drawn for one variable in a pass.
constexpr size_t kFreeTries = 16;
// A pass over all variables pays where more than one in so many is in conflict.
constexpr Cost kSparse = 256;
// Samples for one variable on the list: at first, and how they grow from pass to pass. A pass takes no more than so
// many for each of all variables: what it does not mend then is left to the textbook's steps.
constexpr uint64_t kFirstTries = 256;
constexpr uint64_t kMoreTries = 4;
constexpr uint64_t kMostTries = 32;
// Every so many times they are free values, else swaps.
constexpr uint64_t kFreeEvery = 8;
constexpr uint32_t kPassBetweenLooks = 1 << 16;
constexpr uint64_t kTimesBetweenLooks = 1 << 12;

}  // namespace

ClimbEnd Repair::Run(Walk& walk) {
  free_.Reset(states_.variables(), states_.values(), [this](uint32_t v) { return states_.value_of(v); });
  for (Cost before = kInfinity; !free_.empty() && walk.objective() > Cost{states_.variables()} / kSparse &&
                                walk.objective() < before - before / 8 && !Over(walk);) {
    before = walk.objective();
    ToFreeValues(walk);
  }
  for (uint64_t tries = kFirstTries; !Over(walk);) {
    Collect(walk);
    const Cost before = walk.objective();
    MendAll(walk, tries);
    if (walk.objective() < before) continue;
    tries *= kMoreTries;
    if (tries * work_.size() > kMostTries * states_.variables()) break;
  }
  if (walk.failed()) return ClimbEnd::kFailed;
  return walk.solved() ? ClimbEnd::kSolved : ClimbEnd::kStuck;
}

// One pass: each variable in conflict tries some of the values that are free.
void Repair::ToFreeValues(Walk& walk) {
  for (uint32_t variable = 0; variable < states_.variables() && !free_.empty(); ++variable) {
    if (variable % kPassBetweenLooks == kPassBetweenLooks - 1 && !walk.LookAround()) return;
    if (!states_.InConflict(variable)) continue;
    if (Over(walk) || !walk.Look()) return;
    for (size_t i = 0; i < kFreeTries && !free_.empty(); i += kSamples) {
      if (TryFreeValues(walk, variable, -1) && !states_.InConflict(variable)) break;
      if (walk.failed() || walk.solved()) return;
    }
  }
}

void Repair::Collect(Walk& walk) {
  work_.clear();
  for (uint32_t variable = 0; variable < states_.variables(); ++variable) {
    if (variable % kPassBetweenLooks == kPassBetweenLooks - 1 && !walk.LookAround()) return;
    if (states_.InConflict(variable)) work_.push_back(variable);
  }
}

// Goes through the list again and again while that helps; it is made anew then, for other variables may have come into
// conflict.
void Repair::MendAll(Walk& walk, uint64_t tries) {
  for (Cost before = kInfinity; walk.objective() < before;) {
    before = walk.objective();
    for (uint32_t variable : work_) {
      if (Over(walk)) return;
      if (states_.InConflict(variable)) Mend(walk, variable, tries);
    }
  }
}

// A free value is taken even if it is only as good: swaps cannot help where two variables have the same value.
void Repair::Mend(Walk& walk, uint32_t variable, uint64_t tries) {
  if (!walk.Look()) return;
  FirstHalves halves;
  for (uint64_t i = 0; i < tries / kSamples; ++i) {
    if (i % kTimesBetweenLooks == kTimesBetweenLooks - 1 && !walk.LookAround()) return;
    const bool better =
        i % kFreeEvery == 0 && !free_.empty() ? TryFreeValues(walk, variable, 0) : TrySwaps(walk, variable, halves);
    if (walk.failed() || walk.solved() || (better && !states_.InConflict(variable))) return;
  }
}

// True: the variable has taken the best of some free values, which changed the objective by no more than `most`.
bool Repair::TryFreeValues(Walk& walk, uint32_t variable, Cost most) {
  for (uint32_t& value : values_) value = free_.Any(walk.random());
  if (!states_.Sample(variable, values_, changes_.data())) return false;
  for (size_t i = 0; i < kSamples; ++i) walk.Watch(states_.MoveTo(variable, values_[i]), {&changes_[i], 1});
  const size_t best = static_cast<size_t>(std::ranges::min_element(changes_) - changes_.begin());
  return changes_[best] <= most && Take(walk, variable, values_[best], changes_[best]);
}

// True: the variable has swapped its value with one of some others. What is worse half way than it need be is not
// looked at further: for a permutation that means that the first one finds no new conflicts but with the second.
bool Repair::TrySwaps(Walk& walk, uint32_t variable, FirstHalves& halves) {
  std::array<uint32_t, kSamples> others;
  for (uint32_t& other : others) other = walk.random().Below32(states_.variables());
  for (size_t i = 0; i < kSamples; ++i) values_[i] = states_.value_of(others[i]);
  if (!states_.Sample(variable, values_, changes_.data())) return false;
  const uint32_t value = states_.value_of(variable);
  for (size_t i = 0; i < kSamples; ++i) {
    if (values_[i] == value || !states_.Leads(changes_[i]) || !halves.IsGood(changes_[i])) continue;
    if (Swap(walk, variable, others[i], changes_[i])) return true;
    if (walk.failed() || walk.solved()) return false;
  }
  return false;
}

// True: the two have swapped their values, which is better. `first` is the change of the first half.
bool Repair::Swap(Walk& walk, uint32_t variable, uint32_t other, Cost first) {
  const uint32_t value = states_.value_of(variable);
  const uint32_t wanted = states_.value_of(other);
  Cost second;
  if (!states_.Probe(variable, wanted, first)) return false;
  const bool valued = states_.Delta(other, value, second);
  if (!states_.Probe(variable, value, -first) || !valued || !states_.Leads(second) || first + second >= 0) return false;
  return Take(walk, variable, wanted, first) && !walk.solved() && Take(walk, other, value, second);
}

bool Repair::Take(Walk& walk, uint32_t variable, uint32_t value, Cost change) {
  free_.Move(states_.value_of(variable), value);
  return walk.Take({states_.MoveTo(variable, value), change});
}

}  // namespace astrolabe::engine
