// The depth-first kernel of iterative deepening, for any space: tier T2. Stamped into the library of
// every problem written with the SDK, so that operators are inlined and only the heuristic is called
// through a pointer, once an expansion.
//
// Contract: astro_ida_v1 in the ABI. The stack is explicit, so a deep path costs heap, never the
// thread's stack.
#ifndef ASTROLABE_SDK_IDA_KERNEL_H_
#define ASTROLABE_SDK_IDA_KERNEL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "astrolabe/abi/ida.h"
#include "astrolabe/sdk/ida_roots.h"
#include "astrolabe/sdk/info.h"
#include "astrolabe/sdk/memory.h"
#include "astrolabe/sdk/space.h"

namespace astro::internal {

inline size_t AlignUp(size_t size, size_t align) { return (size + align - 1) / align * align; }

// Frames of one size at stable, 64-byte aligned addresses, allocated as the search goes deeper.
class FrameStack {
 public:
  explicit FrameStack(size_t frame_size) : frame_size_(AlignUp(frame_size, kMaxAlign)) {
    while ((frame_size_ << shift_) < kChunkBytes && shift_ < 10) ++shift_;
  }

  // Throws std::bad_alloc.
  std::byte* At(size_t depth) {
    const size_t chunk = depth >> shift_;
    if (chunk >= chunks_.size()) [[unlikely]]
      Grow(chunk);
    return chunks_[chunk].get() + (depth & ((size_t{1} << shift_) - 1)) * frame_size_;
  }

 private:
  static constexpr size_t kChunkBytes = 64 << 10;

  [[gnu::noinline]] void Grow(size_t chunk) {
    while (chunks_.size() <= chunk) {
      chunks_.push_back(AllocateAligned(frame_size_ << shift_));
    }
  }

  size_t frame_size_;
  int shift_ = 0;
  std::vector<AlignedBytes> chunks_;
};

// The host's limits, and what was counted. Exact: asked before each expansion and each child.
class Meter {
 public:
  explicit Meter(astro_control_v1* control) : control_(control) { Load(); }

  // False: stop at once.
  bool CountExpansion() {
    if (expanded_ >= expand_limit_ && !Poll()) [[unlikely]]
      return false;
    ++expanded_;
    return true;
  }
  bool CountChild() {
    if (generated_ >= generate_limit_ && !Poll()) [[unlikely]]
      return false;
    ++generated_;
    return true;
  }
  uint64_t expanded() const { return expanded_; }
  uint64_t generated() const { return generated_; }

 private:
  void Load() {
    expand_limit_ = control_->expand_limit;
    generate_limit_ = control_->generate_limit;
  }
  [[gnu::noinline]] bool Poll() {
    const bool go_on = control_->poll(control_, expanded_, generated_) != 0;
    Load();
    return go_on;
  }

  astro_control_v1* control_;
  uint64_t expand_limit_ = 0;
  uint64_t generate_limit_ = 0;
  uint64_t expanded_ = 0;
  uint64_t generated_ = 0;
};

template <Space S>
class IdaKernel {
 public:
  IdaKernel(const S& space, const SpaceInfo& info, astro_ida_v1& call)
      : space_(space),
        call_(call),
        heuristic_(*call.heuristic),
        meter_(call.control),
        state_size_(info.state_size),
        aux_size_(call.aux_size),
        max_ops_(std::max(info.max_ops, 1u)),
        layout_(*this),
        frames_(layout_.size) {
    if constexpr (InPlaceSpace<S>) state_ = AllocateAligned(state_size_);
    if (heuristic_.eval_ops == nullptr) scratch_ = AllocateAligned(state_size_);
  }

  int32_t Run() {
    call_.next_bound = kDeadEnd;
    call_.path_len = 0;
    call_.path_cost = 0;
    call_.used_additive = 0;
    int32_t end;
    try {
      end = Search();
    } catch (const std::bad_alloc&) {
      // No memory for a deeper stack: the host's own engine, which accounts for its memory, is to take over.
      end = ASTRO_IDA_TOO_DEEP;
    }
    call_.expanded = meter_.expanded();
    call_.generated = meter_.generated();
    return end;
  }

 private:
  // One frame: header, operators, costs, h, aux of the children, state.
  struct Header {
    int64_t g;
    uint32_t count;
    uint32_t next;  // the child to consider next
  };
  struct Layout {
    explicit Layout(const IdaKernel& kernel) {
      const size_t n = kernel.max_ops_;
      costs = sizeof(Header);
      h = costs + n * sizeof(int64_t);
      ops = h + n * sizeof(int64_t);
      aux = AlignUp(ops + n * sizeof(Op), 16);
      state = AlignUp(aux + n * kernel.aux_size_, kMaxAlign);
      size = state + (InPlaceSpace<S> ? 0 : kernel.state_size_);
    }
    size_t costs, h, ops, aux, state, size;
  };
  struct Frame {
    Frame(std::byte* base, const Layout& layout)
        : header(reinterpret_cast<Header*>(base)),
          costs(reinterpret_cast<int64_t*>(base + layout.costs)),
          h(reinterpret_cast<int64_t*>(base + layout.h)),
          ops(reinterpret_cast<Op*>(base + layout.ops)),
          aux(base + layout.aux),
          own_state(base + layout.state) {}
    Header* header;
    int64_t* costs;
    int64_t* h;
    Op* ops;
    std::byte* aux;
    std::byte* own_state;
  };

