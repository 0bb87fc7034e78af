// NodeTable: the nodes of a search, each state once, found by its bytes and named by a number.
//
// For algorithms that need neither the compact store nor its batches. States lie in buffers of the state's own size
// here, without padding; what is given to it may have padding behind.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_TABLE_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "daemon/engine/structures/node_array.h"
#include "daemon/engine/structures/node_index.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {

class NodeTable {
 public:
  using Id = NodeArray::Id;
  static constexpr Id kNone = NodeArray::kNone;

  NodeTable(const SpaceInfo& space, MemoryAccount& memory)
      : state_bytes_(space.state_size),
        unit_(space.unit_cost ? space.cost_scale : 0),
        nodes_(state_bytes_, memory),
        index_(memory, state_bytes_) {}

  uint64_t Hash(const std::byte* state) const { return HashBytes(state, state_bytes_); }
  void Prefetch(uint64_t hash) const { index_.Prefetch(hash); }

  // kNone: the state is not here.
  Id Find(const std::byte* state, uint64_t hash) const {
    return index_.Find(hash, [&](Id id) { return Equal(id, state); });
  }

  // The node of this state; when `added`, an open one of the given values, else one that was there and stays as it was.
  // Throws std::bad_alloc.
  Id FindOrAdd(const std::byte* state, uint64_t hash, Id parent, Op op, Cost g, bool& added) {
    return index_.FindOrAdd(
        hash, [&](Id id) { return Equal(id, state); }, [&] { return nodes_.Add(state, parent, op, g); },
        [&](Id id) { return HashBytes(nodes_.State(id), state_bytes_); }, added);
  }

  Id size() const { return nodes_.size(); }
  const std::byte* State(Id id) const { return nodes_.State(id); }
  Id Parent(Id id) const { return nodes_.Parent(id); }
  Op LastOp(Id id) const { return nodes_.LastOp(id); }
  Cost G(Id id) const { return nodes_.G(id); }
  bool Closed(Id id) const { return nodes_.Closed(id); }
  void Close(Id id) { nodes_.Close(id); }
  // Gives a node a cheaper way and opens it.
  void Set(Id id, Id parent, Op op, Cost g) { nodes_.Set(id, parent, op, g); }

  // Operators from the root to the node. A node's g never rises, so parents form a tree.
  std::vector<Op> Path(Id id) const {
    std::vector<Op> path;
    for (; Parent(id) != kNone; id = Parent(id)) path.push_back(LastOp(id));
    std::reverse(path.begin(), path.end());
    return path;
  }
  // Operators from the root, as g counts them where all cost the same.
  int64_t Depth(Id id) const {
    if (unit_ != 0) return G(id) / unit_;
    int64_t depth = 0;
    for (; Parent(id) != kNone; id = Parent(id)) ++depth;
    return depth;
  }

 private:
  bool Equal(Id id, const std::byte* state) const {
    const std::byte* ours = nodes_.State(id);
    if (state_bytes_ == sizeof(uint64_t)) return LoadWord(ours) == LoadWord(state);
    return std::memcmp(ours, state, state_bytes_) == 0;
  }

  const size_t state_bytes_;
  const Cost unit_;  // what every operator costs; 0: they differ
  NodeArray nodes_;
  NodeIndex index_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_TABLE_H_
