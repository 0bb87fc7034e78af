// What a class has to have to be a problem, and what it may have. The words are those of astrolabe/sdk/problem.h.
#ifndef ASTROLABE_SDK_PROBLEM_CLASS_H_
#define ASTROLABE_SDK_PROBLEM_CLASS_H_

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/fact_writer.h"
#include "astrolabe/sdk/info.h"
#include "astrolabe/sdk/op_writer.h"
#include "astrolabe/sdk/params.h"
#include "astrolabe/sdk/space.h"
#include "astrolabe/sdk/text.h"

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
concept HasFactored = requires(const P& problem, const void* in, void* out, const uint32_t* values,
                               uint32_t* out_values, uint32_t number, Writer& writer) {
  { problem.Factored() } -> std::same_as<std::optional<FactoredInfo>>;
  problem.ValuesOf(internal::In<P>(in), out_values);
  problem.StateOf(values, internal::Out<P>(out));
  problem.RenderStep(number, number, writer);
};
template <class P>
concept HasRandomState = requires(const P& problem, uint64_t seed, void* out) {
  problem.RandomState(seed, internal::Out<P>(out));
};
// A lower bound between two states: the object that Distance() makes, and what it can do.
template <class P>
using DistanceOf = decltype(std::declval<const P&>().Distance());
template <class P>
concept HasDistance = requires(DistanceOf<P>& distance, const DistanceOf<P>& bound, const void* in, int64_t h, Op op) {
  distance.Bind(internal::In<P>(in));
  { bound.Evaluate(internal::In<P>(in)) } -> std::same_as<int64_t>;
  { bound.EvaluateOp(internal::In<P>(in), h, op) } -> std::same_as<int64_t>;
};
template <class P>
concept HasForwardOp = requires(const P& problem, const void* in, Op op) {
  { problem.ForwardOp(internal::In<P>(in), op) } -> std::same_as<Op>;
};
template <class P>
concept HasInverseOp = requires(const P& problem, Op op) {
  { problem.InverseOp(op) } -> std::same_as<Op>;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_PROBLEM_CLASS_H_
