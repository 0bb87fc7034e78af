// The hot half of a problem: what a search calls for every node.
//
// A space has operators and applies them. Its states are either a type,
//   struct MySpace {
//     struct State { ... };                                   // trivially copyable, no padding
//     uint32_t Ops(const State&, Op last_op, Op* out_ops, int64_t* out_costs) const;  // out_costs may be null
//     void Apply(const State&, Op, State& out) const;
//     bool IsGoal(const State&) const;
//   };
// or, when their size depends on the instance, raw memory: then there is no State, and the same
// functions take `const void*` and `void*`. Optional, for states too large to copy:
//     void Move(void* state, Op) const;   // in place; op is one that Ops gave
//     void Undo(void* state, Op) const;   // takes that Move back
#ifndef ASTROLABE_SDK_SPACE_H_
#define ASTROLABE_SDK_SPACE_H_

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "astrolabe/sdk/text.h"

namespace astro {

template <class S>
concept TypedStates = requires {
  typename S::State;
};

namespace internal {

template <class S>
decltype(auto) In(const void* state) {
  if constexpr (TypedStates<S>) {
    return *static_cast<const typename S::State*>(state);
  } else {
    return static_cast<const void*>(state);
  }
}
template <class S>
decltype(auto) Out(void* state) {
  if constexpr (TypedStates<S>) {
    return *static_cast<typename S::State*>(state);
  } else {
    return static_cast<void*>(state);
  }
}

}  // namespace internal

template <class S>
concept Space = requires(const S& space, const void* in, void* out, Op op, Op* ops, int64_t* costs) {
  { space.Ops(internal::In<S>(in), op, ops, costs) } -> std::convertible_to<uint32_t>;
  space.Apply(internal::In<S>(in), op, internal::Out<S>(out));
  { space.IsGoal(internal::In<S>(in)) } -> std::convertible_to<bool>;
};

template <class S>
concept InPlaceSpace = Space<S> && requires(const S& space, void* state, Op op) {
  space.Move(internal::Out<S>(state), op);
  space.Undo(internal::Out<S>(state), op);
};

// Equal states must have equal bytes: the host hashes and compares bytes.
template <class S>
constexpr bool HasCanonicalBytes() {
  if constexpr (TypedStates<S>) {
    return std::is_trivially_copyable_v<typename S::State> &&
           std::has_unique_object_representations_v<typename S::State>;
  } else {
    return true;
  }
}

}  // namespace astro

#endif  // ASTROLABE_SDK_SPACE_H_
