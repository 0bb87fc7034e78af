// Paths whose costs add up to more than a Cost holds. What else a replay does, check_path_test.cc has.
#include "daemon/worker/path_replay.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <variant>

#include "astrolabe/sdk/problem.h"
#include "daemon/worker/problem_reverser.h"
#include "tests/plugins/sdk/street.h"

namespace astrolabe::worker {
namespace {

using street::Street;

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max() / 5 * 2;

// Street, every step of which costs kHuge.
class PathReplayTest : public ::testing::Test {
 protected:
  PathReplayTest() : vtable_(*astro::Problem<Street>::Functions()) {
    vtable_.info = [](const void* problem, astro_problem_info_v1* out) {
      astro::Problem<Street>::Functions()->info(problem, out);
      out->max_op_cost = kHuge;
    };
    vtable_.apply_in_place = [](const void* problem, void* state, astro_op op, int64_t* cost) {
      const astro_status status = astro::Problem<Street>::Functions()->apply_in_place(problem, state, op, cost);
      if (cost != nullptr) *cost = kHuge;
      return status;
    };
    ref_ = {"street", std::string(vtable_.state_layout.data, vtable_.state_layout.size), &vtable_};
    DiagnosticCollector parsing("instance");
    const ParamList none(ProtoParams{}, ParamMap{});
    auto parsed = ParseInstance({&ref_, "org.street", "", &none, &host_}, parsing, nullptr);
    problem_ = std::get<std::unique_ptr<AbiProblem>>(std::move(parsed));
  }
  std::string StateOf(const PathReplay& replay) const { return problem_->RenderState(replay.state()); }

  HostServices host_{JobServices(), "org.street", ""};
  ProblemRef ref_;
  astro_problem_v1 vtable_;
  std::unique_ptr<AbiProblem> problem_;
};

TEST_F(PathReplayTest, AMoveWhoseCostDoesNotFitIsNotMade) {
  PathReplay replay(*problem_);
  ASSERT_TRUE(replay.Move(0));
  ASSERT_TRUE(replay.Move("1"));
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_FALSE(replay.Move(2));
    EXPECT_EQ(replay.violation(), "the costs of the moves add up to more than 2^63 - 1 units");
    EXPECT_EQ(replay.length(), 2);
    EXPECT_EQ(replay.cost(), 2 * kHuge);
    EXPECT_EQ(StateOf(replay), "2") << "where it was before that move";
  }
}

TEST_F(PathReplayTest, WhatIsNotPossibleIsToldAsThatHoweverMuchTheMovesHaveCost) {
  PathReplay replay(*problem_);
  ASSERT_TRUE(replay.Move(0));
  ASSERT_TRUE(replay.Move(1));
  EXPECT_FALSE(replay.Move(7));
  EXPECT_EQ(replay.violation(), "operator 7 is not possible here; expected 2");
  EXPECT_EQ(StateOf(replay), "2");
}

}  // namespace
}  // namespace astrolabe::worker
