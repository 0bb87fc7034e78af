// The calls of astro_problem_v1 about an instance: it is parsed, described and let go.
#ifndef ASTROLABE_SDK_PROBLEM_INSTANCE_H_
#define ASTROLABE_SDK_PROBLEM_INSTANCE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "astrolabe/abi/problem.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/params.h"
#include "astrolabe/sdk/problem_holder.h"
#include "astrolabe/sdk/sha256.h"

namespace astro::internal {

template <class P>
struct ProblemInstance {
  using Holder = ProblemHolder<P>;

  static astro_status Parse(const astro_host_v1* host, astro_text instance, const astro_params* params,
                            const astro_diagnostics* sink, void** out) noexcept {
    return GuardStatus(host, "parse", "instance", sink, [&](Diagnostics& diagnostics) -> astro_status {
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
    const SpaceInfo& space = Holder::Get(problem).space;
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
      return Holder::Get(problem).problem->DomainView();
    } else {
      return nullptr;
    }
  }

  static void InitialState(const void* problem, void* out) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "initial_state", [&] {
      std::memset(out, 0, holder.space.state_size);
      holder.problem->InitialState(Out<P>(out));
    });
  }

  static int32_t GoalState(const void* problem, void* out) noexcept {
    if constexpr (requires(const P& p) { p.GoalState(Out<P>(out)); }) {
      const Holder& holder = Holder::Get(problem);
      return Guard(holder.host, "goal_state", 0, [&]() -> int32_t {
        std::memset(out, 0, holder.space.state_size);
        return holder.problem->GoalState(Out<P>(out)) ? 1 : 0;
      });
    } else {
      return 0;
    }
  }

  static void Fingerprint(const void* problem, uint8_t out[32]) noexcept {
    const Holder& holder = Holder::Get(problem);
    GuardVoid(holder.host, "fingerprint", [&] {
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
    const Holder& holder = Holder::Get(problem);
    return Guard(holder.host, "solvable", ASTRO_SOLVABLE_UNKNOWN, [&]() -> uint32_t {
      Writer writer(sink);
      if constexpr (requires(const P& p) { p.Solvable(writer); }) {
        return holder.problem->Solvable(writer);
      } else {
        return ASTRO_SOLVABLE_UNKNOWN;
      }
    });
  }
};

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_PROBLEM_INSTANCE_H_
