// ChildHeuristic: h of all children of one state, before or after they are built, as the heuristic offers it.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CHILD_HEURISTIC_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CHILD_HEURISTIC_H_

#include <cstddef>
#include <cstdint>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {

// Calls: what the hot calls go through, as in best_first_search.h. One thread at a time.
template <class Calls = EvaluatorCalls>
class ChildHeuristic {
 public:
  // aux_size: of the heuristic. max_children: that one call ever asks for. Throws std::bad_alloc.
  ChildHeuristic(const Calls& calls, size_t aux_size, size_t max_children, MemoryAccount& memory)
      : calls_(calls), aux_size_(aux_size), aux_(memory, (max_children + 1) * RoundUp(aux_size, 8)) {}

  // h of one state.
  Cost Of(const std::byte* state) const { return calls_.eval(calls_.context, state); }

  // Writes n numbers to out_h: of the states at `children`, `stride` bytes apart, that `ops` make of `state`, whose own
  // h is `h`. Negative ones, which break the contract, are left to the caller.
  void Evaluate(const std::byte* state, Cost h, const Op* ops, uint32_t n, const std::byte* children, size_t stride,
                Cost* out_h) {
    if (calls_.eval_ops == nullptr) {
      calls_.eval_batch(calls_.context, n, children, stride, out_h);
      return;
    }
    std::byte* parent_aux = nullptr;
    std::byte* child_aux = nullptr;
    if (aux_size_ > 0) {
      parent_aux = aux_.data();
      child_aux = aux_.data() + RoundUp(aux_size_, 8);
      calls_.root_aux(calls_.context, state, parent_aux);
    }
    calls_.eval_ops(calls_.context, state, h, parent_aux, ops, n, out_h, child_aux);
  }

 private:
  const Calls calls_;
  const size_t aux_size_;
  Block aux_;  // of the state, then of its children
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CHILD_HEURISTIC_H_
