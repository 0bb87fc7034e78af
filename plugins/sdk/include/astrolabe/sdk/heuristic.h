// A heuristic plugin: write a class H, name it in ASTRO_PLUGIN as astro::Heuristic<H, Domain>, where
// Domain is the tag that the problem's public header gives (sliding_tile::Problem).
//
//   struct MyHeuristic {
//     static constexpr astro::HeuristicInfo kInfo{.id = "my_h", .summary = "...", .admissible = true};
//     explicit MyHeuristic(const Domain::Instance&);  // also (..., const Params&) or (..., const Params&, Host)
//     int Evaluate(const Domain::State&) const;       // or int64_t, which can be astro::kDeadEnd
//   };
//
// That is enough. Optional, for speed and for people:
//   int EvaluateMove(const State& parent, int parent_h, Move) const     h of the child before it is built
//   using Aux = ...; Aux RootAux(const State&) const;                   what incremental evaluation carries along:
//   int EvaluateMove(const State&, int parent_h, const Aux&, Move, Aux& out) const     at most 256 bytes
//   uint32_t AuxSize() const; void RootAux(const State&, std::byte* out) const;         the same with bytes whose
//   void EvaluateMoves(const State& parent, int64_t parent_h, const std::byte* aux,     number the instance decides,
//                      const Op* ops, uint32_t n, int64_t* out_h, std::byte* out_aux) const      known after Build,
//                                                                       and with all moves of a state in one call
//   class Context; Context OpenContext(uint64_t seed) const;            scratch memory of one search thread; then
//                                                                       Evaluate(state, Context&) and no EvaluateMove
//   void Build(Host)                                                    long work; may throw Cancelled
//   void Build(Host, Diagnostics&)                                      the same, with notes for the result
//   uint32_t Claims() const                                             ASTRO_CLAIM_*: which of kInfo's claims hold for
//                                                                       this instance, known after Build; none besides
//   void Explain(const State&, Writer&) const                           components, one a line
//   std::optional<astro_additive_table_v1> AdditiveTable() const        see PerTile in the domain's header
//   int64_t MaxH() const; uint64_t MemoryBytes() const
//   class Trail; Trail OpenTrail(Host) const                            follows one state in local search: see local.h
//   static const void* Extension(std::string_view id)
//
// Constructors may throw astro::Refused. Evaluate and EvaluateMove run on many threads at once and never
// block, allocate or log.
#ifndef ASTROLABE_SDK_HEURISTIC_H_
#define ASTROLABE_SDK_HEURISTIC_H_

#include <algorithm>
#include <concepts>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "astrolabe/abi/plugin.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/host.h"
#include "astrolabe/sdk/info.h"
#include "astrolabe/sdk/local.h"
#include "astrolabe/sdk/manifest.h"
#include "astrolabe/sdk/memory.h"
#include "astrolabe/sdk/plugin.h"

