// FrameStack: the nodes of one depth-first path, root first. A frame stays where it is while deeper ones
// come and go, so children may point into their parent's.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_FRAME_STACK_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_FRAME_STACK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

// A node on the path, with its children once it is expanded.
struct Frame {
  const void* state;  // own_state, or built by the parent
  const void* aux;    // null when the heuristic carries none
  Cost g;
  Cost h;
  uint64_t hash;  // set when cycles are checked
  Op op;          // that led here
  uint32_t count;
  uint32_t next;  // the child considered next
  std::byte* own_state;
  std::byte* own_aux;  // of the root
  Op* ops;
  Cost* costs;
  Cost* hs;
  std::byte* child_aux;
  std::byte* child_states;  // when the heuristic judges built children only
  Cost* backed_up;          // of the children, if asked for
  uint32_t* order;          // of the children, where it is not theirs
  Frame* above;             // the parent's; null: of the root
  Frame* below;             // null: not made yet
};

class FrameStack {
 public:
  // What frames have besides states, operators and their costs.
  struct Parts {
    bool child_states = false;
    bool order = false;      // of the children
    bool backed_up = false;  // one more cost a child
  };

  // Throws std::bad_alloc, as At does.
  FrameStack(const SpaceInfo& space, size_t aux_size, const Parts& parts, MemoryAccount& memory);

  // The frame at `depth`; depth grows by at most one past the deepest so far.
  Frame& At(size_t depth) {
    const size_t block = depth >> shift_;
    if (block >= blocks_.size()) AddBlock();
    return *reinterpret_cast<Frame*>(blocks_[block].data() + (depth & mask_) * frame_bytes_);
  }
  size_t state_stride() const { return stride_; }
  // Makes the frames below the deepest there are.
  void Grow() { AddBlock(); }

 private:
  void AddBlock();

  MemoryAccount& memory_;
  uint32_t max_ops_;
  size_t aux_size_;
  Parts parts_;
  size_t stride_;
  size_t align_;
  size_t frame_bytes_;
  size_t shift_;
  size_t mask_;
  std::vector<Block> blocks_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_FRAME_STACK_H_
