// The extensions that the SDK gives a problem: its depth-first kernel, and for classes that have them the reversed
// problem, the path constructed without search, the facts of a state; the distance between two states
// (problem_distance.h), and what local search wants (problem_local.h).
#ifndef ASTROLABE_SDK_PROBLEM_EXTENSIONS_H_
#define ASTROLABE_SDK_PROBLEM_EXTENSIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "astrolabe/abi/construct.h"
#include "astrolabe/abi/facts.h"
#include "astrolabe/abi/ida.h"
#include "astrolabe/abi/problem.h"
#include "astrolabe/abi/reversed.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/fact_writer.h"
#include "astrolabe/sdk/ida_kernel.h"
#include "astrolabe/sdk/ida_roots.h"
#include "astrolabe/sdk/op_writer.h"
#include "astrolabe/sdk/problem_class.h"
#include "astrolabe/sdk/problem_distance.h"
#include "astrolabe/sdk/problem_holder.h"
#include "astrolabe/sdk/problem_local.h"

namespace astro::internal {

template <class P>
struct ProblemExtensions {
  using Holder = ProblemHolder<P>;

  static constexpr bool TakesRoots() {
    if constexpr (requires { P::kKernelTakesRoots; }) {
      return P::kKernelTakesRoots;
    } else {
      return false;
    }
  }

  static int32_t RunKernel(const void* problem, astro_ida_v1* call) noexcept {
    const Holder& holder = Holder::Get(problem);
    return Guard(holder.host, "ida.run", ASTRO_IDA_STOPPED, [&]() -> int32_t {
      if constexpr (requires(const P& p) { p.RunKernel(*call); }) {
        if (TakesRoots() || !IdaRoots(*call).listed()) {
          if (const std::optional<int32_t> end = holder.problem->RunKernel(*call)) return *end;
        }
      }
      return VisitSpace(*holder.problem,
                        [&]<class S>(const S& space) -> int32_t { return RunIda<S>(space, holder.space, *call); });
    });
  }

  static astro_status Reverse(const void* problem, const astro_host_v1* host, const astro_diagnostics* sink,
                              void** out) noexcept {
    return GuardStatus(host, "reverse", "problem", sink, [&](Diagnostics& diagnostics) -> astro_status {
      if constexpr (HasReversed<P>) {
        static_assert(HasForwardOp<P> || HasInverseOp<P>, "Reversed needs ForwardOp, or InverseOp to derive it from");
        if (!HasForwardOp<P> && (Holder::Get(problem).space.flags & ASTRO_PROBLEM_UNDIRECTED) == 0) {
          diagnostics.Error("problem").Message("Reversed of a problem that is not UNDIRECTED, without ForwardOp");
          return ASTRO_INTERNAL;
        }
        std::unique_ptr<P> reversed = Holder::Get(problem).problem->Reversed(diagnostics);
        if (reversed == nullptr || diagnostics.errors() > 0) {
          if (diagnostics.errors() > 0) return ASTRO_REFUSED;
          diagnostics.Error("problem").Message("the problem gave no reversed problem and no reason");
          return ASTRO_INTERNAL;
        }
        const SpaceInfo space = reversed->Space();
        *out = new Holder{host, std::move(reversed), space};
        return ASTRO_OK;
      } else {
        return ASTRO_REFUSED;  // not exported then
      }
    });
  }

  static Op ForwardOp(const void* reversed, const void* state, Op op) noexcept {
    const Holder& holder = Holder::Get(reversed);
    return Guard(holder.host, "forward_op", kNoOp, [&]() -> Op {
      if constexpr (HasForwardOp<P>) {
        return holder.problem->ForwardOp(In<P>(state), op);
      } else if constexpr (HasInverseOp<P>) {
        return holder.problem->InverseOp(op);
      } else {
        return kNoOp;
      }
    });
  }

  static astro_status Construct(const void* problem, const astro_op_sink* sink,
                                const astro_diagnostics* diagnostics) noexcept {
    const Holder& holder = Holder::Get(problem);
    return GuardStatus(holder.host, "construct", "problem", diagnostics, [&](Diagnostics&) -> astro_status {
      if constexpr (HasConstruct<P>) {
        OpWriter ops(sink);
        holder.problem->Construct(ops);
        return ASTRO_OK;
      } else {
        return ASTRO_REFUSED;  // not exported then
      }
    });
  }

  static void Facts(const void* problem, const void* state, const astro_fact_sink* sink) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "facts", [&] {
      if constexpr (HasFacts<P>) {
        FactWriter facts(sink);
        holder.problem->Facts(In<P>(state), facts);
      }
    });
  }

  static const void* GetExtension(astro_text id) noexcept {
    if (ToView(id) == ASTRO_PROBLEM_IDA_V1) return &kKernel;
    if constexpr (HasConstruct<P>) {
      if (ToView(id) == ASTRO_PROBLEM_CONSTRUCT_V1) return &kConstruct;
    }
    if constexpr (HasDistance<P>) {
      if (ToView(id) == ASTRO_PROBLEM_DISTANCE_V1) return &ProblemDistance<P>::kDistance;
    }
    if constexpr (HasFacts<P>) {
      if (ToView(id) == ASTRO_PROBLEM_FACTS_V1) return &kFacts;
    }
    if constexpr (HasFactored<P>) {
      if (ToView(id) == ASTRO_PROBLEM_FACTORED_V1) return &ProblemLocal<P>::kFactored;
    }
    if constexpr (HasRandomState<P>) {
      if (ToView(id) == ASTRO_PROBLEM_RANDOM_STATE_V1) return &ProblemLocal<P>::kRandomState;
    }
    if constexpr (HasReversed<P>) {
      if (ToView(id) == ASTRO_PROBLEM_REVERSED_V1) return &kReversed;
    }
    if constexpr (requires { P::Extension(ToView(id)); }) {
      return P::Extension(ToView(id));
    } else {
      return nullptr;
    }
  }

  static constexpr astro_problem_ida_v1 kKernel = {sizeof(astro_problem_ida_v1), ASTRO_IDA_TAKES_ROOTS, &RunKernel};
  static constexpr astro_problem_reversed_v1 kReversed = {sizeof(astro_problem_reversed_v1), 0, &Reverse, &ForwardOp};

  static constexpr astro_problem_construct_v1 kConstruct = {sizeof(astro_problem_construct_v1), 0, &Construct};

  static constexpr astro_problem_facts_v1 kFacts = {sizeof(astro_problem_facts_v1), 0, &Facts};
};

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_PROBLEM_EXTENSIONS_H_
