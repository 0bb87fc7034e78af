// The score of the classic greedy solver: places that do not hold what the goal has there, the blank's among them.
#ifndef ASTROLABE_PLUGINS_TILES_MISMATCHES_H_
#define ASTROLABE_PLUGINS_TILES_MISMATCHES_H_

#include <cstdint>

#include "astrolabe/tiles/board.h"

namespace tiles {

// A base of heuristics. Instance: of the domain. Not admissible: one move from the goal two places differ.
template <class Instance>
class Mismatches {
 public:
  explicit Mismatches(const Instance& instance) : instance_(instance) {}

  int64_t Evaluate(const Board& board) const {
    int64_t h = 0;
    for (int place = 0; place < board.cells(); ++place) h += Differs(board.tile(place), place);
    return h;
  }
  template <class Move>
  int64_t EvaluateMove(const Board& parent, int64_t parent_h, const Move& move) const {
    const int tile = parent.tile(move.from);
    return parent_h + Differs(tile, move.to) + Differs(0, move.from) - Differs(tile, move.from) - Differs(0, move.to);
  }
  int64_t MaxH() const { return instance_.cells(); }

 protected:
  const Instance& instance() const { return instance_; }
  int Differs(int tile, int place) const { return instance_.goal_tile(place) == tile ? 0 : 1; }

 private:
  Instance instance_;
};

}  // namespace tiles

#endif  // ASTROLABE_PLUGINS_TILES_MISMATCHES_H_
