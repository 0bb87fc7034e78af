// A problem plugin: write a class P, name it in ASTRO_PLUGIN as astro::Problem<P>.
//
//   class Pancakes {
//    public:
//     static constexpr astro::ProblemInfo kInfo{.id = "pancakes", .summary = "..."};
//     static constexpr std::string_view kStateLayout = "pancakes/1";
//     // Null when a fault was reported; report all of them.                                   [load]
//     static std::unique_ptr<Pancakes> Parse(std::string_view text, const astro::Params&, astro::Diagnostics&);
//     astro::SpaceInfo Space() const;                                                        // [any]
//     // The hot half, as in space.h: State, Ops, Apply, IsGoal.                                [any]
//     void InitialState(State& out) const;                                                   // [any]
//     void RenderState(const State&, astro::Writer&) const;                                  // [any]
//     void RenderOp(astro::Op, astro::Writer&) const;                                        // [any]
//     void CanonicalText(astro::Writer&) const;                                              // [load]
//   };
//
// Optional; the SDK derives or leaves out what is not there:
//   const void* DomainView() const                      the struct that heuristics read
//   bool GoalState(State& out) const                    one explicit goal
//   Op InverseOp(Op) const                              with it and flag UNDIRECTED
//   bool ApplyInPlace(State&, Op, int64_t* cost) const  checked; else derived from Ops and Apply
//   bool ParseState(std::string_view, Diagnostics&, State& out) const
//   void Describe(Writer&) const                        one line for people
//   Sha256::Digest Fingerprint() const                  else of layout and canonical text
//   uint32_t Solvable(Writer& reason) const             ASTRO_SOLVABLE_*; else unknown
//   auto Visit(f) const                                 calls f with the space to use for this instance, when
//                                                       several stand behind one problem
//   std::optional<int32_t> RunKernel(astro_ida_v1&) const  a kernel of your own; nullopt: use the SDK's
//   std::unique_ptr<P> Reversed(Diagnostics&) const     start and goal swapped, every operator turned round (see
//                                                       astrolabe/abi/reversed.h); null when there is no such
//                                                       problem: reported, why. Keeps nothing of *this.
//   Op ForwardOp(const State&, Op) const                called on what Reversed gave: the problem's own operator
//                                                       that leads from the state after Op back to State. Derived
//                                                       from InverseOp with flag UNDIRECTED.
//   void Construct(OpWriter&) const                     a path to a goal without search (see
//   astrolabe/abi/construct.h);
//                                                       throws Refused when there is none; may throw Cancelled
//   void Facts(const State&, FactWriter&) const         what else is known of a state (see astrolabe/abi/facts.h)
//   static constexpr bool kKernelTakesRoots = true      RunKernel reads IdaRoots; else it is not called where there are
//                                                       several roots
//   static const void* Extension(std::string_view id)   further extensions
#ifndef ASTROLABE_SDK_PROBLEM_H_
#define ASTROLABE_SDK_PROBLEM_H_

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "astrolabe/abi/construct.h"
#include "astrolabe/abi/facts.h"
#include "astrolabe/abi/ida.h"
#include "astrolabe/abi/plugin.h"
#include "astrolabe/abi/reversed.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/fact_writer.h"
#include "astrolabe/sdk/ida_kernel.h"
#include "astrolabe/sdk/info.h"
#include "astrolabe/sdk/manifest.h"
#include "astrolabe/sdk/memory.h"
#include "astrolabe/sdk/op_writer.h"
#include "astrolabe/sdk/plugin.h"
#include "astrolabe/sdk/sha256.h"
#include "astrolabe/sdk/space.h"

