// The batched kernel: iterative deepening on a 4x4 board with an additive table of +1 and -1, several times as fast as
// the register kernel, with the same counts and the same path.
//
// An iteration is cut at a fixed depth into subtrees, in depth-first order. Groups of them are searched in batches, in
// any order inside a group. A group without a goal costs what depth-first search would have counted. One with a goal is
// cut into smaller groups, and the first small one that has it is given to the register kernel, which finds the goal
// that depth-first search finds first.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_KERNEL_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_KERNEL_H_

#include <cstdint>
#include <optional>
#include <span>

#include "plugins/sliding_tile/batch_frame_pool.h"
#include "plugins/sliding_tile/batch_step.h"
#include "plugins/sliding_tile/register_run.h"

namespace sliding_tile {

inline constexpr int kMaxCutDepth = 24;

struct BatchOptions {
  const BatchSteps* steps = nullptr;
  int cut_depth = 14;              // of the roots of subtrees, below a single root
  uint32_t least_subtrees = 1024;  // with fewer the iteration is too small to gain; an eighth of it below several roots
  uint32_t groups = 32;            // of an iteration; one below several roots
  uint32_t frame_nodes = 4096;     // see BatchSearch
  uint64_t small_group = 200'000;  // expansions; left to the register kernel
  BatchFramePool* frames = nullptr;  // where buckets come from and go to; null: they are the call's own
};

// The numbers above and the steps for this processor.
BatchOptions DefaultBatchOptions();

// A node below which the iteration, or the part of it that is asked for, is searched.
struct BatchRoot {
  uint64_t state;
  uint32_t blank;
  uint32_t back;  // direction in which the last move is undone; 4: there was none
  int64_t slack;  // bound - f
};

// One iteration, or the part of it below `roots`, none of which is below another. `depth`: the longest path below a
// root within the bound. run has table, goal, control and path, and nothing counted; on return its counts and path,
// which begins at `found_root`, are those of RegisterKernel::SearchFrom of one root after the other, but when it was
// stopped the nodes counted are those of whole groups. nullopt: it is too small, or there is no memory to begin with;
// nothing has happened then.
std::optional<End> RunBatchKernel(const BatchOptions& options, AdditiveRun& run, std::span<const BatchRoot> roots,
                                  uint32_t depth, uint32_t& found_root);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_KERNEL_H_