namespace astro {

// What a problem's public header offers to heuristics.
template <class D>
concept Domain = requires(const void* view, const typename D::Instance& instance, const void* in, void* out, Op op) {
  { D::kProblemId } -> std::convertible_to<std::string_view>;
  { D::kStateLayout } -> std::convertible_to<std::string_view>;
  { D::MakeInstance(view) } -> std::same_as<typename D::Instance>;
  { D::StateSize(instance) } -> std::convertible_to<size_t>;
  { D::MakeMove(instance, op) } -> std::same_as<typename D::Move>;
  // The child of a state, without a call into the problem's library.
  D::Child(instance, in, op, out);
  // Calls f(state), with what is constant for the instance known to the compiler.
  D::Visit(instance, in, [](const typename D::State&) { return int64_t{0}; });
  // Optional: VisitWhole, the same for functions that read the whole state.
};

template <class H, class D>
concept HasAux = requires(const H& h, const typename D::State& state) {
  typename H::Aux;
  { h.RootAux(state) } -> std::same_as<typename H::Aux>;
};
template <class H>
concept HasContext = requires(const H& h, uint64_t seed) {
  typename H::Context;
  { h.OpenContext(seed) } -> std::same_as<typename H::Context>;
};
template <class H, class D>
concept HasMove = requires(const H& h, const typename D::State& state, const typename D::Move& move) {
  { h.EvaluateMove(state, 0, move) } -> std::integral;
};
template <class H, class D>
concept HasAuxMove = HasAux<H, D> && requires(const H& h, const typename D::State& state, const typename D::Move& move,
                                              const typename H::Aux& in, typename H::Aux& out) {
  { h.EvaluateMove(state, 0, in, move, out) } -> std::integral;
};
template <class H, class D>
concept HasByteAux = requires(const H& h, const typename D::State& state, const std::byte* in, std::byte* out,
                              const Op* ops, int64_t* out_h) {
  { h.AuxSize() } -> std::same_as<uint32_t>;
  h.RootAux(state, out);
  h.EvaluateMoves(state, int64_t{0}, in, ops, uint32_t{0}, out_h, out);
};
template <class H, class D>
concept HasEvaluate = requires(const H& h, const typename D::State& state) {
  { h.Evaluate(state) } -> std::integral;
};
template <class H, class D>
concept HasContextEvaluate = HasContext<H> &&
    requires(const H& h, const typename D::State& state, typename H::Context& context) {
  { h.Evaluate(state, context) } -> std::integral;
};
template <class H, class D>
concept HeuristicClass = requires {
  { H::kInfo } -> std::convertible_to<HeuristicInfo>;
}
&&(HasEvaluate<H, D> ||
   HasContextEvaluate<H, D>)&&(std::constructible_from<H, const typename D::Instance&> ||
                               std::constructible_from<H, const typename D::Instance&, const Params&> ||
                               std::constructible_from<H, const typename D::Instance&, const Params&, Host>);

template <class H, Domain D>
requires HeuristicClass<H, D>
class Heuristic {
 public:
  static constexpr bool kIsProblem = false;
  static_assert(internal::IsId(H::kInfo.id), "a heuristic's id is [a-z][a-z0-9_]*");

  template <class Json>
  static constexpr void WriteManifest(Json& json) {
    internal::WriteHeuristic(json, H::kInfo, D::kProblemId, D::kStateLayout);
  }
  static constexpr astro_heuristic_entry_v1 Entry() {
    return {sizeof(astro_heuristic_entry_v1), 0, ToText(H::kInfo.id), &kTable};
  }
  static const astro_heuristic_v1* Functions() { return &kTable; }

 private:
  using Instance = typename D::Instance;
  using State = typename D::State;

  static constexpr bool kByteAux = HasByteAux<H, D>;
  static constexpr bool kAux = HasAuxMove<H, D> || kByteAux;
  static constexpr bool kIncremental = kAux || HasMove<H, D>;
  static constexpr bool kOwnContext = HasContext<H>;
  // Contexts hold the child that is evaluated; a heuristic that never builds one needs none.
  static constexpr bool kNeedsContext = kOwnContext || !kIncremental;

  struct Holder {
    Holder(const astro_host_v1* h, Instance i, const Params& params, uint32_t v)
        : host(h), instance(i), heuristic(Make(h, instance, params)), values(v) {}

    static const Holder& Get(const void* heuristic) { return *static_cast<const Holder*>(heuristic); }

    static H Make(const astro_host_v1* host, const Instance& instance, const Params& params) {
      if constexpr (std::constructible_from<H, const Instance&, const Params&, Host>) {
        return H(instance, params, Host(host));
      } else if constexpr (std::constructible_from<H, const Instance&, const Params&>) {
        return H(instance, params);
      } else {
        return H(instance);
      }
    }

    const astro_host_v1* host;
    Instance instance;
    H heuristic;
    uint32_t values;  // of each variable of a factored problem; 0: it is not, or H has no trail
  };