namespace astro {

template <class P>
concept ProblemClass = requires(const P& problem, std::string_view text, const Params& params, Diagnostics& diagnostics,
                                const void* in, void* out, Op op, Writer& writer) {
  { P::kInfo } -> std::convertible_to<ProblemInfo>;
  { P::kStateLayout } -> std::convertible_to<std::string_view>;
  { P::Parse(text, params, diagnostics) } -> std::same_as<std::unique_ptr<P>>;
  { problem.Space() } -> std::same_as<SpaceInfo>;
  problem.InitialState(internal::Out<P>(out));
  problem.RenderState(internal::In<P>(in), writer);
  problem.RenderOp(op, writer);
  problem.CanonicalText(writer);
};

template <class P>
concept HasReversed = requires(const P& problem, Diagnostics& diagnostics) {
  { problem.Reversed(diagnostics) } -> std::same_as<std::unique_ptr<P>>;
};
template <class P>
concept HasConstruct = requires(const P& problem, OpWriter& ops) {
  problem.Construct(ops);
};
template <class P>
concept HasFacts = requires(const P& problem, const void* in, FactWriter& facts) {
  problem.Facts(internal::In<P>(in), facts);
};
template <class P>
concept HasForwardOp = requires(const P& problem, const void* in, Op op) {
  { problem.ForwardOp(internal::In<P>(in), op) } -> std::same_as<Op>;
};
template <class P>
concept HasInverseOp = requires(const P& problem, Op op) {
  { problem.InverseOp(op) } -> std::same_as<Op>;
};

namespace internal {

template <class P, class F>
[[gnu::always_inline]] inline decltype(auto) VisitSpace(const P& problem, F&& f) {
  if constexpr (requires { problem.Visit(std::forward<F>(f)); }) {
    return problem.Visit(std::forward<F>(f));
  } else {
    static_assert(Space<P>, "the problem needs State, Ops, Apply and IsGoal (see astrolabe/sdk/space.h)");
    return std::forward<F>(f)(problem);
  }
}

template <class S>
constexpr void CheckSpace() {
  static_assert(Space<S>, "see astrolabe/sdk/space.h");
  static_assert(HasCanonicalBytes<S>(),
                "State must be trivially copyable and without padding: equal states, equal bytes");
}

}  // namespace internal

template <ProblemClass P>
class Problem {
 public:
  static constexpr bool kIsProblem = true;
  static_assert(internal::IsId(P::kInfo.id), "a problem's id is [a-z][a-z0-9_]*");
  static_assert(HasCanonicalBytes<P>(), "State must be trivially copyable and without padding");

  template <class Json>
  static constexpr void WriteManifest(Json& json) {
    internal::WriteProblem(json, P::kInfo, P::kStateLayout);
  }
  static constexpr astro_problem_entry_v1 Entry() {
    return {sizeof(astro_problem_entry_v1), 0, ToText(P::kInfo.id), &kTable};
  }
  static const astro_problem_v1* Functions() { return &kTable; }

 private:
  // What the host holds. Immutable after parse.
  struct Holder {
    const astro_host_v1* host;
    std::unique_ptr<P> problem;
    SpaceInfo space;
  };
  static const Holder& Get(const void* problem) { return *static_cast<const Holder*>(problem); }

  static astro_status Parse(const astro_host_v1* host, astro_text instance, const astro_params* params,
                            const astro_diagnostics* sink, void** out) noexcept {
    return internal::GuardStatus(host, "parse", "instance", sink, [&](Diagnostics& diagnostics) -> astro_status {
      std::unique_ptr<P> problem = P::Parse(ToView(instance), Params(params), diagnostics);
      if (problem == nullptr || diagnostics.errors() > 0) {
        if (diagnostics.errors() > 0) return ASTRO_INVALID;
        diagnostics.Error("instance").Message("the problem gave no instance and no reason");
        return ASTRO_INTERNAL;
      }
      const SpaceInfo space = problem->Space();
      *out = new Holder{host, std::move(problem), space};
      return ASTRO_OK;
    });
  }
  static void Destroy(void* problem) noexcept { delete static_cast<Holder*>(problem); }

  static void Info(const void* problem, astro_problem_info_v1* out) noexcept {
    const SpaceInfo& space = Get(problem).space;
    astro_problem_info_v1 info = {};
    info.struct_size = out->struct_size;
    info.flags = space.flags;
    info.state_size = space.state_size;
    info.state_align = space.state_align;
    info.max_ops = space.max_ops;
    info.cost_scale = space.cost_scale;
    info.max_op_cost = space.max_op_cost;
    info.max_cost = space.max_cost;
    std::memcpy(out, &info, std::min<size_t>(out->struct_size, sizeof(info)));
  }

