// The trail of an objective: how a heuristic follows one state of a factored problem step by step (see
// astrolabe/abi/local.h). A heuristic class H that has it gets the extension:
//
//   class H {
//     class Trail {
//       void Bind(const uint32_t* values);                            // of each variable; allocates nothing
//       int64_t Objective() const;                                    // equal to Evaluate of the state
//       int64_t Delta(uint32_t variable, uint32_t value) const;       // 0 for the value it has
//       void Commit(uint32_t variable, uint32_t value);
//       void Deltas(uint32_t first, uint32_t count, int64_t* out) const;   // optional: else Delta one by one
//       bool InConflict(uint32_t variable) const;                          // optional: else any may be
//       void Sample(uint32_t variable, uint32_t n, const uint32_t* values, int64_t* out) const;   // optional: else
//       Delta
//     };
//     Trail OpenTrail(astro::Host) const;   // large memory from the host: astro::HostMemory; may throw std::bad_alloc
//   };
//
// Without a trail local search makes the state of each neighbour and calls Evaluate.
#ifndef ASTROLABE_SDK_LOCAL_H_
#define ASTROLABE_SDK_LOCAL_H_

#include <concepts>
#include <cstdint>
#include <new>

#include "astrolabe/abi/local.h"
#include "astrolabe/sdk/barrier.h"
#include "astrolabe/sdk/host.h"

namespace astro {

template <class T>
concept TrailClass = requires(T& trail, const T& fixed, const uint32_t* values, uint32_t number) {
  trail.Bind(values);
  { fixed.Objective() } -> std::convertible_to<int64_t>;
  { fixed.Delta(number, number) } -> std::convertible_to<int64_t>;
  trail.Commit(number, number);
};
template <class H>
concept HasTrail = requires(const H& heuristic, Host host) {
  requires TrailClass<typename H::Trail>;
  { heuristic.OpenTrail(host) } -> std::same_as<typename H::Trail>;
};

namespace internal {

// How many values each variable has; 0: the instance is not factored.
inline uint32_t ValuesOf(const astro_problem_v1& calls, const void* problem) {
  const auto* factored =
      static_cast<const astro_problem_factored_v1*>(calls.get_extension(ToText(ASTRO_PROBLEM_FACTORED_V1)));
  astro_factored_info_v1 info = {};
  info.struct_size = sizeof(info);
  return factored != nullptr && factored->info(problem, &info) != 0 ? info.values : 0;
}

// The calls of astro_heuristic_local_v1 for heuristics H that `Holder` holds: Holder::Get gives one with members host,
// heuristic and values.
template <class H, class Holder>
struct LocalCalls {
  using Trail = typename H::Trail;
  struct Opened {
    const astro_host_v1* host;
    uint32_t values;
    Trail trail;
  };
  static Opened& Get(void* trail) { return *static_cast<Opened*>(trail); }
  static const Opened& Get(const void* trail) { return *static_cast<const Opened*>(trail); }

  static void* OpenTrail(const void* heuristic) noexcept {
    const Holder& holder = Holder::Get(heuristic);
    return Guard(holder.host, "open_trail", nullptr, [&]() -> void* {
      try {
        return new Opened{holder.host, holder.values, holder.heuristic.OpenTrail(Host(holder.host))};
      } catch (const std::bad_alloc&) {
        return nullptr;
      }
    });
  }
  static void CloseTrail(const void*, void* trail) noexcept { delete static_cast<Opened*>(trail); }

  static void Bind(void* trail, const uint32_t* values) noexcept {
    Opened& opened = Get(trail);
    GuardVoid(opened.host, "bind", [&] { opened.trail.Bind(values); });
  }
  static int64_t Objective(const void* trail) noexcept {
    const Opened& opened = Get(trail);
    return Guard(opened.host, "objective", 0, [&]() -> int64_t { return opened.trail.Objective(); });
  }
  static int64_t Delta(const void* trail, uint32_t variable, uint32_t value) noexcept {
    const Opened& opened = Get(trail);
    return Guard(opened.host, "delta", 0, [&]() -> int64_t { return opened.trail.Delta(variable, value); });
  }
  static void Deltas(const void* trail, uint32_t first, uint32_t count, int64_t* out) noexcept {
    const Opened& opened = Get(trail);
    GuardVoid(opened.host, "deltas", [&] {
      if constexpr (requires { opened.trail.Deltas(first, count, out); }) {
        opened.trail.Deltas(first, count, out);
      } else {
        for (uint32_t variable = first; variable - first < count; ++variable) {
          for (uint32_t value = 0; value < opened.values; ++value) *out++ = opened.trail.Delta(variable, value);
        }
      }
    });
  }
  static void Commit(void* trail, uint32_t variable, uint32_t value) noexcept {
    Opened& opened = Get(trail);
    GuardVoid(opened.host, "commit", [&] { opened.trail.Commit(variable, value); });
  }
  static constexpr bool kHasInConflict = requires(const Trail& trail, uint32_t variable) {
    { trail.InConflict(variable) } -> std::convertible_to<bool>;
  };
  static int32_t InConflict(const void* trail, uint32_t variable) noexcept {
    const Opened& opened = Get(trail);
    return Guard(opened.host, "in_conflict", 1, [&]() -> int32_t {
      if constexpr (kHasInConflict) {
        return opened.trail.InConflict(variable) ? 1 : 0;
      } else {
        return 1;  // not exported then
      }
    });
  }

  static constexpr bool kHasSample = requires(const Trail& trail, const uint32_t* values, int64_t* out) {
    trail.Sample(0u, 0u, values, out);
  };
  static void Sample(const void* trail, uint32_t variable, uint32_t n, const uint32_t* values, int64_t* out) noexcept {
    const Opened& opened = Get(trail);
    GuardVoid(opened.host, "sample", [&] {
      if constexpr (kHasSample) opened.trail.Sample(variable, n, values, out);  // not exported else
    });
  }

  static constexpr astro_heuristic_local_v1 kTable = {
      .struct_size = sizeof(astro_heuristic_local_v1),
      .reserved = 0,
      .open_trail = &OpenTrail,
      .close_trail = &CloseTrail,
      .bind = &Bind,
      .objective = &Objective,
      .delta = &Delta,
      .deltas = &Deltas,
      .commit = &Commit,
      .in_conflict = kHasInConflict ? &InConflict : nullptr,
      .sample = kHasSample ? &Sample : nullptr,
  };
};

}  // namespace internal
}  // namespace astro

#endif  // ASTROLABE_SDK_LOCAL_H_
