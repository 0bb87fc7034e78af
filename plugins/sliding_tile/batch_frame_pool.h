// BatchFramePool: the buckets of batched searches that have ended, for those to come: a search on several threads is
// cut into many short ones, and buckets that grow from nothing each time cost as much as a third of the search.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_FRAME_POOL_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_FRAME_POOL_H_

#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "plugins/sliding_tile/batch_frames.h"

namespace sliding_tile {

// Keeps as much as its users held at one time, some megabytes for each thread, until it is destroyed. Thread-safe.
class BatchFramePool {
 public:
  using Frames = std::vector<BatchFrame>;

  // At least `count` empty frames. Throws std::bad_alloc.
  Frames Take(size_t count) {
    Frames frames;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!kept_.empty()) {
        frames = std::move(kept_.back());
        kept_.pop_back();
      }
    }
    if (frames.size() < count) frames.resize(count);
    return frames;
  }

  // What was taken, in any state. When there is no memory to keep it, it is freed.
  void Give(Frames frames) noexcept {
    for (BatchFrame& frame : frames) frame.Clear();
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
      kept_.push_back(std::move(frames));
    } catch (const std::bad_alloc&) {  // frames is as it was, and goes
    }
  }

 private:
  std::mutex mutex_;
  std::vector<Frames> kept_;
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_FRAME_POOL_H_
