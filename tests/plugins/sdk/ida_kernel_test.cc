#include "astrolabe/sdk/ida_kernel.h"

#include <gtest/gtest.h>

#include "astrolabe/sdk/testing/ida.h"
#include "counter.h"

namespace {

using namespace astro::testing;

struct Fixture {
  explicit Fixture(const char* goal)
      : problem(astro::Problem<counter::Counter>::Functions(), host, goal),
        heuristic(astro::Heuristic<counter::Distance, counter::Domain>::Functions(), host, problem) {}

  IdaIteration Kernel(int64_t bound, const IdaLimits& limits = {}) const {
    return RunKernel(problem, heuristic, bound, false, limits);
  }
  IdaIteration Reference(int64_t bound, const IdaLimits& limits = {}) const {
    return ReferenceIda(problem, heuristic, bound, limits).Run();
  }

  FakeHost host;
  ProblemUnderTest problem;
  HeuristicUnderTest heuristic;
};

struct Blind {
  static constexpr astro::HeuristicInfo kInfo{.id = "blind", .summary = "b"};
  explicit Blind(const counter::Instance&) {}
  int64_t Evaluate(const counter::Position& position) const { return position.value > 50 ? astro::kDeadEnd : 0; }
};

// Costs differ here, and paths run in circles: whatever a space may have.
TEST(IdaKernel, VisitsTheNodesOfTheDefinition) {
  for (const char* goal : {"0", "1", "4", "9", "13"}) {
    Fixture fixture(goal);
    for (int64_t bound = 0; bound < 10; ++bound) {
      EXPECT_EQ(fixture.Kernel(bound), fixture.Reference(bound)) << "goal " << goal << ", bound " << bound;
    }
  }
}

TEST(IdaKernel, FindsTheCheapestPath) {
  Fixture fixture("13");
  const IdaIteration found = Deepen(1, [&](int64_t bound) { return fixture.Kernel(bound); });
  EXPECT_EQ(found.end, ASTRO_IDA_FOUND);
  EXPECT_EQ(found.path_cost, 9);  // 5 + 5 + 1 + 1 + 1
}

TEST(IdaKernel, StopsAtEveryLimitExactly) {
  Fixture fixture("13");
  for (uint64_t limit = 0; limit < 60; ++limit) {
    IdaLimits limits;
    limits.max_expanded = limit;
    EXPECT_EQ(fixture.Kernel(9, limits), fixture.Reference(9, limits)) << limit;
    limits = {};
    limits.max_generated = limit;
    EXPECT_EQ(fixture.Kernel(9, limits), fixture.Reference(9, limits)) << limit;
  }
}

TEST(IdaKernel, GoesOnWhenPolledAsIfNothingHadBeen) {
  Fixture fixture("13");
  const IdaIteration straight = fixture.Kernel(9);
  IdaLimits limits;
  limits.expand_step = 1;
  limits.generate_step = 1;
  EXPECT_EQ(fixture.Kernel(9, limits), straight);
}

TEST(IdaKernel, SaysWhenThePathHasNoRoom) {
  Fixture fixture("13");
  IdaLimits limits;
  for (uint32_t cap = 0; cap < 8; ++cap) {
    limits.path_cap = cap;
    EXPECT_EQ(fixture.Kernel(9, limits), fixture.Reference(9, limits)) << cap;
  }
  limits.path_cap = 4;
  EXPECT_EQ(fixture.Kernel(9, limits).end, ASTRO_IDA_TOO_DEEP);
}

TEST(IdaKernel, CutsNothingButDeadEnds) {
  Fixture fixture("50");  // all is a dead end from the root on
  EXPECT_EQ(fixture.Kernel(100).end, ASTRO_IDA_EXHAUSTED);
  EXPECT_EQ(fixture.Kernel(100).next_bound, ASTRO_DEAD_END);
  EXPECT_EQ(fixture.Kernel(100).expanded, 0u);
}

TEST(IdaKernel, DoesWithoutEvalOps) {
  Fixture fixture("13");
  astro_heuristic_v1 plain = fixture.heuristic.functions();
  plain.eval_ops = nullptr;
  HeuristicUnderTest heuristic(&plain, fixture.host, fixture.problem);
  EXPECT_EQ(RunKernel(fixture.problem, heuristic, 9, false), fixture.Reference(9));
}

// The goal is never met: up and down, as far as the bound allows.
TEST(IdaKernel, GoesDeepWithoutTheThreadsStack) {
  Fixture fixture("13");
  IdaLimits limits;
  limits.path_cap = 3'000'000;
  limits.max_expanded = 2'000'000;
  ProblemUnderTest far(astro::Problem<counter::Counter>::Functions(), fixture.host, "-1");
  HeuristicUnderTest blind(astro::Heuristic<Blind, counter::Domain>::Functions(), fixture.host, far);
  const IdaIteration result = RunKernel(far, blind, 10'000'000, false, limits);
  EXPECT_EQ(result.end, ASTRO_IDA_STOPPED);
  EXPECT_EQ(result.expanded, 2'000'000u);
}

}  // namespace
