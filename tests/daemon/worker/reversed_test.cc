// The reversed problem of an instance, and what a plugin can do wrong with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "astrolabe/sdk/problem.h"
#include "daemon/worker/algorithm_catalog.h"
#include "daemon/worker/problem_reverser.h"
#include "tests/plugins/sdk/counter.h"
#include "tests/plugins/sdk/street.h"

namespace astrolabe::worker {
namespace {

using ::testing::HasSubstr;
using Reversed = std::variant<std::unique_ptr<AbiProblem>, Refusal>;

class ReverseProblemTest : public ::testing::Test {
 protected:
  // The problem that `vtable` makes of `text`, reversed.
  Reversed Reverse(const astro_problem_v1* vtable, std::string_view text) {
    ref_ = {"street", std::string(vtable->state_layout.data, vtable->state_layout.size), vtable};
    DiagnosticCollector parsing("instance");
    const ParamList none(ProtoParams{}, ParamMap{});
    auto parsed = ParseInstance({&ref_, "org.street", text, &none, &host_}, parsing, nullptr);
    problem_ = std::get<std::unique_ptr<AbiProblem>>(std::move(parsed));
    DiagnosticCollector diagnostics("problem");
    return ReverseProblem(*problem_, ref_, host_, diagnostics, nullptr);
  }
  // Street, with another extension in place of its own.
  Reversed ReverseBy(const astro_problem_reversed_v1& calls) {
    static const astro_problem_reversed_v1* extension;
    extension = &calls;
    vtable_ = *astro::Problem<street::Street>::Functions();
    vtable_.get_extension = [](astro_text id) noexcept -> const void* {
      return astro::ToView(id) == ASTRO_PROBLEM_REVERSED_V1 ? extension : nullptr;
    };
    return Reverse(&vtable_, "");
  }

  HostServices host_{JobServices(), "org.street", ""};
  ProblemRef ref_;
  astro_problem_v1 vtable_;
  std::unique_ptr<AbiProblem> problem_;
};

TEST_F(ReverseProblemTest, GivesASpaceThatKnowsItsForwardOperators) {
  const Reversed made = Reverse(astro::Problem<street::Street>::Functions(), "");
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<AbiProblem>>(made));
  const AbiProblem& reversed = *std::get<std::unique_ptr<AbiProblem>>(made);
  street::Street::State state;
  reversed.InitialState(&state);
  EXPECT_EQ(reversed.RenderState(&state), "6");
  ASSERT_NE(reversed.calls().forward_op, nullptr);
  engine::Op op = 0;
  ASSERT_EQ(reversed.calls().ops(reversed.calls().problem, &state, engine::kNoOp, &op, nullptr), 1u);
  const engine::Op forward = reversed.calls().forward_op(reversed.calls().problem, &state, op);
  street::Street::State before;
  reversed.calls().apply(reversed.calls().problem, &state, op, &before);
  EXPECT_EQ(problem_->ApplyInPlace(&before, forward), 6);  // by the problem itself, and at the same cost
  EXPECT_EQ(before.place, state.place);
}

TEST_F(ReverseProblemTest, TellsWhyAProblemRefuses) {
  const Reversed made = Reverse(astro::Problem<street::Street>::Functions(), "goals");
  const Refusal& refusal = std::get<Refusal>(made);
  EXPECT_EQ(refusal.kind, Refusal::Kind::kRejected);
  ASSERT_EQ(refusal.violations.size(), 1u);
  EXPECT_EQ(refusal.violations[0].message(), "two goals");
}

TEST_F(ReverseProblemTest, TellsThatAPluginDoesNotOfferIt) {
  const Reversed made = Reverse(astro::Problem<counter::Counter>::Functions(), "7");
  const Refusal& refusal = std::get<Refusal>(made);
  EXPECT_EQ(refusal.kind, Refusal::Kind::kRejected);
  ASSERT_EQ(refusal.violations.size(), 1u);
  EXPECT_THAT(refusal.violations[0].message(), HasSubstr("astro.problem.reversed/1"));
}

TEST_F(ReverseProblemTest, BlamesAPluginThatFails) {
  const Reversed made = Reverse(astro::Problem<street::Street>::Functions(), "nothing");
  const Refusal& refusal = std::get<Refusal>(made);
  EXPECT_EQ(refusal.kind, Refusal::Kind::kPluginFailed);
  EXPECT_EQ(refusal.failure.plugin(), "org.street");
  EXPECT_EQ(refusal.failure.stage(), "reverse");
}

TEST_F(ReverseProblemTest, BlamesAPluginThatMakesNothingAndSaysItDid) {
  const astro_problem_reversed_v1 calls = {sizeof calls, 0,
                                           [](const void*, const astro_host_v1*, const astro_diagnostics*,
                                              void**) noexcept -> astro_status { return ASTRO_OK; },
                                           [](const void*, const void*, astro_op op) noexcept { return op; }};
  const Reversed made = ReverseBy(calls);
  EXPECT_EQ(std::get<Refusal>(made).kind, Refusal::Kind::kPluginFailed);
  EXPECT_EQ(std::get<Refusal>(made).failure.code(), "CONTRACT_VIOLATION");
}

TEST_F(ReverseProblemTest, DoesNotCallAnExtensionThatIsTooShort) {
  astro_problem_reversed_v1 calls = {};
  calls.struct_size = offsetof(astro_problem_reversed_v1, forward_op);
  calls.reverse = [](const void*, const astro_host_v1*, const astro_diagnostics*, void**) noexcept -> astro_status {
    ADD_FAILURE() << "called";
    return ASTRO_INTERNAL;
  };
  const Reversed made = ReverseBy(calls);
  EXPECT_EQ(std::get<Refusal>(made).kind, Refusal::Kind::kRejected);
  EXPECT_EQ(problem_->calls().forward_op, nullptr);
}

TEST(AlgorithmCatalog, TellsWhatAnAlgorithmNeeds) {
  engine::AlgorithmDescription row;
  v1::AlgorithmInfo plain;
  FillAlgorithm(row, plain);
  EXPECT_FALSE(plain.needs_reversed());
  EXPECT_FALSE(plain.uses_threads());
  row.needs_reversed = true;
  v1::AlgorithmInfo reversed;
  FillAlgorithm(row, reversed);
  EXPECT_TRUE(reversed.needs_reversed());
  EXPECT_FALSE(reversed.uses_threads());
  row.uses_threads = true;
  v1::AlgorithmInfo both;
  FillAlgorithm(row, both);
  EXPECT_TRUE(both.uses_threads());
}

TEST(AlgorithmCatalog, FindsRowsById) {
  ASSERT_NE(FindAlgorithm("astar"), nullptr);
  EXPECT_EQ(FindAlgorithm("astar")->id, "astar");
  EXPECT_EQ(FindAlgorithm("guess"), nullptr);
}

}  // namespace
}  // namespace astrolabe::worker
