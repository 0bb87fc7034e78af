// TranspositionTable: states that an iteration of a depth-first search has met, so that it need not enter one again
// for every path to it (Reinefeld and Marsland, Enhanced Iterative-Deepening Search, 1994). States are compared whole:
// no two are ever taken for one.
//
// A state is pruned at cost g when it was entered before
//   (a) in this iteration, at cost g or less, or
//   (b) in any iteration, at less than g.
// Why that is complete. Iterations have rising bounds, and only exhausted ones are followed by another; in those all
// children of all entered nodes were considered. Let b(s) be the least g at which s was entered so far.
//   1. Every state once entered is entered at b(s) in each later exhausted iteration. For the way by which b(s) was
//      reached consists of states at their own b (a cheaper way to one of them would have made b(s) less), so, from the
//      root on, each of them is considered at its b again, within the bound, and (b) does not apply: either it is
//      entered, or by (a) it has been already.
//   2. Let a path of cost c to a goal have no node beyond the bound (and, where max_cost is kept by g, none beyond
//      that), and let the iteration be exhausted without a goal. Among the nodes entered at no more than their g on
//      this path - the root is one - take the last. Its successor on the path was considered at no more than its g
//      there, and was not entered; so it was pruned, by (a) or (b) or as a state of the current path, and by 1. it is
//      entered in this iteration at no more than that g. That contradicts "last".
//   3. In the same way, if the least cost is above the bound and h is admissible, the successor was cut by the bound:
//      at f <= the least cost. So the smallest f that was cut is a lower bound for the next iteration.
// None of this needs an entry to be kept: a lost one prunes nothing. It holds on one thread only.
//
// Cuts: a state that is beyond the bound on one path may be entered on another. A cut that is kept in the table and is
// not entered in the end counts for the next bound; others do not. So the bound rises from one distance to the next
// and a finite space that fits is exhausted after as many iterations as there are distances, not after every length
// of a path.
//
// Replacement: a place has eight neighbours. When all are taken and the table may not grow, an entry makes room for a
// newly entered state: a cut before an entered state, of an older iteration before one of this, of a large g before a
// small one (above it hangs less).
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_TRANSPOSITION_TABLE_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_TRANSPOSITION_TABLE_H_

#include <cstddef>
#include <cstdint>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

class TranspositionTable {
 public:
  // Takes least_bytes at once and grows to most_bytes; one that may not grow any more, or is refused memory for it,
  // goes on by replacement. With room for fewer than eight states it keeps nothing. Throws std::bad_alloc.
  TranspositionTable(size_t state_size, size_t least_bytes, size_t most_bytes, MemoryAccount& memory);

  void BeginIteration();
  // False: to be pruned. `hash` is HashBytes of the state.
  bool Enter(const void* state, uint64_t hash, Cost g);
  // f is beyond the bound.
  void Cut(const void* state, uint64_t hash, Cost f);
  // Smallest f of this iteration's cuts that were not entered; kInfinity: none.
  Cost LeastCut() const;

 private:
  static constexpr size_t kWays = 8;
  struct Slot {
    Cost value;      // entered: g; cut: f
    uint64_t stamp;  // 2 * iteration, + 1: cut; 0: empty
    std::byte* state() { return reinterpret_cast<std::byte*>(this + 1); }
    const std::byte* state() const { return reinterpret_cast<const std::byte*>(this + 1); }
    bool cut() const { return (stamp & 1) != 0; }
  };

  Slot& At(size_t i) const { return *reinterpret_cast<Slot*>(slots_.data() + i * slot_bytes_); }
  // Neighbour i of the place of a hash.
  Slot& Neighbour(uint64_t hash, size_t i) const {
    const auto place = static_cast<size_t>(static_cast<unsigned __int128>(hash) * count_ >> 64) + i;
    return At(place < count_ ? place : place - count_);
  }
  // The state's slot, or an empty one, or null: all places are taken by others.
  Slot* Find(const void* state, uint64_t hash) const;
  Slot& MakeRoom(uint64_t hash);
  void Put(Slot& slot, const void* state, Cost value, uint64_t stamp);
  // False: it may not.
  bool Grow();

  MemoryAccount& memory_;
  const size_t state_size_;
  const size_t slot_bytes_;
  size_t most_slots_;
  size_t count_ = 0;  // slots; 0: nothing is kept
  Block slots_;
  uint64_t iteration_ = 0;
  Cost lost_cut_ = kInfinity;  // smallest f of a cut of this iteration that was not kept
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_TRANSPOSITION_TABLE_H_
