#include "astrolabe/sdk/barrier.h"

#include <gtest/gtest.h>

#include "astrolabe/sdk/testing/under_test.h"
#include "counter.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::HeuristicUnderTest;
using astro::testing::ProblemUnderTest;

const astro_problem_v1* Problem() { return astro::Problem<counter::Counter>::Functions(); }

TEST(Barrier, TellsTheHostWhichFunctionThrewAndWhat) {
  FakeHost host;
  ProblemUnderTest problem(Problem(), host, "throw");
  EXPECT_EQ(problem.status(), ASTRO_INTERNAL);
  ASSERT_EQ(host.failures.size(), 1u);
  EXPECT_EQ(host.failures[0].function, "parse");
  EXPECT_EQ(host.failures[0].what, "no such counter");
}

TEST(Barrier, TellsOfExceptionsInHotCalls) {
  FakeHost host;
  ProblemUnderTest problem(Problem(), host, "7");
  ASSERT_TRUE(problem.ok());
  auto state = problem.NewState();
  reinterpret_cast<counter::Position*>(state.get())->value = 99;
  EXPECT_TRUE(problem.Ops(state).empty());
  ASSERT_EQ(host.failures.size(), 1u);
  EXPECT_EQ(host.failures[0].function, "ops");
  EXPECT_EQ(host.failures[0].what, "99 has no operators");
}

TEST(Barrier, TurnsBadAllocIntoNoMemory) {
  FakeHost host;
  ProblemUnderTest problem(Problem(), host, "memory");
  EXPECT_EQ(problem.status(), ASTRO_NO_MEMORY);
  EXPECT_TRUE(host.failures.empty());
}

struct Moody {
  static constexpr astro::HeuristicInfo kInfo{.id = "moody", .summary = "m"};
  explicit Moody(const counter::Instance& instance) {
    if (instance.goal() == 1) throw astro::Refused("goal 1 is too easy", "use another");
    if (instance.goal() == 2) throw 2;
  }
  int Evaluate(const counter::Position& position) const {
    if (position.value == 0) throw std::logic_error("zero");
    return 0;
  }
  void Build(astro::Host host) { host.CheckCancelled(); }
};
const astro_heuristic_v1* MoodyFunctions() { return astro::Heuristic<Moody, counter::Domain>::Functions(); }

TEST(Barrier, TurnsRefusedIntoADiagnosticWithItsHint) {
  FakeHost host;
  ProblemUnderTest problem(Problem(), host, "1");
  HeuristicUnderTest heuristic(MoodyFunctions(), host, problem);
  EXPECT_EQ(heuristic.status(), ASTRO_REFUSED);
  ASSERT_EQ(heuristic.faults.list.size(), 1u);
  EXPECT_EQ(heuristic.faults.list[0].message, "goal 1 is too easy");
  EXPECT_EQ(heuristic.faults.list[0].hint, "use another");
  EXPECT_TRUE(host.failures.empty());
}

TEST(Barrier, CatchesWhatIsNoException) {
  FakeHost host;
  ProblemUnderTest problem(Problem(), host, "2");
  HeuristicUnderTest heuristic(MoodyFunctions(), host, problem);
  EXPECT_EQ(heuristic.status(), ASTRO_INTERNAL);
  ASSERT_EQ(host.failures.size(), 1u);
  EXPECT_EQ(host.failures[0].function, "create");
}

TEST(Barrier, CatchesExceptionsOfEvaluate) {
  FakeHost host;
  ProblemUnderTest problem(Problem(), host, "3");
  HeuristicUnderTest heuristic(MoodyFunctions(), host, problem);
  ASSERT_TRUE(heuristic.ok());
  heuristic.Eval(problem.Initial());
  ASSERT_EQ(host.failures.size(), 1u);
  EXPECT_EQ(host.failures[0].function, "eval");
  EXPECT_EQ(host.failures[0].what, "zero");
}

TEST(Barrier, TurnsCancelledIntoAStatus) {
  FakeHost host;
  host.cancelled = true;
  ProblemUnderTest problem(Problem(), host, "3");
  HeuristicUnderTest heuristic(MoodyFunctions(), host, problem);
  EXPECT_EQ(heuristic.status(), ASTRO_CANCELLED);
  EXPECT_TRUE(host.failures.empty());
}

}  // namespace
