// A set of subtrees, searched in batches: not node by node but always where most is to be done at once, so that the
// processor sees long runs of the same simple work. Expands exactly the nodes that a depth-first search of the same
// subtrees does, in another order.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_SEARCH_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "astrolabe/abi/ida.h"
#include "plugins/sliding_tile/batch_frame_pool.h"
#include "plugins/sliding_tile/batch_step.h"

namespace sliding_tile {

enum class BatchEnd {
  kExhausted,
  kGoal,     // one is among the nodes; the search broke off
  kStopped,  // poll said so
  kNoMemory,
};

class BatchSearch {
 public:
  // `frame_nodes`: a level that has as many is worked on at once; memory grows with it. `depth`: no path below a
  // subtree's root is longer. `run` has goal and table. `pool` outlives it. Throws std::bad_alloc.
  BatchSearch(const BatchSteps& steps, uint32_t frame_nodes, uint32_t depth, const BatchRun& run, BatchFramePool& pool)
      : steps_(steps),
        frame_nodes_(frame_nodes),
        run_(run),
        pool_(pool),
        levels_(depth + 2),
        frames_(pool.Take(levels_)) {}
  ~BatchSearch() { pool_.Give(std::move(frames_)); }
  BatchSearch(const BatchSearch&) = delete;
  BatchSearch& operator=(const BatchSearch&) = delete;

  // A root, before Search. False: no memory.
  bool Add(BatchNode node, uint32_t way);
  // poll is told `expanded` and `generated`, what is certain before the search.
  BatchEnd Search(astro_control_v1& control, uint64_t expanded, uint64_t generated);
  // Of the last Search, which must have been exhausted, goal or stopped.
  uint64_t expanded() const { return run_.expanded; }
  uint64_t generated() const { return run_.generated; }
  void Clear();

 private:
  bool Work(size_t depth);

  const BatchSteps& steps_;
  const uint32_t frame_nodes_;
  BatchRun run_;
  BatchFramePool& pool_;
  const size_t levels_;
  BatchFramePool::Frames frames_;  // at least so many
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_SEARCH_H_