  static const void* DomainView(const void* problem) noexcept {
    if constexpr (requires(const P& p) { p.DomainView(); }) {
      return Get(problem).problem->DomainView();
    } else {
      return nullptr;
    }
  }

  static void InitialState(const void* problem, void* out) noexcept {
    const Holder& holder = Get(problem);
    internal::GuardVoid(holder.host, "initial_state", [&] {
      std::memset(out, 0, holder.space.state_size);
      holder.problem->InitialState(internal::Out<P>(out));
    });
  }
  static int32_t GoalState(const void* problem, void* out) noexcept {
    if constexpr (requires(const P& p) { p.GoalState(internal::Out<P>(out)); }) {
      const Holder& holder = Get(problem);
      return internal::Guard(holder.host, "goal_state", 0, [&]() -> int32_t {
        std::memset(out, 0, holder.space.state_size);
        return holder.problem->GoalState(internal::Out<P>(out)) ? 1 : 0;
      });
    } else {
      return 0;
    }
  }

  static int32_t IsGoal(const void* problem, const void* state) noexcept {
    const Holder& holder = Get(problem);
    return internal::Guard(holder.host, "is_goal", 0, [&]() -> int32_t {
      return internal::VisitSpace(*holder.problem, [&]<class S>(const S& space) -> int32_t {
        internal::CheckSpace<S>();
        return space.IsGoal(internal::In<S>(state)) ? 1 : 0;
      });
    });
  }
  static uint32_t Ops(const void* problem, const void* state, Op last_op, Op* ops, int64_t* costs) noexcept {
    const Holder& holder = Get(problem);
    return internal::Guard(holder.host, "ops", 0, [&]() -> uint32_t {
      return internal::VisitSpace(*holder.problem, [&]<class S>(const S& space) -> uint32_t {
        return space.Ops(internal::In<S>(state), last_op, ops, costs);
      });
    });
  }
  static void Apply(const void* problem, const void* state, Op op, void* out) noexcept {
    const Holder& holder = Get(problem);
    internal::GuardVoid(holder.host, "apply", [&] {
      internal::VisitSpace(*holder.problem, [&]<class S>(const S& space) {
        space.Apply(internal::In<S>(state), op, internal::Out<S>(out));
      });
    });
  }
  static uint32_t Expand(const void* problem, const void* state, Op last_op, Op* ops, int64_t* costs, void* states,
                         uint64_t stride) noexcept {
    const Holder& holder = Get(problem);
    return internal::Guard(holder.host, "expand", 0, [&]() -> uint32_t {
      return internal::VisitSpace(*holder.problem, [&]<class S>(const S& space) -> uint32_t {
        const uint32_t n = space.Ops(internal::In<S>(state), last_op, ops, costs);
        auto* child = static_cast<std::byte*>(states);
        for (uint32_t i = 0; i < n; ++i, child += stride) {
          space.Apply(internal::In<S>(state), ops[i], internal::Out<S>(child));
        }
        return n;
      });
    });
  }

  static astro_status ApplyInPlace(const void* problem, void* state, Op op, int64_t* out_cost) noexcept {
    const Holder& holder = Get(problem);
    return internal::Guard(holder.host, "apply_in_place", ASTRO_INTERNAL, [&]() -> astro_status {
      int64_t cost = 1;
      bool applied = false;
      if constexpr (requires(const P& p) { p.ApplyInPlace(internal::Out<P>(state), op, &cost); }) {
        applied = holder.problem->ApplyInPlace(internal::Out<P>(state), op, &cost);
      } else {
        applied = ApplyChecked(holder, state, op, cost);
      }
      if (applied && out_cost != nullptr) *out_cost = cost;
      return applied ? ASTRO_OK : ASTRO_INVALID;
    });
  }
  static bool ApplyChecked(const Holder& holder, void* state, Op op, int64_t& cost) {
    return internal::VisitSpace(*holder.problem, [&]<class S>(const S& space) -> bool {
      std::vector<Op> ops(holder.space.max_ops);
      std::vector<int64_t> costs(holder.space.max_ops);
      const uint32_t n = space.Ops(internal::In<S>(state), kNoOp, ops.data(), costs.data());
      for (uint32_t i = 0; i < n; ++i) {
        if (ops[i] != op) continue;
        const internal::AlignedBytes child = internal::AllocateAligned(holder.space.state_size);
        space.Apply(internal::In<S>(state), op, internal::Out<S>(child.get()));
        std::memcpy(state, child.get(), holder.space.state_size);
        cost = costs[i];
        return true;
      }
      return false;
    });
  }

