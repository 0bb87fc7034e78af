// The calls of astro_problem_v1 that turn things into text and text into states.
#ifndef ASTROLABE_SDK_PROBLEM_TEXT_H_
#define ASTROLABE_SDK_PROBLEM_TEXT_H_

#include <cstring>

#include "astrolabe/abi/problem.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/memory.h"
#include "astrolabe/sdk/problem_holder.h"
#include "astrolabe/sdk/text.h"

namespace astro::internal {

template <class P>
struct ProblemText {
  using Holder = ProblemHolder<P>;

  static void RenderState(const void* problem, const void* state, const astro_sink* sink) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "render_state", [&] {
      Writer writer(sink);
      holder.problem->RenderState(In<P>(state), writer);
    });
  }

  static astro_status ParseState(const void* problem, astro_text text, const astro_diagnostics* sink,
                                 void* out) noexcept {
    const Holder& holder = Holder::Get(problem);
    return GuardStatus(holder.host, "parse_state", "state", sink, [&](Diagnostics& diagnostics) {
      if constexpr (requires(const P& p) { p.ParseState(ToView(text), diagnostics, Out<P>(out)); }) {
        const AlignedBytes state = AllocateAligned(holder.space.state_size);
        std::memset(state.get(), 0, holder.space.state_size);
        if (!holder.problem->ParseState(ToView(text), diagnostics, Out<P>(state.get()))) return ASTRO_INVALID;
        std::memcpy(out, state.get(), holder.space.state_size);
        return ASTRO_OK;
      } else {
        diagnostics.Error("state").Message("this problem reads no states from text");
        return ASTRO_REFUSED;
      }
    });
  }

  static void RenderOp(const void* problem, Op op, const astro_sink* sink) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "render_op", [&] {
      Writer writer(sink);
      holder.problem->RenderOp(op, writer);
    });
  }

  static void CanonicalText(const void* problem, const astro_sink* sink) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "canonical_text", [&] {
      Writer writer(sink);
      holder.problem->CanonicalText(writer);
    });
  }

  static void Describe(const void* problem, const astro_sink* sink) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "describe", [&] {
      Writer writer(sink);
      if constexpr (requires(const P& p) { p.Describe(writer); }) {
        holder.problem->Describe(writer);
      } else {
        writer << P::kInfo.id;
      }
    });
  }
};

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_PROBLEM_TEXT_H_
