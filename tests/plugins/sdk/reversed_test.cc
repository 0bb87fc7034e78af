#include "astrolabe/sdk/testing/reversed.h"

#include <gtest/gtest.h>

#include <memory>

#include "counter.h"
#include "street.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::ProblemUnderTest;
using astro::testing::ReversedFault;
using street::Line;
using street::Street;

// Both ways: operator 0 goes up, 1 goes down.
class Road : public Line<Road> {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "road", .summary = "both ways"};
  static constexpr uint32_t kFlags = ASTRO_PROBLEM_UNDIRECTED;
  uint32_t Ops(const State& state, astro::Op, astro::Op* ops, int64_t* costs) const {
    uint32_t n = 0;
    for (const bool down : {false, true}) {
      if (state.place == (down ? 0 : kLast)) continue;
      if (costs != nullptr) costs[n] = down ? state.place : state.place + 1;
      ops[n++] = down ? 1 : 0;
    }
    return n;
  }
  void Apply(const State& state, astro::Op op, State& out) const {
    out.place = op == 0 ? state.place + 1 : state.place - 1;
  }
  astro::Op InverseOp(astro::Op op) const { return 1 - op; }
};

// Says nothing of being undirected, so that InverseOp is no forward operator.
class Lane : public Street {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "lane", .summary = "a mistake"};
  static std::unique_ptr<Lane> Parse(std::string_view, const astro::Params&, astro::Diagnostics&) {
    return std::make_unique<Lane>();
  }
  std::unique_ptr<Lane> Reversed(astro::Diagnostics&) const { return std::make_unique<Lane>(); }
  astro::Op InverseOp(astro::Op op) const { return op; }
  astro::Op ForwardOp(const State&, astro::Op) const = delete;
};

TEST(Reversed, IsExportedOnlyByProblemsThatHaveIt) {
  FakeHost host;
  const ProblemUnderTest without(astro::Problem<counter::Counter>::Functions(), host, "7");
  const ProblemUnderTest with(astro::Problem<Street>::Functions(), host, "");
  EXPECT_EQ(without.ReversedCalls(), nullptr);
  ASSERT_NE(with.ReversedCalls(), nullptr);
  EXPECT_EQ(with.ReversedCalls()->struct_size, sizeof(astro_problem_reversed_v1));
}

TEST(Reversed, TurnsEveryOperatorRound) {
  FakeHost host;
  const ProblemUnderTest street(astro::Problem<Street>::Functions(), host, "");
  const ProblemUnderTest reversed(street, host);
  ASSERT_TRUE(reversed.ok());
  EXPECT_EQ(ReversedFault(street, reversed, 100), "");
  EXPECT_EQ(reversed.Render(reversed.Initial()), "6");
}

TEST(Reversed, DerivesTheForwardOperatorOfAnUndirectedProblem) {
  FakeHost host;
  const ProblemUnderTest road(astro::Problem<Road>::Functions(), host, "");
  const ProblemUnderTest reversed(road, host);
  ASSERT_TRUE(reversed.ok());
  EXPECT_EQ(ReversedFault(road, reversed, 100), "");
}

TEST(Reversed, OutlivesTheProblem) {
  FakeHost host;
  auto street = std::make_unique<ProblemUnderTest>(astro::Problem<Street>::Functions(), host, "");
  const ProblemUnderTest reversed(*street, host);
  street.reset();
  EXPECT_EQ(reversed.Ops(reversed.Initial()), std::vector<astro_op>{6});
}

TEST(Reversed, IsRefusedWithTheReason) {
  FakeHost host;
  const ProblemUnderTest street(astro::Problem<Street>::Functions(), host, "goals");
  const ProblemUnderTest reversed(street, host);
  EXPECT_EQ(reversed.status(), ASTRO_REFUSED);
  EXPECT_EQ(reversed.get(), nullptr);
  ASSERT_EQ(reversed.faults.list.size(), 1u);
  EXPECT_EQ(reversed.faults.list[0].message, "two goals");
}

TEST(Reversed, ThatGivesNothingIsTheProblemsFault) {
  FakeHost host;
  const ProblemUnderTest street(astro::Problem<Street>::Functions(), host, "nothing");
  EXPECT_EQ(ProblemUnderTest(street, host).status(), ASTRO_INTERNAL);
}

TEST(Reversed, OfADirectedProblemNeedsAForwardOperator) {
  FakeHost host;
  const ProblemUnderTest lane(astro::Problem<Lane>::Functions(), host, "");
  const ProblemUnderTest reversed(lane, host);
  EXPECT_EQ(reversed.status(), ASTRO_INTERNAL);
  EXPECT_EQ(reversed.faults.Text(), "0:0 Reversed of a problem that is not UNDIRECTED, without ForwardOp\n");
}

// The check itself: a reversed problem that is the problem once more must not pass.
TEST(Reversed, CheckSeesAProblemThatWasNotTurned) {
  FakeHost host;
  const ProblemUnderTest street(astro::Problem<Street>::Functions(), host, "");
  const ProblemUnderTest reversed(street, host);
  const ProblemUnderTest twice(reversed, host);
  EXPECT_NE(ReversedFault(street, twice, 100), "");
}

}  // namespace