  static Op InverseOp(const void* problem, Op op) noexcept {
    if constexpr (HasInverseOp<P>) {
      const Holder& holder = Get(problem);
      return internal::Guard(holder.host, "inverse_op", kNoOp, [&]() -> Op { return holder.problem->InverseOp(op); });
    } else {
      return kNoOp;
    }
  }

  static void RenderState(const void* problem, const void* state, const astro_sink* sink) noexcept {
    const Holder& holder = Get(problem);
    internal::GuardVoid(holder.host, "render_state", [&] {
      Writer writer(sink);
      holder.problem->RenderState(internal::In<P>(state), writer);
    });
  }
  static astro_status ParseState(const void* problem, astro_text text, const astro_diagnostics* sink,
                                 void* out) noexcept {
    const Holder& holder = Get(problem);
    return internal::GuardStatus(holder.host, "parse_state", "state", sink, [&](Diagnostics& diagnostics) {
      if constexpr (requires(const P& p) { p.ParseState(ToView(text), diagnostics, internal::Out<P>(out)); }) {
        const internal::AlignedBytes state = internal::AllocateAligned(holder.space.state_size);
        std::memset(state.get(), 0, holder.space.state_size);
        if (!holder.problem->ParseState(ToView(text), diagnostics, internal::Out<P>(state.get()))) return ASTRO_INVALID;
        std::memcpy(out, state.get(), holder.space.state_size);
        return ASTRO_OK;
      } else {
        diagnostics.Error("state").Message("this problem reads no states from text");
        return ASTRO_REFUSED;
      }
    });
  }
  static void RenderOp(const void* problem, Op op, const astro_sink* sink) noexcept {
    const Holder& holder = Get(problem);
    internal::GuardVoid(holder.host, "render_op", [&] {
      Writer writer(sink);
      holder.problem->RenderOp(op, writer);
    });
  }
  static void CanonicalText(const void* problem, const astro_sink* sink) noexcept {
    const Holder& holder = Get(problem);
    internal::GuardVoid(holder.host, "canonical_text", [&] {
      Writer writer(sink);
      holder.problem->CanonicalText(writer);
    });
  }
  static void Describe(const void* problem, const astro_sink* sink) noexcept {
    const Holder& holder = Get(problem);
    internal::GuardVoid(holder.host, "describe", [&] {
      Writer writer(sink);
      if constexpr (requires(const P& p) { p.Describe(writer); }) {
        holder.problem->Describe(writer);
      } else {
        writer << P::kInfo.id;
      }
    });
  }
  static void Fingerprint(const void* problem, uint8_t out[32]) noexcept {
    const Holder& holder = Get(problem);
    internal::GuardVoid(holder.host, "fingerprint", [&] {
      Sha256::Digest digest;
      if constexpr (requires(const P& p) { p.Fingerprint(); }) {
        digest = holder.problem->Fingerprint();
      } else {
        std::string text(P::kStateLayout);
        text += '\n';
        const astro_sink sink = {&text, [](void* ctx, const char* data, uint64_t size) noexcept {
                                   static_cast<std::string*>(ctx)->append(data, size);
                                 }};
        Writer writer(&sink);
        holder.problem->CanonicalText(writer);
        digest = Sha256().Update(text).Finish();
      }
      std::memcpy(out, digest.data(), digest.size());
    });
  }
  static uint32_t Solvable(const void* problem, const astro_sink* sink) noexcept {
    const Holder& holder = Get(problem);
    return internal::Guard(holder.host, "solvable", ASTRO_SOLVABLE_UNKNOWN, [&]() -> uint32_t {
      Writer writer(sink);
      if constexpr (requires(const P& p) { p.Solvable(writer); }) {
        return holder.problem->Solvable(writer);
      } else {
        return ASTRO_SOLVABLE_UNKNOWN;
      }
    });
  }

