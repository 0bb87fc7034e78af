// Repair: takes a random state of very many variables near to a solution, by samples. After Sosic and Gu, "Efficient
// local search with conflict minimization: a case study of the n-queens problem", 1994, without their knowledge of
// queens: a value that no variable has is a good candidate where values exclude each other, and what has become a
// permutation is mended by swaps.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_REPAIR_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_REPAIR_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/engine/local/factored.h"
#include "daemon/engine/local/free_values.h"
#include "daemon/engine/local/local_search.h"

namespace astrolabe::engine {

class Repair {
 public:
  Repair(FactoredNeighbourhood& states, MemoryAccount& memory)
      : states_(states), free_(memory), work_(AccountedAllocator<uint32_t>(memory)) {}

  // From the present state of the walk, which goes through `states`. kStuck: the samples lead no further, or the climb
  // is out of steps. Throws std::bad_alloc.
  ClimbEnd Run(Walk& walk);

 private:
  // Which first halves of the swaps of one variable are worth a look at the second one. Half way two variables have the
  // same value, and what that costs is for the objective to say: where no first half is for the better, the best is as
  // good as any.
  class FirstHalves {
   public:
    bool IsGood(Cost change) {
      if (change < least_) least_ = change;
      if (++seen_ == kUntilMeasured) most_ = std::max(most_, least_);
      return change <= most_;
    }

   private:
    static constexpr size_t kUntilMeasured = 32;  // swaps

    Cost most_ = 0;
    Cost least_ = kNoStep;
    size_t seen_ = 0;
  };

  // The walk failed, is solved, or has no steps left.
  static bool Over(Walk& walk) { return walk.failed() || walk.solved() || walk.OutOfSteps(); }
  void ToFreeValues(Walk& walk);
  void Collect(Walk& walk);
  void MendAll(Walk& walk, uint64_t tries);
  void Mend(Walk& walk, uint32_t variable, uint64_t tries);
  bool TryFreeValues(Walk& walk, uint32_t variable, Cost most);
  bool TrySwaps(Walk& walk, uint32_t variable, FirstHalves& halves);
  bool Swap(Walk& walk, uint32_t variable, uint32_t other, Cost first);
  bool Take(Walk& walk, uint32_t variable, uint32_t value, Cost change);

  // Values that are tried for one variable at once.
  static constexpr size_t kSamples = 8;

  FactoredNeighbourhood& states_;
  FreeValues free_;
  std::array<uint32_t, kSamples> values_{};
  std::array<Cost, kSamples> changes_{};
  std::vector<uint32_t, AccountedAllocator<uint32_t>> work_;  // variables in conflict
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_REPAIR_H_
