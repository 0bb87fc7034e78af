#include "daemon/engine/local/repair.h"

namespace astrolabe::engine {
namespace {

// Values that no variable has, drawn for one variable in a pass.
constexpr int kFreeTries = 16;
// Other variables drawn to swap with, in a pass.
constexpr int kSwapTries = 256;
// Every so many of them a free value is tried as well.
constexpr int kFreeEvery = 8;
constexpr uint32_t kBetweenLooks = 1 << 16;

}  // namespace

ClimbEnd Repair::Run(Walk& walk) {
  free_.Reset(states_.variables(), states_.values(), [this](uint32_t v) { return states_.value_of(v); });
  for (Cost before = kInfinity; !free_.empty() && walk.objective() < before - before / 8 && !Over(walk);) {
    before = walk.objective();
    ToFreeValues(walk);
  }
  for (Cost before = kInfinity; walk.objective() < before && !Over(walk);) {
    before = walk.objective();
    Collect(walk);
    for (uint32_t variable : work_) {
      if (Over(walk)) break;
      if (states_.InConflict(variable)) Mend(walk, variable);
    }
  }
  if (walk.failed()) return ClimbEnd::kFailed;
  return walk.solved() ? ClimbEnd::kSolved : ClimbEnd::kStuck;
}

// One pass: each variable in conflict tries some of the values that are free.
void Repair::ToFreeValues(Walk& walk) {
  for (uint32_t variable = 0; variable < states_.variables() && !free_.empty(); ++variable) {
    if (variable % kBetweenLooks == kBetweenLooks - 1 && !walk.LookAround()) return;
    if (!states_.InConflict(variable)) continue;
    if (Over(walk) || !walk.Look()) return;
    for (int i = 0; i < kFreeTries && !free_.empty(); ++i) {
      if (TryFreeValue(walk, variable) && !states_.InConflict(variable)) break;
      if (walk.failed() || walk.solved()) return;
    }
  }
}

void Repair::Collect(Walk& walk) {
  work_.clear();
  for (uint32_t variable = 0; variable < states_.variables(); ++variable) {
    if (variable % kBetweenLooks == kBetweenLooks - 1 && !walk.LookAround()) return;
    if (states_.InConflict(variable)) work_.push_back(variable);
  }
}

void Repair::Mend(Walk& walk, uint32_t variable) {
  if (!walk.Look()) return;
  for (int i = 0; i < kSwapTries; ++i) {
    const bool better = i % kFreeEvery == 0 && !free_.empty()
                            ? TryFreeValue(walk, variable)
                            : TrySwap(walk, variable, walk.random().Below32(states_.variables()));
    if (walk.failed() || walk.solved() || (better && !states_.InConflict(variable))) return;
  }
}

bool Repair::TryFreeValue(Walk& walk, uint32_t variable) {
  const uint32_t value = free_.Any(walk.random());
  Cost change;
  if (!states_.Delta(variable, value, change)) return false;
  walk.Watch(states_.MoveTo(variable, value), {&change, 1});
  return change < 0 && Take(walk, variable, value, change);
}

// True: the two have swapped their values. What is worse half way is not looked at further: for a permutation that
// means that the first one finds no new conflicts but with the second.
bool Repair::TrySwap(Walk& walk, uint32_t variable, uint32_t other) {
  const uint32_t value = states_.value_of(variable);
  const uint32_t wanted = states_.value_of(other);
  Cost first;
  Cost second;
  if (value == wanted || !states_.Delta(variable, wanted, first) || first > 0) return false;
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
