// Pace: keeps the threads of HDA* near one f. Without it a thread whose share has run out of nodes of the least f goes
// on with dearer ones while the other, perhaps not even on a processor, is far behind: most of what it expands then, A*
// would never have touched.
//
// 1. A thread may expand what has at most the least f of all: of every open list, and of every message on its way.
// 2. It may run ahead of that by a part of what it has expanded, so that nobody waits where values of f are many and
//    each has few nodes. So all together expand that part too much at most.
// 3. Else it waits until the least f has risen, or a message comes. So it does when another does not keep up with what
// it
//    is sent: messages are memory too.
//
// This decides when nodes are expanded, never whether: bounds and the end of the search do not rest on it. The least f
// may be out of date for a moment, but never for longer: what lies in a box is counted exactly as long as it lies
// there, since both change while the box is locked. No thread whose f is the least waits, so somebody always goes on.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_PACE_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_PACE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "daemon/engine/domain.h"

namespace astrolabe::engine {

class Pace {
 public:
  explicit Pace(uint32_t threads) : cells_(threads) {}

  // --- the thread itself: `self` ---
  // The least f of its open list. True: that differs from what it told last.
  bool Tell(uint32_t self, Cost f) {
    Cell& cell = cells_[self];
    if (f == cell.open.load(std::memory_order_relaxed)) return false;
    cell.open = f;
    return true;
  }
  // True when `count` nodes with this f may be expanded now; `expanded`: what the thread has expanded so far.
  bool MayExpand(uint32_t self, Cost f, uint32_t count, uint64_t expanded) {
    Cell& cell = cells_[self];
    if (f <= cell.known_least) return true;
    cell.known_least = LeastF();
    if (f <= cell.known_least) {
      cell.ahead = 0;
      return true;
    }
    if (cell.ahead + count > std::max(kLeastAhead, expanded / kPartAhead)) return false;
    cell.ahead += count;
    return true;
  }
  // All messages in its box are taken, which is locked: they count as its own from now on.
  void Received(uint32_t self) {
    Cell& cell = cells_[self];
    Tell(self, std::min(cell.open.load(std::memory_order_relaxed), cell.sent.load()));
    cell.sent = kInfinity;
  }
  // Around a wait of a thread that has nothing to do.
  void BeginRest() { resting_.fetch_add(1); }
  void EndRest() { resting_.fetch_sub(1); }
  // Around a wait of one that may not go on with nodes of this f.
  void BeginWait(uint32_t self, Cost f) {
    cells_[self].waits_with = f;
    waiting_.fetch_add(1);
  }
  void EndWait(uint32_t self) {
    cells_[self].waits_with = kNothing;
    waiting_.fetch_sub(1);
  }

  // --- any thread ---
  // A message is put into the box of `to`, which is locked.
  void Sent(uint32_t to, Cost f) {
    std::atomic<Cost>& sent = cells_[to].sent;
    if (f < sent.load(std::memory_order_relaxed)) sent = f;
  }
  Cost LeastF() const {
    Cost least = kInfinity;
    for (const Cell& cell : cells_) least = std::min({least, cell.open.load(), cell.sent.load()});
    return least;
  }
  bool anyone_rests() const { return resting_.load(std::memory_order_relaxed) > 0; }
  // After Tell gave true, and after a box was emptied: calls wake(thread) for those that wait and have the least f.
  template <typename Wake>
  void WakeWaiting(Wake wake) {
    if (waiting_.load() == 0) return;
    const Cost least = LeastF();
    for (uint32_t i = 0; i < cells_.size(); ++i) {
      const Cost f = cells_[i].waits_with.load();
      if (f != kNothing && f <= least) wake(i);
    }
  }

 private:
  static constexpr Cost kNothing = -1;
  static constexpr uint64_t kLeastAhead = 256;
  static constexpr uint64_t kPartAhead = 16;

  struct alignas(64) Cell {
    std::atomic<Cost> open{kInfinity};
    std::atomic<Cost> sent{kInfinity};
    std::atomic<Cost> waits_with{kNothing};
    // The thread's own.
    Cost known_least = -1;
    uint64_t ahead = 0;
  };

  std::vector<Cell> cells_;
  alignas(64) std::atomic<int> waiting_{0};
  std::atomic<int> resting_{0};
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_PACE_H_
