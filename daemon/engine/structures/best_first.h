// BestFirstNodes: open and closed nodes of a best-first search, behind an interface by batch.
//
// States are 8, 16 or 32 bytes or any size; the stores are specialised for those, the algorithms are
// not: they hand over a batch of up to 16 popped nodes or of all their children at once, so one virtual
// call is shared by many nodes.
//
// Order: Pop takes from the bucket of least f, there of greatest g (or least, as asked), the newest first.
// Stale entries (a cheaper way was found since) never come out.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_BEST_FIRST_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_BEST_FIRST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

inline constexpr uint32_t kMaxBatch = 16;

// Popped nodes: all of one f and one g.
struct ParentBatch {
  std::byte* State(uint32_t i) const { return states.data() + i * stride; }

  uint32_t capacity = 0;
  uint32_t count = 0;
  Cost f = 0;
  Cost g = 0;
  size_t stride = 0;
  Block states;
  Op op[kMaxBatch];          // that led here by the cheapest way known
  uint32_t node[kMaxBatch];  // the store's own name for it
};

enum class Verdict : uint8_t { kNew, kUpdated, kReopened, kDuplicate, kDeadEnd, kTooDear };

// An array of each thing known about children. Loops work on a copy: whoever stores bytes might, for all the compiler
// knows, overwrite the pointers of the batch itself.
struct ChildArrays {
  Cost* cost;
  Cost* h;
  Cost* g;
  Cost* f;
  uint64_t* hash;
  Op* op;
  uint8_t* parent;   // index into the ParentBatch
  Verdict* verdict;  // kDeadEnd and kTooDear come from the algorithm and are left alone
};

// Children of a ParentBatch.
struct ChildBatch : ChildArrays {
  std::byte* State(uint32_t i) const { return states.data() + i * stride; }

  uint32_t count = 0;
  size_t stride = 0;
  Block states;
  Block arrays;  // what the pointers point into
};

class BestFirstNodes {
 public:
  virtual ~BestFirstNodes() = default;

  virtual void AddRoot(const void* state, Cost h) = 0;
  // Takes the best nodes, at most batch.capacity, of one bucket, and closes them. 0: none is open.
  virtual uint32_t Pop(ParentBatch& batch) = 0;
  // Hashes children [first, batch.count) and fetches their places in the store.
  virtual void Prefetch(ChildBatch& batch, uint32_t first) = 0;
  // Stores and opens children [first, batch.count), in order; fills in their verdicts.
  virtual void Commit(const ParentBatch& parents, ChildBatch& batch, uint32_t first) = 0;

  // The path to node i of a popped batch. False: the problem's operators do not lead back to the root.
  virtual bool Path(const ParentBatch& parents, uint32_t i, std::vector<Op>& path) const = 0;
  // Writes the parent of popped node i, by the cheapest way known; false: it is the root.
  virtual bool Parent(const ParentBatch& parents, uint32_t i, void* out_state) const = 0;
  // Operators from the root to popped node i; negative: not known without units.
  virtual int64_t Depth(const ParentBatch& parents, uint32_t i) const = 0;

  virtual size_t open() const = 0;
  virtual size_t stored() const = 0;
};

enum class Ties { kHighG, kLowG };

struct BestFirstNeeds {
  Ties ties = Ties::kHighG;
  bool depths = false;    // Depth will be asked
  bool reopen = true;     // a closed state that is reached more cheaply is opened again; else it stays as it is
  bool g_is_cost = true;  // false: g counts operators
};

// The most compact store that is right for this space.
std::unique_ptr<BestFirstNodes> MakeBestFirstNodes(const StateSpace& space, const BestFirstNeeds& needs,
                                                   MemoryAccount& memory);

// Buffers for a search of this space; zeroed, so that slots are padded with zeros for ever.
ParentBatch MakeParentBatch(const SpaceInfo& info, MemoryAccount& memory);
ChildBatch MakeChildBatch(const SpaceInfo& info, const ParentBatch& parents, MemoryAccount& memory);

// The slot a state of this size is kept in: 8, 16, 32, or its own size.
constexpr size_t SlotSize(size_t state_size) {
  return state_size <= 8 ? 8 : state_size <= 16 ? 16 : state_size <= 32 ? 32 : state_size;
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_BEST_FIRST_H_
