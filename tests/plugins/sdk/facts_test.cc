// What the SDK makes of a problem that knows more of its states.
#include "astrolabe/abi/facts.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "astrolabe/sdk/testing/under_test.h"
#include "street.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::ProblemUnderTest;
using street::Line;
using street::Street;

class Avenue : public Line<Avenue> {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "avenue", .summary = "knows its houses"};
  static constexpr uint32_t kFlags = 0;
  uint32_t Ops(const State& state, astro::Op, astro::Op* ops, int64_t*) const {
    ops[0] = state.place;
    return state.place == kLast ? 0 : 1;
  }
  void Apply(const State& state, astro::Op, State& out) const { out.place = state.place + 1; }
  std::unique_ptr<Avenue> Reversed(astro::Diagnostics&) const = delete;

  void Facts(const State& state, astro::FactWriter& out) const {
    out.Add("place", state.place);
    if (text_ == "throws") throw std::runtime_error("no more houses");
    out.Add("name", "house\nand garden");
  }
};

const void* FactCalls(const ProblemUnderTest& problem) {
  return problem.functions().get_extension(astro::ToText(ASTRO_PROBLEM_FACTS_V1));
}

TEST(Facts, AreExportedOnlyByProblemsThatHaveThem) {
  FakeHost host;
  const ProblemUnderTest street(astro::Problem<Street>::Functions(), host, "");
  EXPECT_EQ(FactCalls(street), nullptr);
  EXPECT_TRUE(street.Facts(street.Initial()).empty());
  const ProblemUnderTest avenue(astro::Problem<Avenue>::Functions(), host, "");
  ASSERT_NE(FactCalls(avenue), nullptr);
  EXPECT_EQ(static_cast<const astro_problem_facts_v1*>(FactCalls(avenue))->struct_size, sizeof(astro_problem_facts_v1));
}

TEST(Facts, AreToldInTheirOrder) {
  FakeHost host;
  const ProblemUnderTest avenue(astro::Problem<Avenue>::Functions(), host, "");
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(avenue.Facts(avenue.Initial()), (Pairs{{"place", "0"}, {"name", "house\nand garden"}}));
}

TEST(Facts, AnExceptionIsToldToTheHostAndGoesNoFurther) {
  FakeHost host;
  const ProblemUnderTest avenue(astro::Problem<Avenue>::Functions(), host, "throws");
  EXPECT_EQ(avenue.Facts(avenue.Initial()).size(), 1u);
  EXPECT_FALSE(host.failures.empty());
}

}  // namespace
