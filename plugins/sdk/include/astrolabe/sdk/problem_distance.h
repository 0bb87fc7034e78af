// The extension of a problem that bounds the cost between two states.
#ifndef ASTROLABE_SDK_PROBLEM_DISTANCE_H_
#define ASTROLABE_SDK_PROBLEM_DISTANCE_H_

#include <cstdint>
#include <memory>

#include "astrolabe/abi/distance.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/problem_class.h"
#include "astrolabe/sdk/problem_holder.h"

namespace astro::internal {

// Precondition of naming kDistance: HasDistance<P>.
template <class P>
struct ProblemDistance {
  using Holder = ProblemHolder<P>;

  struct Meter {
    static Meter& Of(void* meter) { return *static_cast<Meter*>(meter); }
    static const Meter& Of(const void* meter) { return *static_cast<const Meter*>(meter); }

    const astro_host_v1* host;
    DistanceOf<P> distance;
  };

  static void* Open(const void* problem) noexcept {
    const Holder& holder = Holder::Get(problem);
    try {
      return new Meter{holder.host, holder.problem->Distance()};
    } catch (const std::bad_alloc&) {
      return nullptr;
    } catch (...) {
      FailWithCurrentException(holder.host, "distance.open");
      return nullptr;
    }
  }

  static void Close(void* meter) noexcept { delete &Meter::Of(meter); }

  static void Bind(void* meter, const void* target) noexcept {
    GuardVoid(Meter::Of(meter).host, "distance.bind", [&] { Meter::Of(meter).distance.Bind(In<P>(target)); });
  }

  static int64_t Eval(const void* meter, const void* state) noexcept {
    const Meter& self = Meter::Of(meter);
    return Guard(self.host, "distance.eval", ASTRO_DEAD_END,
                 [&]() -> int64_t { return self.distance.Evaluate(In<P>(state)); });
  }

  static void EvalOps(const void* meter, const void* parent, int64_t parent_h, const astro_op* ops, uint32_t n_ops,
                      int64_t* out_h) noexcept {
    const Meter& self = Meter::Of(meter);
    GuardVoid(self.host, "distance.eval_ops", [&] {
      for (uint32_t i = 0; i < n_ops; ++i) out_h[i] = self.distance.EvaluateOp(In<P>(parent), parent_h, ops[i]);
    });
  }

  static constexpr astro_problem_distance_v1 kDistance = {
      .struct_size = sizeof(astro_problem_distance_v1),
      .reserved = 0,
      .open = &Open,
      .close = &Close,
      .bind = &Bind,
      .eval = &Eval,
      .eval_ops = &EvalOps,
  };
};

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_PROBLEM_DISTANCE_H_
