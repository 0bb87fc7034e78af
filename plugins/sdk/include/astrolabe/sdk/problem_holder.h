// What the host holds of a problem: made by parse and by reverse, read by every other call.
#ifndef ASTROLABE_SDK_PROBLEM_HOLDER_H_
#define ASTROLABE_SDK_PROBLEM_HOLDER_H_

#include <memory>
#include <utility>

#include "astrolabe/abi/host.h"
#include "astrolabe/sdk/info.h"
#include "astrolabe/sdk/space.h"

namespace astro::internal {

// Immutable, for any thread; the host destroys it.
template <class P>
struct ProblemHolder {
  static const ProblemHolder& Get(const void* problem) { return *static_cast<const ProblemHolder*>(problem); }

  const astro_host_v1* host;
  std::unique_ptr<P> problem;
  SpaceInfo space;
};

// Calls f with the space of this instance: one that the problem chooses, or the problem itself.
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

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_PROBLEM_HOLDER_H_