  static constexpr bool TakesRoots() {
    if constexpr (requires { P::kKernelTakesRoots; }) {
      return P::kKernelTakesRoots;
    } else {
      return false;
    }
  }

  static int32_t RunKernel(const void* problem, astro_ida_v1* call) noexcept {
    const Holder& holder = Get(problem);
    return internal::Guard(holder.host, "ida.run", ASTRO_IDA_STOPPED, [&]() -> int32_t {
      if constexpr (requires(const P& p) { p.RunKernel(*call); }) {
        if (TakesRoots() || !IdaRoots(*call).listed()) {
          if (const std::optional<int32_t> end = holder.problem->RunKernel(*call)) return *end;
        }
      }
      return internal::VisitSpace(*holder.problem, [&]<class S>(const S& space) -> int32_t {
        return internal::RunIda<S>(space, holder.space, *call);
      });
    });
  }

  static astro_status Reverse(const void* problem, const astro_host_v1* host, const astro_diagnostics* sink,
                              void** out) noexcept {
    return internal::GuardStatus(host, "reverse", "problem", sink, [&](Diagnostics& diagnostics) -> astro_status {
      if constexpr (HasReversed<P>) {
        static_assert(HasForwardOp<P> || HasInverseOp<P>, "Reversed needs ForwardOp, or InverseOp to derive it from");
        if (!HasForwardOp<P> && (Get(problem).space.flags & ASTRO_PROBLEM_UNDIRECTED) == 0) {
          diagnostics.Error("problem").Message("Reversed of a problem that is not UNDIRECTED, without ForwardOp");
          return ASTRO_INTERNAL;
        }
        std::unique_ptr<P> reversed = Get(problem).problem->Reversed(diagnostics);
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
    const Holder& holder = Get(reversed);
    return internal::Guard(holder.host, "forward_op", kNoOp, [&]() -> Op {
      if constexpr (HasForwardOp<P>) {
        return holder.problem->ForwardOp(internal::In<P>(state), op);
      } else if constexpr (HasInverseOp<P>) {
        return holder.problem->InverseOp(op);
      } else {
        return kNoOp;
      }
    });
  }

  static astro_status Construct(const void* problem, const astro_op_sink* sink,
                                const astro_diagnostics* diagnostics) noexcept {
    const Holder& holder = Get(problem);
    return internal::GuardStatus(holder.host, "construct", "problem", diagnostics, [&](Diagnostics&) -> astro_status {
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
    const Holder& holder = Get(problem);
    internal::GuardVoid(holder.host, "facts", [&] {
      if constexpr (HasFacts<P>) {
        FactWriter facts(sink);
        holder.problem->Facts(internal::In<P>(state), facts);
      }
    });
  }

  static const void* GetExtension(astro_text id) noexcept {
    if (ToView(id) == ASTRO_PROBLEM_IDA_V1) return &kKernel;
    if constexpr (HasConstruct<P>) {
      if (ToView(id) == ASTRO_PROBLEM_CONSTRUCT_V1) return &kConstruct;
    }
    if constexpr (HasFacts<P>) {
      if (ToView(id) == ASTRO_PROBLEM_FACTS_V1) return &kFacts;
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

  static constexpr astro_problem_v1 kTable = {
      .struct_size = sizeof(astro_problem_v1),
      .reserved = 0,
      .state_layout = ToText(P::kStateLayout),
      .parse = &Parse,
      .destroy = &Destroy,
      .info = &Info,
      .domain_view = &DomainView,
      .initial_state = &InitialState,
      .goal_state = &GoalState,
      .is_goal = &IsGoal,
      .ops = &Ops,
      .apply = &Apply,
      .apply_in_place = &ApplyInPlace,
      .expand = &Expand,
      .inverse_op = &InverseOp,
      .render_state = &RenderState,
      .parse_state = &ParseState,
      .render_op = &RenderOp,
      .canonical_text = &CanonicalText,
      .describe = &Describe,
      .fingerprint = &Fingerprint,
      .solvable = &Solvable,
      .get_extension = &GetExtension,
  };
};

}  // namespace astro

#endif  // ASTROLABE_SDK_PROBLEM_H_
