#include "daemon/engine/local/repair.h"

namespace astrolabe::engine {
namespace {

// Values that no variable has, drawn for one variable in a pass.
constexpr int kFreeTries = 16;
// A pass over all variables pays where more than one in so many is in conflict.
constexpr Cost kSparse = 256;
// Samples for one variable on the list: at first, how they grow from pass to pass, and, for each of all variables, at
// last.
constexpr uint64_t kFirstTries = 256;
constexpr uint64_t kMoreTries = 4;
constexpr uint64_t kLastTries = 16;
// Every so many of them is a free value, the others are swaps.
constexpr uint64_t kFreeEvery = 8;
constexpr uint32_t kSamplesBetweenLooks = 1 << 16;

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
    if (tries >= kLastTries * states_.variables()) break;
    tries *= kMoreTries;
  }
  if (walk.failed()) return ClimbEnd::kFailed;
  return walk.solved() ? ClimbEnd::kSolved : ClimbEnd::kStuck;
}

// One pass: each variable in conflict tries some of the values that are free.
void Repair::ToFreeValues(Walk& walk) {
  for (uint32_t variable = 0; variable < states_.variables() && !free_.empty(); ++variable) {
    if (variable % kSamplesBetweenLooks == kSamplesBetweenLooks - 1 && !walk.LookAround()) return;
    if (!states_.InConflict(variable)) continue;
    if (Over(walk) || !walk.Look()) return;
    for (int i = 0; i < kFreeTries && !free_.empty(); ++i) {
      if (TryFreeValue(walk, variable, -1) && !states_.InConflict(variable)) break;
      if (walk.failed() || walk.solved()) return;
    }
  }
}

void Repair::Collect(Walk& walk) {
  work_.clear();
  for (uint32_t variable = 0; variable < states_.variables(); ++variable) {
    if (variable % kSamplesBetweenLooks == kSamplesBetweenLooks - 1 && !walk.LookAround()) return;
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
  for (uint64_t i = 0; i < tries; ++i) {
    if (i % kSamplesBetweenLooks == kSamplesBetweenLooks - 1 && !walk.LookAround()) return;
    const bool better = i % kFreeEvery == 0 && !free_.empty()
                            ? TryFreeValue(walk, variable, 0)
                            : TrySwap(walk, variable, walk.random().Below32(states_.variables()));
    if (walk.failed() || walk.solved() || (better && !states_.InConflict(variable))) return;
  }
}

// True: the variable has taken a free value, which changed the objective by no more than `most`.
bool Repair::TryFreeValue(Walk& walk, uint32_t variable, Cost most) {
  const uint32_t value = free_.Any(walk.random());
  Cost change;
  if (!states_.Delta(variable, value, change)) return false;
  walk.Watch(states_.MoveTo(variable, value), {&change, 1});
  return change <= most && Take(walk, variable, value, change);
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