  struct NoContext {};
  struct Context {
    Context(const Holder& h, uint64_t seed)
        : holder(&h), child(internal::AllocateAligned(D::StateSize(h.instance))), own(Own(h, seed)) {}
    static auto Own(const Holder& h, uint64_t seed) {
      if constexpr (kOwnContext) {
        return h.heuristic.OpenContext(seed);
      } else {
        return NoContext();
      }
    }
    const Holder* holder;
    internal::AlignedBytes child;
    // Scratch memory changes under a const pointer: a context belongs to one thread.
    mutable decltype(Own(std::declval<const Holder&>(), 0)) own;
  };

  static const Holder& Get(const void* heuristic) { return Holder::Get(heuristic); }
  static const Context& GetContext(const void* context) { return *static_cast<const Context*>(context); }
  static const Holder& HolderOf(const void* context) {
    if constexpr (kNeedsContext) {
      return *GetContext(context).holder;
    } else {
      return Get(context);
    }
  }

  [[gnu::always_inline]] static int64_t EvaluateState(const Holder& holder, const void* context, const void* state) {
    const auto evaluate = [&](const State& view) -> int64_t {
      if constexpr (HasContextEvaluate<H, D>) {
        return holder.heuristic.Evaluate(view, GetContext(context).own);
      } else {
        return holder.heuristic.Evaluate(view);
      }
    };
    if constexpr (requires { D::VisitWhole(holder.instance, state, evaluate); }) {
      return D::VisitWhole(holder.instance, state, evaluate);
    } else {
      return D::Visit(holder.instance, state, evaluate);
    }
  }

  static astro_status Create(const astro_host_v1* host, const astro_problem_v1* problem_ops, const void* problem,
                             const astro_params* params, const astro_diagnostics* sink, void** out) noexcept {
    return internal::GuardStatus(host, "create", "heuristic", sink, [&](Diagnostics& diagnostics) -> astro_status {
      const void* view = problem_ops->domain_view(problem);
      if (ToView(problem_ops->state_layout) != D::kStateLayout || view == nullptr) {
        diagnostics.Error("heuristic")
            .Message(std::string(H::kInfo.id) + " reads states of layout " + std::string(D::kStateLayout) +
                     ", this problem has " + std::string(ToView(problem_ops->state_layout)))
            .Hint("use a heuristic written for this problem");
        return ASTRO_REFUSED;
      }
      const uint32_t values = HasTrail<H> ? internal::ValuesOf(*problem_ops, problem) : 0;
      *out = new Holder(host, D::MakeInstance(view), Params(params), values);
      return ASTRO_OK;
    });
  }
  static void Destroy(void* heuristic) noexcept { delete static_cast<Holder*>(heuristic); }

  static constexpr bool kBuildsWithNotes = requires(H & h, Host host, Diagnostics& d) { h.Build(host, d); };
  static constexpr bool kHasBuild = kBuildsWithNotes || requires(H & h, Host host) { h.Build(host); };
  static astro_status Build(void* heuristic, const astro_diagnostics* sink) noexcept {
    auto& holder = *static_cast<Holder*>(heuristic);
    return internal::GuardStatus(holder.host, "build", "heuristic", sink,
                                 [&](Diagnostics& diagnostics) -> astro_status {
                                   if constexpr (kBuildsWithNotes) {
                                     holder.heuristic.Build(Host(holder.host), diagnostics);
                                   } else if constexpr (kHasBuild) {
                                     holder.heuristic.Build(Host(holder.host));
                                   }
                                   return diagnostics.errors() > 0 ? ASTRO_REFUSED : ASTRO_OK;
                                 });
  }

