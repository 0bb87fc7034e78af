// Frontier: where an iteration of depth-first search is cut into subtrees. What is above the cut is expanded, once, and
// counted as depth-first search counts it: each root below the cut knows what is counted between the root before it
// and itself.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_FRONTIER_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_FRONTIER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/memory_account.h"

namespace astrolabe::engine {

class Frontier {
 public:
  struct Counts {
    uint64_t expanded = 0;
    uint64_t generated = 0;
    Counts& operator+=(const Counts& other) {
      expanded += other.expanded;
      generated += other.generated;
      return *this;
    }
  };

  // Roots at which an iteration is cut by and by; 0: states are so large that cutting does not pay.
  static size_t Wanted(const SpaceInfo& info);

  // Keeps its memory from one iteration to the next. Throws std::bad_alloc, as Cut does.
  explicit Frontier(const Task& task);

  // Expands level by level, in order, until there are `wanted` roots, or none; goals become roots and are not expanded.
  // kExhausted: done. Nothing is told to the runner but what stops the search.
  SearchEnd Cut(Runner& runner, const Root& root, Cost bound, size_t wanted);
  // Smallest f above the cut that was cut by the bound.
  Cost next_bound() const { return next_bound_; }

  // The most promising first: by h.
  void SortByH();

  size_t size() const { return now_.h.size(); }
  Root At(size_t i) const;
  KernelRoots Range(size_t first, size_t last) const;
  // Counted since the root before i; for i == size: since the last one. In depth-first order only.
  Counts Before(size_t i) const { return i < size() ? now_.before[i] : tail_; }
  // Appends the operators that lead to root i.
  void AppendPath(size_t i, std::vector<Op>& path) const;

 private:
  template <typename T>
  using Vector = std::vector<T, AccountedAllocator<T>>;
  struct Level {
    explicit Level(MemoryAccount& memory)
        : h(AccountedAllocator<Cost>(memory)),
          g(AccountedAllocator<Cost>(memory)),
          op(AccountedAllocator<Op>(memory)),
          way(AccountedAllocator<uint32_t>(memory)),
          before(AccountedAllocator<Counts>(memory)) {}
    void Clear();

    Block states;
    Block aux;
    Vector<Cost> h;
    Vector<Cost> g;
    Vector<Op> op;
    Vector<uint32_t> way;  // number in ways_
    Vector<Counts> before;
  };
  struct Way {
    uint32_t above;
    Op op;
  };

  void Push(Level& to, const void* state, const void* aux, Cost h, Cost g, Op op, uint32_t way);
  void Copy(const Level& from, size_t i, Level& to);
  SearchEnd Expand(Runner& runner, size_t i, Cost bound);
  const std::byte* State(const Level& level, size_t i) const { return level.states.data() + i * stride_; }
  const std::byte* Aux(const Level& level, size_t i) const {
    return aux_size_ > 0 ? level.aux.data() + i * aux_size_ : nullptr;
  }

  const Task& task_;
  const SpaceInfo info_;
  const SpaceCalls problem_;
  const EvaluatorCalls heuristic_;
  const size_t aux_size_;
  const size_t stride_;
  const Cost least_cost_;
  Level now_;
  Level next_;
  Vector<Way> ways_;
  Counts since_;  // counted since the last root of next_
  Counts tail_;
  Cost next_bound_ = kInfinity;
  // Children of one node.
  Block child_states_;
  Block child_aux_;
  std::vector<Op> ops_;
  std::vector<Cost> costs_;
  std::vector<Cost> hs_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_FRONTIER_H_
