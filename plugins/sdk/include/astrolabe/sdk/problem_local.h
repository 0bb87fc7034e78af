// The extensions of a problem that local search uses: states as values of variables, random states.
#ifndef ASTROLABE_SDK_PROBLEM_LOCAL_H_
#define ASTROLABE_SDK_PROBLEM_LOCAL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "astrolabe/abi/factored.h"
#include "astrolabe/abi/random_state.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/problem_class.h"
#include "astrolabe/sdk/problem_holder.h"

namespace astro::internal {

template <class P>
struct ProblemLocal {
  using Holder = ProblemHolder<P>;

  static int32_t Info(const void* problem, astro_factored_info_v1* out) noexcept {
    const Holder& holder = Holder::Get(problem);
    return Guard(holder.host, "factored.info", 0, [&]() -> int32_t {
      if constexpr (HasFactored<P>) {
        const std::optional<FactoredInfo> factored = holder.problem->Factored();
        if (!factored) return 0;
        astro_factored_info_v1 info = {};
        info.struct_size = out->struct_size;
        info.variables = factored->variables;
        info.values = factored->values;
        std::memcpy(out, &info, std::min<size_t>(out->struct_size, sizeof(info)));
        return 1;
      } else {
        return 0;  // not exported then
      }
    });
  }

  static void Values(const void* problem, const void* state, uint32_t* out) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "factored.values", [&] {
      if constexpr (HasFactored<P>) holder.problem->ValuesOf(In<P>(state), out);
    });
  }

  static void State(const void* problem, const uint32_t* values, void* out) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "factored.state", [&] {
      if constexpr (HasFactored<P>) {
        std::memset(out, 0, holder.space.state_size);
        holder.problem->StateOf(values, Out<P>(out));
      }
    });
  }

  static void RenderStep(const void* problem, uint32_t variable, uint32_t value, const astro_sink* sink) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "factored.render_step", [&] {
      if constexpr (HasFactored<P>) {
        Writer writer(sink);
        holder.problem->RenderStep(variable, value, writer);
      }
    });
  }

  static void RandomState(const void* problem, uint64_t seed, void* out) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "random_state", [&] {
      if constexpr (HasRandomState<P>) {
        std::memset(out, 0, holder.space.state_size);
        holder.problem->RandomState(seed, Out<P>(out));
      }
    });
  }

  static constexpr astro_problem_factored_v1 kFactored = {
      .struct_size = sizeof(astro_problem_factored_v1),
      .reserved = 0,
      .info = &Info,
      .values = &Values,
      .state = &State,
      .render_step = &RenderStep,
  };
  static constexpr astro_problem_random_state_v1 kRandomState = {sizeof(astro_problem_random_state_v1), 0,
                                                                 &RandomState};
};

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_PROBLEM_LOCAL_H_
