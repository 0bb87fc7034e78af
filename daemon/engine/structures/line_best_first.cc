#include "daemon/engine/structures/line_best_first.h"

#include <array>
#include <cstring>

#include "daemon/engine/structures/line_nodes.h"
#include "daemon/engine/structures/walk_back.h"

namespace astrolabe::engine {
namespace {

template <size_t kSlot>
class LineBestFirst final : public BestFirstNodes {
 public:
  LineBestFirst(const StateSpace& space, const BestFirstNeeds& needs, MemoryAccount& memory)
      : space_(space), nodes_(needs.ties, needs.reopen, memory) {}

  void AddRoot(const void* state, Cost h) override {
    std::memcpy(root_.data(), state, space_.info().state_size);
    nodes_.Put(root_.data(), HashSlot<kSlot>(root_.data()), h, 0, kNoOp);
  }

  uint32_t Pop(ParentBatch& batch) override { return nodes_.Pop(batch); }

  void Prefetch(ChildBatch& batch, uint32_t first) override {
    const std::byte* state = batch.State(first);
    uint64_t* const hash = batch.hash;
    for (uint32_t i = first, end = batch.count; i < end; ++i, state += batch.stride) {
      hash[i] = HashSlot<kSlot>(state);
      nodes_.Prefetch(hash[i]);
    }
  }

  void Commit(const ParentBatch&, ChildBatch& batch, uint32_t first) override {
    const ChildArrays c = batch;
    const size_t stride = batch.stride;
    const std::byte* state = batch.State(first);
    for (uint32_t i = first, end = batch.count; i < end; ++i, state += stride) {
      if (c.verdict[i] == Verdict::kNew) c.verdict[i] = nodes_.Put(state, c.hash[i], c.f[i], c.g[i], c.op[i]);
    }
  }

  bool Path(const ParentBatch& parents, uint32_t i, std::vector<Op>& path) const override {
    return WalkBack<kSlot>(
        space_, root_.data(), parents.State(i), parents.g,
        [this](const std::byte* neighbour) { return nodes_.Get(neighbour); }, path);
  }

  bool Parent(const ParentBatch& parents, uint32_t i, void* out_state) const override {
    if (parents.op[i] == kNoOp) return false;
    const SpaceCalls& calls = space_.calls();
    calls.apply(calls.problem, parents.State(i), calls.inverse_op(calls.problem, parents.op[i]), out_state);
    return true;
  }

  int64_t Depth(const ParentBatch& parents, uint32_t) const override {
    return space_.info().unit_cost ? parents.g / space_.info().cost_scale : -1;
  }

  size_t open() const override { return nodes_.open(); }
  size_t stored() const override { return nodes_.stored(); }

 private:
  const StateSpace& space_;
  LineNodes<kSlot> nodes_;
  alignas(64) std::array<std::byte, kSlot> root_{};
};

}  // namespace

std::unique_ptr<BestFirstNodes> MakeLineBestFirst(const StateSpace& space, const BestFirstNeeds& needs,
                                                  MemoryAccount& memory) {
  switch (SlotSize(space.info().state_size)) {
    case 8:
      return std::make_unique<LineBestFirst<8>>(space, needs, memory);
    case 16:
      return std::make_unique<LineBestFirst<16>>(space, needs, memory);
    default:
      return std::make_unique<LineBestFirst<32>>(space, needs, memory);
  }
}

}  // namespace astrolabe::engine