  static constexpr uint32_t Claims() {
    const HeuristicInfo info = H::kInfo;
    uint32_t claims = 0;
    if (info.admissible) claims |= ASTRO_CLAIM_ADMISSIBLE;
    if (info.consistent) claims |= ASTRO_CLAIM_CONSISTENT;
    if (info.parity) claims |= ASTRO_CLAIM_PARITY;
    if (info.perfect) claims |= ASTRO_CLAIM_PERFECT;
    return claims;
  }
  static void Info(const void* heuristic, astro_heuristic_info_v1* out) noexcept {
    const Holder& holder = Get(heuristic);
    internal::GuardVoid(holder.host, "info", [&] {
      astro_heuristic_info_v1 info = {};
      info.struct_size = out->struct_size;
      info.claims = Claims();
      if constexpr (requires(const H& h) { h.Claims(); }) info.claims &= holder.heuristic.Claims();
      if constexpr (kByteAux) {
        info.aux_size = holder.heuristic.AuxSize();
      } else if constexpr (kAux) {
        info.aux_size = sizeof(typename H::Aux);
      }
      if constexpr (requires(const H& h) { h.MaxH(); }) info.max_h = holder.heuristic.MaxH();
      info.memory_bytes = sizeof(Holder);
      if constexpr (requires(const H& h) { h.MemoryBytes(); }) info.memory_bytes += holder.heuristic.MemoryBytes();
      std::memcpy(out, &info, std::min<size_t>(out->struct_size, sizeof(info)));
    });
  }

  static void* OpenContext(const void* heuristic, uint64_t seed) noexcept {
    const Holder& holder = Get(heuristic);
    return internal::Guard(holder.host, "open_context", nullptr, [&]() -> void* { return new Context(holder, seed); });
  }
  static void CloseContext(const void*, void* context) noexcept { delete static_cast<Context*>(context); }

  static int64_t Eval(const void* context, const void* state) noexcept {
    const Holder& holder = HolderOf(context);
    return internal::Guard(holder.host, "eval", kDeadEnd,
                           [&]() -> int64_t { return EvaluateState(holder, context, state); });
  }
  static void EvalBatch(const void* context, uint64_t n, const void* states, uint64_t stride, int64_t* out_h) noexcept {
    const Holder& holder = HolderOf(context);
    internal::GuardVoid(holder.host, "eval_batch", [&] {
      const auto* state = static_cast<const std::byte*>(states);
      for (uint64_t i = 0; i < n; ++i, state += stride) out_h[i] = EvaluateState(holder, context, state);
    });
  }
  static void RootAux(const void* context, const void* state, void* out) noexcept {
    const Holder& holder = HolderOf(context);
    internal::GuardVoid(holder.host, "root_aux", [&] {
      if constexpr (kByteAux) {
        D::Visit(holder.instance, state, [&](const State& view) -> int64_t {
          holder.heuristic.RootAux(view, static_cast<std::byte*>(out));
          return 0;
        });
      } else if constexpr (kAux) {
        D::Visit(holder.instance, state, [&](const State& view) -> int64_t {
          const typename H::Aux aux = holder.heuristic.RootAux(view);
          std::memcpy(out, &aux, sizeof(aux));
          return 0;
        });
      }
    });
  }