  void* StateOf(const Frame& frame) const {
    if constexpr (InPlaceSpace<S>) {
      return state_.get();
    } else {
      return frame.own_state;
    }
  }

  int32_t Search() {
    const IdaRoots roots(call_);
    for (uint32_t i = 0; i < roots.size(); ++i) {
      const int32_t end = SearchBelow(roots[i]);
      if (end == ASTRO_IDA_FOUND) roots.SetFound(i);
      if (end != ASTRO_IDA_EXHAUSTED) return end;
    }
    return ASTRO_IDA_EXHAUSTED;
  }

  int32_t SearchBelow(const IdaRoot& root) {
    // A bound of "infinity" still cuts dead ends.
    const int64_t bound = std::min(call_.bound, kDeadEnd - 1);
    if (root.h > bound - root.g) {
      Cut(root.g, root.h);
      return ASTRO_IDA_EXHAUSTED;
    }
    uint32_t depth = 0;
    Frame frame(frames_.At(0), layout_);
    std::memcpy(StateOf(frame), root.state, state_size_);
    frame.header->g = root.g;
    int32_t end = Enter(frame, root.last_op, root.h, root.aux);
    while (end == kGoOn) {
      Header& header = *frame.header;
      if (header.next == header.count) {
        if (depth == 0) return ASTRO_IDA_EXHAUSTED;
        --depth;
        if constexpr (InPlaceSpace<S>) space_.Undo(Out<S>(state_.get()), call_.path[depth]);
        frame = Frame(frames_.At(depth), layout_);
        continue;
      }
      if (!meter_.CountChild()) return ASTRO_IDA_STOPPED;
      const uint32_t child = header.next++;
      const int64_t h = frame.h[child];
      const int64_t g = header.g + frame.costs[child];
      if (h > bound - g) {
        Cut(g, h);
        continue;
      }
      if (depth == call_.path_cap) return ASTRO_IDA_TOO_DEEP;
      const Op op = frame.ops[child];
      call_.path[depth++] = op;
      Frame below(frames_.At(depth), layout_);
      below.header->g = g;
      if constexpr (InPlaceSpace<S>) {
        space_.Move(Out<S>(state_.get()), op);
      } else {
        space_.Apply(In<S>(frame.own_state), op, Out<S>(below.own_state));
      }
      end = Enter(below, op, h, frame.aux + size_t{child} * aux_size_);
      frame = below;
    }
    if (end == ASTRO_IDA_FOUND) {
      call_.path_len = depth;
      call_.path_cost = frame.header->g;
    }
    return end;
  }

  static constexpr int32_t kGoOn = 0;

  // Goal test, then expansion of a node whose state is in place.
  int32_t Enter(const Frame& frame, Op last_op, int64_t h, const void* aux) {
    void* state = StateOf(frame);
    if (space_.IsGoal(In<S>(state))) return ASTRO_IDA_FOUND;
    if (!meter_.CountExpansion()) return ASTRO_IDA_STOPPED;
    const uint32_t count = space_.Ops(In<S>(state), last_op, frame.ops, frame.costs);
    frame.header->count = count;
    frame.header->next = 0;
    if (count == 0) return kGoOn;
    if (heuristic_.eval_ops != nullptr) [[likely]] {
      heuristic_.eval_ops(call_.context, state, h, aux_size_ == 0 ? nullptr : aux, frame.ops, count, frame.h,
                          aux_size_ == 0 ? nullptr : frame.aux);
    } else {
      EvaluateChildren(state, frame, count);
    }
    return kGoOn;
  }

  void EvaluateChildren(const void* state, const Frame& frame, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      space_.Apply(In<S>(state), frame.ops[i], Out<S>(scratch_.get()));
      frame.h[i] = heuristic_.eval(call_.context, scratch_.get());
      if (aux_size_ != 0 && heuristic_.root_aux != nullptr) {
        heuristic_.root_aux(call_.context, scratch_.get(), frame.aux + size_t{i} * aux_size_);
      }
    }
  }

  void Cut(int64_t g, int64_t h) {
    int64_t f;
    if (h == kDeadEnd || __builtin_add_overflow(g, h, &f)) return;
    call_.next_bound = std::min(call_.next_bound, f);
  }

  const S& space_;
  astro_ida_v1& call_;
  const astro_heuristic_v1& heuristic_;
  Meter meter_;
  size_t state_size_;
  uint32_t aux_size_;
  uint32_t max_ops_;
  Layout layout_;
  FrameStack frames_;
  AlignedBytes state_;    // in-place spaces: the one state
  AlignedBytes scratch_;  // heuristics without eval_ops
};

// One iteration of the host's search.
template <Space S>
int32_t RunIda(const S& space, const SpaceInfo& info, astro_ida_v1& call) {
  return IdaKernel<S>(space, info, call).Run();
}

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_IDA_KERNEL_H_
