#include "daemon/engine/structures/frame_stack.h"

#include <algorithm>
#include <new>
#include <utility>

#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

constexpr size_t kBlockBytes = size_t{16} << 10;

}  // namespace

FrameStack::FrameStack(const SpaceInfo& space, size_t aux_size, const Parts& parts, MemoryAccount& memory)
    : memory_(memory),
      max_ops_(space.max_ops + kSpareOps),
      aux_size_(aux_size),
      parts_(parts),
      stride_(StateStride(space)) {
  align_ = std::max<size_t>(space.state_align, alignof(Frame));
  // Packed: the frames of a whole path should fit the first-level cache.
  frame_bytes_ = RoundUp(sizeof(Frame), align_) + stride_;
  if (parts_.child_states) frame_bytes_ += max_ops_ * stride_;
  frame_bytes_ += max_ops_ * (2 * sizeof(Cost) + sizeof(Op));
  if (parts_.backed_up) frame_bytes_ += max_ops_ * sizeof(Cost);
  if (parts_.order) frame_bytes_ += max_ops_ * sizeof(uint32_t);
  if (aux_size_ > 0) frame_bytes_ += (max_ops_ + 1) * RoundUp(aux_size_, 8);
  frame_bytes_ = RoundUp(frame_bytes_, align_);
  shift_ = 0;
  while ((frame_bytes_ << (shift_ + 1)) <= kBlockBytes) ++shift_;
  mask_ = (size_t{1} << shift_) - 1;
}

void FrameStack::AddBlock() {
  const size_t frames = size_t{1} << shift_;
  blocks_.reserve(blocks_.size() + 1);
  Block block(memory_, frames * frame_bytes_);
  Frame* above = blocks_.empty() ? nullptr : &At((blocks_.size() << shift_) - 1);
  for (size_t i = 0; i < frames; ++i) {
    std::byte* p = block.data() + i * frame_bytes_;
    auto* frame = new (p) Frame{};
    frame->above = above;
    if (above != nullptr) above->below = frame;
    above = frame;
    p += RoundUp(sizeof(Frame), align_);
    frame->own_state = p;
    p += stride_;
    if (parts_.child_states) {
      frame->child_states = p;
      p += max_ops_ * stride_;
    }
    frame->costs = reinterpret_cast<Cost*>(p);
    p += max_ops_ * sizeof(Cost);
    frame->hs = reinterpret_cast<Cost*>(p);
    p += max_ops_ * sizeof(Cost);
    if (parts_.backed_up) {
      frame->backed_up = reinterpret_cast<Cost*>(p);
      p += max_ops_ * sizeof(Cost);
    }
    if (aux_size_ > 0) {
      frame->own_aux = p;
      p += RoundUp(aux_size_, 8);
      frame->child_aux = p;
      p += max_ops_ * RoundUp(aux_size_, 8);
    }
    frame->ops = reinterpret_cast<Op*>(p);
    if (parts_.order) frame->order = reinterpret_cast<uint32_t*>(p + max_ops_ * sizeof(Op));
  }
  blocks_.push_back(std::move(block));
}

}  // namespace astrolabe::engine
