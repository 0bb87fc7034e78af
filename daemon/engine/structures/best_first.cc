#include "daemon/engine/structures/best_first.h"

#include <algorithm>

#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/line_best_first.h"
#include "daemon/engine/structures/node_best_first.h"
#include "daemon/engine/structures/walk_back.h"

namespace astrolabe::engine {
namespace {

// Batches are small enough for the second-level cache.
constexpr size_t kBatchBytes = size_t{256} << 10;

}  // namespace

std::unique_ptr<BestFirstNodes> MakeBestFirstNodes(const StateSpace& space, const BestFirstNeeds& needs,
                                                   MemoryAccount& memory) {
  const SpaceInfo& info = space.info();
  const bool depths = !needs.depths || info.unit_cost;
  // Its paths are followed by the costs of the operators.
  const bool costs = needs.g_is_cost || (info.unit_cost && info.cost_scale == 1);
  if (CanWalkBack(space) && depths && costs) return MakeLineBestFirst(space, needs, memory);
  return MakeNodeBestFirst(space, needs, memory);
}

ParentBatch MakeParentBatch(const SpaceInfo& info, MemoryAccount& memory) {
  ParentBatch batch;
  batch.stride = StateStride(info, SlotSize(info.state_size));
  const size_t children_bytes = std::max<size_t>(1, info.max_ops) * batch.stride;
  batch.capacity = static_cast<uint32_t>(std::clamp<size_t>(kBatchBytes / children_bytes, 1, kMaxBatch));
  batch.states = Block(memory, batch.capacity * batch.stride);
  return batch;
}

ChildBatch MakeChildBatch(const SpaceInfo& info, const ParentBatch& parents, MemoryAccount& memory) {
  ChildBatch batch;
  batch.stride = parents.stride;
  const size_t room = static_cast<size_t>(parents.capacity) * info.max_ops + kSpareOps;
  batch.states = Block(memory, room * batch.stride);
  constexpr size_t kBytes = 4 * sizeof(Cost) + sizeof(uint64_t) + sizeof(Op) + 2;
  batch.arrays = Block(memory, room * kBytes);
  std::byte* p = batch.arrays.data();
  const auto take = [&p, room](auto*& array) {
    array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(p);
    p += room * sizeof *array;
  };
  take(batch.cost);
  take(batch.h);
  take(batch.g);
  take(batch.f);
  take(batch.hash);
  take(batch.op);
  take(batch.parent);
  take(batch.verdict);
  return batch;
}

}  // namespace astrolabe::engine
