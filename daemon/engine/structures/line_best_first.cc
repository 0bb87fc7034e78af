#include "daemon/engine/structures/line_best_first.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "daemon/engine/structures/bucket_open_list.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/line_table.h"

namespace astrolabe::engine {
namespace {

template <size_t kSlot>
struct OpenEntry {
  std::byte state[kSlot];
  std::byte op[sizeof(Op)];
};

template <size_t kSlot>
class LineBestFirst final : public BestFirstNodes {
 public:
  LineBestFirst(const StateSpace& space, const BestFirstNeeds& needs, MemoryAccount& memory)
      : space_(space), sign_(needs.ties == Ties::kHighG ? -1 : 1), table_(memory, needs.reopen), open_(memory) {}

  void AddRoot(const void* state, Cost h) override {
    std::memcpy(root_.data(), state, space_.info().state_size);
    table_.Put(root_.data(), HashSlot<kSlot>(root_.data()), 0);
    Push(h, 0, root_.data(), kNoOp);
  }

  uint32_t Pop(ParentBatch& batch) override {
    batch.count = 0;
    while (batch.count == 0 && !open_.empty()) {
      batch.f = open_.best_f();
      batch.g = sign_ * open_.best_tie();
      OpenEntry<kSlot> entries[kMaxBatch];
      uint64_t hashes[kMaxBatch];
      const uint32_t n = open_.Pop(entries, batch.capacity);
      for (uint32_t i = 0; i < n; ++i) {
        hashes[i] = HashSlot<kSlot>(entries[i].state);
        table_.Prefetch(hashes[i]);
      }
      for (uint32_t i = 0; i < n; ++i) {
        if (!table_.Close(entries[i].state, hashes[i], batch.g)) continue;
        std::memcpy(batch.State(batch.count), entries[i].state, kSlot);
        std::memcpy(&batch.op[batch.count++], entries[i].op, sizeof(Op));
      }
    }
    return batch.count;
  }

  void Prefetch(ChildBatch& batch, uint32_t first) override {
    const std::byte* state = batch.State(first);
    uint64_t* const hash = batch.hash;
    for (uint32_t i = first, end = batch.count; i < end; ++i, state += batch.stride) {
      hash[i] = HashSlot<kSlot>(state);
      table_.Prefetch(hash[i]);
    }
  }

  void Commit(const ParentBatch&, ChildBatch& batch, uint32_t first) override {
    const ChildArrays c = batch;
    const size_t stride = batch.stride;
    const std::byte* state = batch.State(first);
    for (uint32_t i = first, end = batch.count; i < end; ++i, state += stride) {
      if (c.verdict[i] != Verdict::kNew) continue;
      const Verdict verdict = table_.Put(state, c.hash[i], c.g[i]);
      c.verdict[i] = verdict;
      if (verdict != Verdict::kDuplicate) Push(c.f[i], c.g[i], state, c.op[i]);
    }
  }

  bool Path(const ParentBatch& parents, uint32_t i, std::vector<Op>& path) const override;

  bool Parent(const ParentBatch& parents, uint32_t i, void* out_state) const override {
    if (parents.op[i] == kNoOp) return false;
    const SpaceCalls& calls = space_.calls();
    calls.apply(calls.problem, parents.State(i), calls.inverse_op(calls.problem, parents.op[i]), out_state);
    return true;
  }

  int64_t Depth(const ParentBatch& parents, uint32_t) const override {
    return space_.info().unit_cost ? parents.g / space_.info().cost_scale : -1;
  }

  size_t open() const override { return open_.size(); }
  size_t stored() const override { return table_.size(); }

 private:
  ASTROLABE_ENGINE_INLINE void Push(Cost f, Cost g, const std::byte* state, Op op) {
    OpenEntry<kSlot> entry;
    std::memcpy(entry.state, state, kSlot);
    std::memcpy(entry.op, &op, sizeof op);
    open_.Push(f, sign_ * g, entry);
  }

  const StateSpace& space_;
  const Cost sign_;
  LineTable<kSlot> table_;
  BucketOpenList<OpenEntry<kSlot>> open_;
  alignas(64) std::array<std::byte, kSlot> root_{};
};

// Every state but the root was entered from a parent whose g, lowered since or not, is at most its own g
// less a positive cost: following any such neighbour comes down to the root.
template <size_t kSlot>
bool LineBestFirst<kSlot>::Path(const ParentBatch& parents, uint32_t i, std::vector<Op>& path) const {
  const SpaceInfo& info = space_.info();
  const SpaceCalls& calls = space_.calls();
  const size_t stride = StateStride(info, kSlot);
  const uint32_t room = info.max_ops + kSpareOps;
  MemoryAccount unlimited;
  Block states(unlimited, (room + 1) * stride);
  std::vector<Op> ops(room);
  std::vector<Cost> costs(room);
  std::byte* state = states.data() + room * stride;
  std::memcpy(state, parents.State(i), kSlot);
  Cost g = parents.g;
  while (std::memcmp(state, root_.data(), kSlot) != 0) {
    const uint32_t n = calls.expand(calls.problem, state, kNoOp, ops.data(), costs.data(), states.data(), stride);
    if (n > info.max_ops) return false;
    bool found = false;
    for (uint32_t k = 0; k < n && !found; ++k) {
      const std::byte* neighbour = states.data() + k * stride;
      const Cost before = table_.Get(neighbour, HashSlot<kSlot>(neighbour));
      if (before < 0 || costs[k] < 1 || before > g - costs[k]) continue;
      path.push_back(calls.inverse_op(calls.problem, ops[k]));
      std::memcpy(state, neighbour, kSlot);
      g = before;
      found = true;
    }
    if (!found) return false;
  }
  std::reverse(path.begin(), path.end());
  return true;
}

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