  static void EvalOps(const void* context, const void* parent, int64_t parent_h, const void* parent_aux, const Op* ops,
                      uint32_t n, int64_t* out_h, void* out_aux) noexcept {
    const Holder& holder = HolderOf(context);
    internal::GuardVoid(holder.host, "eval_ops", [&] {
      if constexpr (kByteAux) {
        D::Visit(holder.instance, parent, [&](const State& view) -> int64_t {
          holder.heuristic.EvaluateMoves(view, parent_h, static_cast<const std::byte*>(parent_aux), ops, n, out_h,
                                         static_cast<std::byte*>(out_aux));
          return 0;
        });
      } else if constexpr (kAux) {
        using Aux = typename H::Aux;
        static_assert(std::is_trivially_copyable_v<Aux> && sizeof(Aux) <= ASTRO_MAX_AUX_SIZE,
                      "Aux is carried as bytes: trivially copyable, at most 256 bytes");
        D::Visit(holder.instance, parent, [&](const State& view) -> int64_t {
          Aux in;
          std::memcpy(&in, parent_aux, sizeof(in));
          auto* next = static_cast<std::byte*>(out_aux);
          for (uint32_t i = 0; i < n; ++i, next += sizeof(Aux)) {
            Aux out = in;
            out_h[i] = holder.heuristic.EvaluateMove(view, parent_h, in, D::MakeMove(holder.instance, ops[i]), out);
            std::memcpy(next, &out, sizeof(out));
          }
          return 0;
        });
      } else if constexpr (kIncremental) {
        D::Visit(holder.instance, parent, [&](const State& view) -> int64_t {
          for (uint32_t i = 0; i < n; ++i) {
            out_h[i] = holder.heuristic.EvaluateMove(view, parent_h, D::MakeMove(holder.instance, ops[i]));
          }
          return 0;
        });
      } else {
        std::byte* child = GetContext(context).child.get();
        for (uint32_t i = 0; i < n; ++i) {
          D::Child(holder.instance, parent, ops[i], child);
          out_h[i] = EvaluateState(holder, context, child);
        }
      }
    });
  }

  static constexpr bool kHasExplain = requires(const H& h, const State& state, Writer& writer) {
    h.Explain(state, writer);
  };
  static void Explain(const void* heuristic, const void* state, const astro_sink* sink) noexcept {
    const Holder& holder = Get(heuristic);
    internal::GuardVoid(holder.host, "explain", [&] {
      if constexpr (kHasExplain) {
        D::Visit(holder.instance, state, [&](const State& view) -> int64_t {
          Writer writer(sink);
          holder.heuristic.Explain(view, writer);
          return 0;
        });
      }
    });
  }

  static constexpr bool kHasTable = requires(const H& h) {
    { h.AdditiveTable() } -> std::same_as<std::optional<astro_additive_table_v1>>;
  };
  static int32_t Table(const void* heuristic, astro_additive_table_v1* out) noexcept {
    const Holder& holder = Get(heuristic);
    return internal::Guard(holder.host, "additive.table", 0, [&]() -> int32_t {
      if constexpr (kHasTable) {
        if (const std::optional<astro_additive_table_v1> table = holder.heuristic.AdditiveTable()) {
          const uint32_t size = out->struct_size;
          std::memcpy(out, &*table, std::min<size_t>(size, sizeof(*table)));
          out->struct_size = size;
          return 1;
        }
      }
      return 0;
    });
  }
  static constexpr astro_heuristic_additive_v1 kAdditive = {sizeof(astro_heuristic_additive_v1), 0, &Table};

  static const void* GetExtension(astro_text id) noexcept {
    if constexpr (kHasTable) {
      if (ToView(id) == ASTRO_HEURISTIC_ADDITIVE_V1) return &kAdditive;
    }
    if constexpr (HasTrail<H>) {
      if (ToView(id) == ASTRO_HEURISTIC_LOCAL_V1) return &internal::LocalCalls<H, Holder>::kTable;
    }
    if constexpr (requires { H::Extension(ToView(id)); }) {
      return H::Extension(ToView(id));
    } else {
      return nullptr;
    }
  }

  static constexpr astro_heuristic_v1 kTable = {
      .struct_size = sizeof(astro_heuristic_v1),
      .reserved = 0,
      .state_layout = ToText(D::kStateLayout),
      .create = &Create,
      .destroy = &Destroy,
      .build = kHasBuild ? &Build : nullptr,
      .info = &Info,
      .open_context = kNeedsContext ? &OpenContext : nullptr,
      .close_context = kNeedsContext ? &CloseContext : nullptr,
      .eval = &Eval,
      .eval_batch = &EvalBatch,
      .root_aux = kAux ? &RootAux : nullptr,
      .eval_ops = &EvalOps,
      .explain = kHasExplain ? &Explain : nullptr,
      .get_extension = &GetExtension,
  };
};

}  // namespace astro

#endif  // ASTROLABE_SDK_HEURISTIC_H_
