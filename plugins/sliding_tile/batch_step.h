// The inner loop of the batched kernel on a 4x4 board: a run of nodes with the same blank and the same way back is
// expanded, and the children that stay within the bound go to the buckets of the next depth.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_STEP_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_STEP_H_

#include <array>
#include <cstdint>

#include "plugins/sliding_tile/batch_frames.h"

namespace sliding_tile {

struct BatchRun {
  uint64_t raises[16][4] = {};  // by square of the blank and direction; bit 63 - t: moving tile t there raises h
  uint64_t goal = 0;
  uint32_t goal_blank = 0;
  uint64_t expanded = 0;
  uint64_t generated = 0;
  bool goal_seen = false;
};

// Takes the last `count` nodes of bucket 4 * blank + back out of `from` and puts their children into `to`. False: no
// memory; nothing has happened then.
using BatchStep = bool (*)(BatchRun& run, BatchFrame& from, BatchFrame& to, uint32_t count);

// By bucket; null where no node can be.
using BatchSteps = std::array<BatchStep, BatchFrame::kWays>;

const BatchSteps& PortableSteps();
// Four nodes at a time with AVX2; null: this processor has none.
const BatchSteps* VectorSteps();

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_STEP_H_
