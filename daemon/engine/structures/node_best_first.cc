#include "daemon/engine/structures/node_best_first.h"

#include <algorithm>
#include <cstring>

#include "daemon/engine/structures/bucket_open_list.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/node_array.h"
#include "daemon/engine/structures/node_index.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {
namespace {

// kSlot 0: states of any size.
template <size_t kSlot>
class NodeBestFirst final : public BestFirstNodes {
 public:
  using Id = NodeArray::Id;

  NodeBestFirst(const StateSpace& space, const BestFirstNeeds& needs, MemoryAccount& memory)
      : space_(space),
        needs_(needs),
        bytes_(kSlot != 0 ? kSlot : space.info().state_size),
        sign_(needs.ties == Ties::kHighG ? -1 : 1),
        nodes_(bytes_, memory),
        index_(memory, bytes_),
        open_(memory) {}

  void AddRoot(const void* state, Cost h) override {
    std::vector<std::byte> padded(bytes_);
    std::memcpy(padded.data(), state, space_.info().state_size);
    Verdict verdict;
    open_.Push(h, 0, Put(padded.data(), Hash(padded.data()), NodeArray::kNone, kNoOp, 0, verdict));
  }

  uint32_t Pop(ParentBatch& batch) override {
    batch.count = 0;
    while (batch.count == 0 && !open_.empty()) {
      batch.f = open_.best_f();
      batch.g = sign_ * open_.best_tie();
      Id ids[kMaxBatch];
      const uint32_t n = open_.Pop(ids, batch.capacity);
      for (uint32_t i = 0; i < n; ++i) nodes_.Prefetch(ids[i]);
      for (uint32_t i = 0; i < n; ++i) {
        if (nodes_.Closed(ids[i]) || nodes_.G(ids[i]) != batch.g) continue;
        nodes_.Close(ids[i]);
        std::memcpy(batch.State(batch.count), nodes_.State(ids[i]), bytes_);
        batch.op[batch.count] = nodes_.LastOp(ids[i]);
        batch.node[batch.count++] = ids[i];
      }
    }
    return batch.count;
  }

  void Prefetch(ChildBatch& batch, uint32_t first) override {
    for (uint32_t i = first; i < batch.count; ++i) {
      batch.hash[i] = Hash(batch.State(i));
      index_.Prefetch(batch.hash[i]);
    }
  }

  void Commit(const ParentBatch& parents, ChildBatch& batch, uint32_t first) override {
    const ChildArrays c = batch;
    for (uint32_t i = first, end = batch.count; i < end; ++i) {
      if (c.verdict[i] != Verdict::kNew) continue;
      const Id id = Put(batch.State(i), c.hash[i], parents.node[c.parent[i]], c.op[i], c.g[i], c.verdict[i]);
      if (c.verdict[i] != Verdict::kDuplicate) open_.Push(c.f[i], sign_ * c.g[i], id);
    }
  }

  // A node's g never rises, so parents form a tree, free operators or not.
  bool Path(const ParentBatch& parents, uint32_t i, std::vector<Op>& path) const override {
    for (Id id = parents.node[i]; nodes_.Parent(id) != NodeArray::kNone; id = nodes_.Parent(id)) {
      path.push_back(nodes_.LastOp(id));
    }
    std::reverse(path.begin(), path.end());
    return true;
  }

  bool Parent(const ParentBatch& parents, uint32_t i, void* out_state) const override {
    const Id parent = nodes_.Parent(parents.node[i]);
    if (parent == NodeArray::kNone) return false;
    std::memcpy(out_state, nodes_.State(parent), space_.info().state_size);
    return true;
  }

  int64_t Depth(const ParentBatch& parents, uint32_t i) const override {
    if (!needs_.g_is_cost) return parents.g;
    if (space_.info().unit_cost) return parents.g / space_.info().cost_scale;
    int64_t depth = 0;
    for (Id id = nodes_.Parent(parents.node[i]); id != NodeArray::kNone; id = nodes_.Parent(id)) ++depth;
    return depth;
  }

  size_t open() const override { return open_.size(); }
  size_t stored() const override { return nodes_.size(); }

 private:
  uint64_t Hash(const void* state) const {
    if constexpr (kSlot != 0) {
      return HashSlot<kSlot>(state);
    } else {
      return HashBytes(state, bytes_);
    }
  }
  bool Equal(Id id, const std::byte* state) const {
    if constexpr (kSlot != 0) {
      return std::memcmp(nodes_.State(id), state, kSlot) == 0;
    } else {
      return std::memcmp(nodes_.State(id), state, bytes_) == 0;
    }
  }

  Id Put(const std::byte* state, uint64_t hash, Id parent, Op op, Cost g, Verdict& verdict) {
    bool added = false;
    const Id id = index_.FindOrAdd(
        hash, [&](Id candidate) { return Equal(candidate, state); }, [&] { return nodes_.Add(state, parent, op, g); },
        [&](Id node) { return Hash(nodes_.State(node)); }, added);
    if (added) {
      verdict = Verdict::kNew;
    } else if (nodes_.G(id) <= g || (!needs_.reopen && nodes_.Closed(id))) {
      verdict = Verdict::kDuplicate;
    } else {
      verdict = nodes_.Closed(id) ? Verdict::kReopened : Verdict::kUpdated;
      nodes_.Set(id, parent, op, g);
    }
    return id;
  }

  const StateSpace& space_;
  const BestFirstNeeds needs_;
  const size_t bytes_;
  const Cost sign_;
  NodeArray nodes_;
  NodeIndex index_;
  BucketOpenList<Id> open_;
};

}  // namespace

std::unique_ptr<BestFirstNodes> MakeNodeBestFirst(const StateSpace& space, const BestFirstNeeds& needs,
                                                  MemoryAccount& memory) {
  const size_t size = space.info().state_size;
  if (size <= 8) return std::make_unique<NodeBestFirst<8>>(space, needs, memory);
  if (size <= 16) return std::make_unique<NodeBestFirst<16>>(space, needs, memory);
  if (size <= 32) return std::make_unique<NodeBestFirst<32>>(space, needs, memory);
  return std::make_unique<NodeBestFirst<0>>(space, needs, memory);
}

}  // namespace astrolabe::engine
