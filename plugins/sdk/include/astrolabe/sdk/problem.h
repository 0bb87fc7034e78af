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
//                                                       astrolabe/abi/construct.h); throws Refused when there is none;
//                                                       may throw Cancelled
//   D Distance() const                                  what bounds the cost between two states (see
//                                                       astrolabe/abi/distance.h), for one thread: D has
//                                                       void Bind(const State& target),
//                                                       int64_t Evaluate(const State&) const and
//                                                       int64_t EvaluateOp(const State& parent, int64_t h, Op) const
//   void Facts(const State&, FactWriter&) const         what else is known of a state (see astrolabe/abi/facts.h)
//   std::optional<FactoredInfo> Factored() const        the states of this instance are values of variables (see
//                                                       astrolabe/abi/factored.h), and then
//   void ValuesOf(const State&, uint32_t* out) const,   taken apart and made,
//   void StateOf(const uint32_t* values, State&) const
//   void RenderStep(uint32_t variable, uint32_t value, Writer&) const     and a step in words; all four together
//   void RandomState(uint64_t seed, State& out) const   where local search begins (see astrolabe/abi/random_state.h);
//                                                       draw with sdk/random.h
//   static constexpr bool kKernelTakesRoots = true      RunKernel reads IdaRoots; else it is not called where there are
//                                                       several roots
//   static const void* Extension(std::string_view id)   further extensions
#ifndef ASTROLABE_SDK_PROBLEM_H_
#define ASTROLABE_SDK_PROBLEM_H_

#include "astrolabe/abi/plugin.h"
#include "astrolabe/abi/problem.h"
#include "astrolabe/sdk/manifest.h"
#include "astrolabe/sdk/plugin.h"
#include "astrolabe/sdk/problem_class.h"
#include "astrolabe/sdk/problem_extensions.h"
#include "astrolabe/sdk/problem_instance.h"
#include "astrolabe/sdk/problem_space.h"
#include "astrolabe/sdk/problem_text.h"
#include "astrolabe/sdk/sha256.h"

namespace astro {

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
  using Instance = internal::ProblemInstance<P>;
  using States = internal::ProblemSpace<P>;
  using Text = internal::ProblemText<P>;
  using Extensions = internal::ProblemExtensions<P>;

  static constexpr astro_problem_v1 kTable = {
      .struct_size = sizeof(astro_problem_v1),
      .reserved = 0,
      .state_layout = ToText(P::kStateLayout),
      .parse = &Instance::Parse,
      .destroy = &Instance::Destroy,
      .info = &Instance::Info,
      .domain_view = &Instance::DomainView,
      .initial_state = &Instance::InitialState,
      .goal_state = &Instance::GoalState,
      .is_goal = &States::IsGoal,
      .ops = &States::Ops,
      .apply = &States::Apply,
      .apply_in_place = &States::ApplyInPlace,
      .expand = &States::Expand,
      .inverse_op = &States::InverseOp,
      .render_state = &Text::RenderState,
      .parse_state = &Text::ParseState,
      .render_op = &Text::RenderOp,
      .canonical_text = &Text::CanonicalText,
      .describe = &Text::Describe,
      .fingerprint = &Instance::Fingerprint,
      .solvable = &Instance::Solvable,
      .get_extension = &Extensions::GetExtension,
  };
};

}  // namespace astro

#endif  // ASTROLABE_SDK_PROBLEM_H_
