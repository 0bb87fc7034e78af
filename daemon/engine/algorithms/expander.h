// Expander: the children of one state, built, judged and checked against what the plugins promised.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_EXPANDER_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_EXPANDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/algorithms/child_heuristic.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

inline constexpr char kCostsTooLarge[] = "the costs of a path add up to more than 2^63 - 2";

struct Child {
  Op op;
  Cost cost;
  Cost g;  // by the parent expanded
  Cost h;  // kInfinity: a dead end
  Cost f;  // g + h; kInfinity with a dead end
  const std::byte* state;
};

class Expander {
 public:
  // Throws std::bad_alloc. Space and evaluator outlive it; evaluator null: h is 0 and never asked for.
  Expander(const StateSpace& space, const Evaluator* evaluator, MemoryAccount& memory);

  // Room for one state of the space, aligned, of this expander's user.
  std::byte* scratch() const { return scratch_.data(); }

  // h of a state; negative: the runner was told that the heuristic broke its contract.
  Cost Evaluate(Runner& runner, const std::byte* state) const;

  // Makes the children of `state`, reached by last_op at cost g, with the heuristic's own h; counts them as generated.
  // The node itself is to be counted, and MayExpand asked, before. kExhausted: go on, children() is valid until the
  // next call. kStopped: max_generated. kBroken: a plugin broke its contract.
  SearchEnd Expand(Runner& runner, const std::byte* state, Op last_op, Cost g, Cost h);
  std::span<const Child> children() const { return children_; }

 private:
  const SpaceInfo info_;
  const SpaceCalls problem_;
  ChildHeuristic<> heuristic_;
  const bool uses_h_;
  const size_t stride_;
  const Cost least_cost_;
  Block states_;
  Block scratch_;
  std::vector<Op> ops_;
  std::vector<Cost> costs_;
  std::vector<Cost> hs_;
  std::vector<Child> children_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_EXPANDER_H_
