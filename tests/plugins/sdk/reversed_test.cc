#include "astrolabe/sdk/testing/reversed.h"

#include <gtest/gtest.h>

#include <string>

#include "astrolabe/sdk/problem.h"
#include "counter.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::ProblemUnderTest;
using astro::testing::ReversedFault;

// Places 0 .. last on a line; each operator goes one place further, at the cost of the higher place. Text: what is
// asked for below.
template <class Derived>
class Line {
 public:
  static constexpr std::string_view kStateLayout = "line/1";
  struct State {
    uint32_t place;
  };

  static std::unique_ptr<Derived> Parse(std::string_view text, const astro::Params&, astro::Diagnostics&) {
    auto line = std::make_unique<Derived>();
    line->text_ = text;
    return line;
  }
  astro::SpaceInfo Space() const {
    astro::SpaceInfo info;
    info.flags = Derived::kFlags;
    info.state_size = sizeof(State);
    info.state_align = alignof(State);
    info.max_ops = 2;
    info.max_op_cost = kLast;
    return info;
  }
  void InitialState(State& out) const { out.place = turned_ ? kLast : 0; }
  bool IsGoal(const State& state) const { return state.place == (turned_ ? 0 : kLast); }
  void RenderState(const State& state, astro::Writer& out) const { out << state.place; }
  void RenderOp(astro::Op op, astro::Writer& out) const { out << op; }
  void CanonicalText(astro::Writer& out) const { out << text_; }

  std::unique_ptr<Derived> Reversed(astro::Diagnostics& diagnostics) const {
    if (text_ == "nothing") return nullptr;
    if (text_ == "goals") {
      diagnostics.Error("instance").Message("two goals").Expected("one");
      return nullptr;
    }
    auto line = std::make_unique<Derived>();
    line->turned_ = !turned_;
    return line;
  }

 protected:
  static constexpr uint32_t kLast = 6;
  std::string text_;
  bool turned_ = false;
};

// One way. An operator is numbered by the place where it begins.
class Street : public Line<Street> {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "street", .summary = "one way"};
  static constexpr uint32_t kFlags = 0;
  uint32_t Ops(const State& state, astro::Op, astro::Op* ops, int64_t* costs) const {
    if (state.place == (turned_ ? 0 : kLast)) return 0;
    ops[0] = state.place;
    if (costs != nullptr) costs[0] = turned_ ? state.place : state.place + 1;
    return 1;
  }
  void Apply(const State& state, astro::Op, State& out) const {
    out.place = turned_ ? state.place - 1 : state.place + 1;
  }
  astro::Op ForwardOp(const State& state, astro::Op) const { return state.place - 1; }
};

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
