// The calls of astro_problem_v1 about states and operators: what a search calls for every node.
#ifndef ASTROLABE_SDK_PROBLEM_SPACE_H_
#define ASTROLABE_SDK_PROBLEM_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "astrolabe/abi/problem.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/memory.h"
#include "astrolabe/sdk/problem_class.h"
#include "astrolabe/sdk/problem_holder.h"

namespace astro::internal {

template <class P>
struct ProblemSpace {
  using Holder = ProblemHolder<P>;

  static int32_t IsGoal(const void* problem, const void* state) noexcept {
    const Holder& holder = Holder::Get(problem);
    return Guard(holder.host, "is_goal", 0, [&]() -> int32_t {
      return VisitSpace(*holder.problem, [&]<class S>(const S& space) -> int32_t {
        CheckSpace<S>();
        return space.IsGoal(In<S>(state)) ? 1 : 0;
      });
    });
  }

  static uint32_t Ops(const void* problem, const void* state, Op last_op, Op* ops, int64_t* costs) noexcept {
    const Holder& holder = Holder::Get(problem);
    return Guard(holder.host, "ops", 0, [&]() -> uint32_t {
      return VisitSpace(*holder.problem, [&]<class S>(const S& space) -> uint32_t {
        return space.Ops(In<S>(state), last_op, ops, costs);
      });
    });
  }

  static void Apply(const void* problem, const void* state, Op op, void* out) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "apply", [&] {
      VisitSpace(*holder.problem, [&]<class S>(const S& space) { space.Apply(In<S>(state), op, Out<S>(out)); });
    });
  }

  static uint32_t Expand(const void* problem, const void* state, Op last_op, Op* ops, int64_t* costs, void* states,
                         uint64_t stride) noexcept {
    const Holder& holder = Holder::Get(problem);
    return Guard(holder.host, "expand", 0, [&]() -> uint32_t {
      return VisitSpace(*holder.problem, [&]<class S>(const S& space) -> uint32_t {
        const uint32_t n = space.Ops(In<S>(state), last_op, ops, costs);
        auto* child = static_cast<std::byte*>(states);
        for (uint32_t i = 0; i < n; ++i, child += stride) {
          space.Apply(In<S>(state), ops[i], Out<S>(child));
        }
        return n;
      });
    });
  }

  static astro_status ApplyInPlace(const void* problem, void* state, Op op, int64_t* out_cost) noexcept {
    const Holder& holder = Holder::Get(problem);
    return Guard(holder.host, "apply_in_place", ASTRO_INTERNAL, [&]() -> astro_status {
      int64_t cost = 1;
      bool applied = false;
      if constexpr (requires(const P& p) { p.ApplyInPlace(Out<P>(state), op, &cost); }) {
        applied = holder.problem->ApplyInPlace(Out<P>(state), op, &cost);
      } else {
        applied = ApplyChecked(holder, state, op, cost);
      }
      if (applied && out_cost != nullptr) *out_cost = cost;
      return applied ? ASTRO_OK : ASTRO_INVALID;
    });
  }

  static bool ApplyChecked(const Holder& holder, void* state, Op op, int64_t& cost) {
    return VisitSpace(*holder.problem, [&]<class S>(const S& space) -> bool {
      std::vector<Op> ops(holder.space.max_ops);
      std::vector<int64_t> costs(holder.space.max_ops);
      const uint32_t n = space.Ops(In<S>(state), kNoOp, ops.data(), costs.data());
      for (uint32_t i = 0; i < n; ++i) {
        if (ops[i] != op) continue;
        const AlignedBytes child = AllocateAligned(holder.space.state_size);
        space.Apply(In<S>(state), op, Out<S>(child.get()));
        std::memcpy(state, child.get(), holder.space.state_size);
        cost = costs[i];
        return true;
      }
      return false;
    });
  }

  static Op InverseOp(const void* problem, Op op) noexcept {
    if constexpr (HasInverseOp<P>) {
      const Holder& holder = Holder::Get(problem);
      return Guard(holder.host, "inverse_op", kNoOp, [&]() -> Op { return holder.problem->InverseOp(op); });
    } else {
      return kNoOp;
    }
  }
};

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_PROBLEM_SPACE_H_
