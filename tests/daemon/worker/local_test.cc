// Local search in the real worker: factored problems, trails, random states, and plugins that break their contracts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <set>

#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

std::string Faults(const v1::Result& result) {
  std::string text = result.explanation();
  for (const v1::Violation& violation : result.violations())
    text += "\n" + violation.field() + ": " + violation.message();
  return text;
}

using ::testing::HasSubstr;
using ::testing::StartsWith;

internal::v1::RunJob Climb(const std::string& fixture, uint64_t seed = 1) {
  internal::v1::RunJob job = FixtureJob(fixture, "digits", "hill_climbing");
  job.mutable_spec()->set_seed(seed);
  return job;
}

void ManyClimbs(internal::v1::RunJob& job, int64_t restarts) {
  auto& params = *job.mutable_spec()->mutable_algorithm()->mutable_params();
  params["restarts"].set_int_value(restarts);
  params["stop_at_solution"].set_bool_value(false);
}

TEST(LocalSearch, FindsAStateAndTellsItsObjective) {
  WorkerProcess worker;
  const Frames frames = worker.Run(Climb("digits"));
  const v1::Result& result = frames.result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_SOLVED) << Faults(result);
  EXPECT_TRUE(result.has_objective());
  EXPECT_EQ(result.objective(), 0);
  EXPECT_EQ(result.objective_name(), "wrong digits");
  EXPECT_THAT(result.explanation(), HasSubstr("wrong digits 0"));
  EXPECT_EQ(result.final_state(), "01234567");
  EXPECT_TRUE(result.verified());
  EXPECT_FALSE(result.has_path());
  EXPECT_FALSE(result.has_moves());
  EXPECT_EQ(result.initial_state(), "") << "the instance names no start";
  ASSERT_TRUE(result.statistics().has_local());
  EXPECT_EQ(result.statistics().local().climbs(), 1);
  EXPECT_EQ(result.statistics().local().solved(), 1);
  EXPECT_EQ(result.statistics().local().steps(), result.statistics().initial_h()) << "each step puts one digit right";
  ASSERT_NE(frames.content(), nullptr);
  EXPECT_EQ(frames.content()->final_state(), "01234567");
  EXPECT_EQ(frames.last().recycle(), "");
}

TEST(LocalSearch, EqualSeedsAreEqualRunsAndOthersAreNot) {
  WorkerProcess worker;
  std::set<int64_t> starts;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const v1::Result first = worker.Run(Climb("digits", seed)).result();
    const v1::Result again = worker.Run(Climb("digits", seed)).result();
    EXPECT_EQ(first.statistics().initial_h(), again.statistics().initial_h());
    EXPECT_EQ(first.statistics().local().SerializeAsString(), again.statistics().local().SerializeAsString());
    starts.insert(first.statistics().initial_h());
  }
  EXPECT_GT(starts.size(), 1u) << "twenty seeds, one start";
}

TEST(LocalSearch, StepsAreNodeEventsInWords) {
  WorkerProcess worker;
  internal::v1::RunJob job = Climb("digits");
  v1::EventOptions& events = *job.mutable_spec()->mutable_events();
  for (const v1::NodeKind kind : {v1::NODE_KIND_SOURCE, v1::NODE_KIND_EXPANDING, v1::NODE_KIND_GENERATING,
                                  v1::NODE_KIND_GOAL, v1::NODE_KIND_RESTART}) {
    events.add_kinds(kind);
  }
  events.set_detail(v1::NODE_DETAIL_TEXT);
  ManyClimbs(job, 2);
  worker.SendCredit(64 << 20);
  const Frames frames = worker.Run(job);
  int sources = 0;
  int restarts = 0;
  int goals = 0;
  int neighbours = 0;
  for (const v1::NodeEvent& event : frames.events()) {
    sources += event.kind() == v1::NODE_KIND_SOURCE;
    restarts += event.kind() == v1::NODE_KIND_RESTART;
    goals += event.kind() == v1::NODE_KIND_GOAL;
    if (event.kind() == v1::NODE_KIND_GOAL) {
      EXPECT_EQ(event.h(), 0);
      EXPECT_EQ(event.text(), "01234567");
      EXPECT_THAT(event.op_name(), StartsWith("wrote "));
    }
    if (event.kind() != v1::NODE_KIND_GENERATING) continue;
    ++neighbours;
    EXPECT_EQ(event.op_name(),
              "wrote " + std::to_string(event.op() % 8) + " at place " + std::to_string(event.op() / 8));
    EXPECT_EQ(event.text().substr(event.op() / 8, 1), std::to_string(event.op() % 8));
  }
  EXPECT_EQ(sources, 1);
  EXPECT_EQ(restarts, 2);
  EXPECT_EQ(goals, 3);
  EXPECT_EQ(neighbours, 56 * frames.result().statistics().local().steps()) << "all neighbours at each step";
}

TEST(LocalSearch, ATrailThatDisagreesWithEvalOrItselfFailsTheJobAndIsNamed) {
  for (const std::string fixture : {"digits_wrong_change", "digits_wrong_sample"}) {
    WorkerProcess worker;
    const Frames frames = worker.Run(Climb(fixture));
    const v1::Result& result = frames.result();
    EXPECT_EQ(result.outcome(), v1::OUTCOME_PLUGIN_FAILED) << fixture;
    EXPECT_EQ(result.plugin_failure().code(), "CONTRACT_VIOLATION");
    EXPECT_EQ(result.plugin_failure().plugin(), FixtureId(fixture));
    EXPECT_THAT(result.plugin_failure().message(), HasSubstr("\"" + fixture + "_h\""));
    EXPECT_THAT(result.plugin_failure().message(), HasSubstr(fixture == "digits_wrong_sample" ? "samples" : "delta"));
    EXPECT_NE(frames.last().recycle(), "");
  }
}

TEST(LocalSearch, ACrashInATrailIsTheHeuristics) {
  WorkerProcess worker;
  internal::v1::RunJob job = Climb("digits_abort");
  ManyClimbs(job, 1000);
  const Frames frames = worker.Run(job);
  ASSERT_TRUE(frames.crash.has_value()) << worker.Output();
  EXPECT_STREQ(frames.crash->code, "CRASHED");
  EXPECT_EQ(frames.crash->signal, SIGABRT);
  EXPECT_EQ(frames.crash->plugin, FixtureId("digits_abort"));
  EXPECT_STREQ(frames.crash->stage, "search");
}

TEST(LocalSearch, NeighboursOfAStateAreItsSteps) {
  internal::v1::ToWorker message;
  internal::v1::Evaluate& request = *message.mutable_evaluate();
  *request.add_plugins() = FixtureFile("digits");
  v1::EvaluateStatesRequest& evaluate = *request.mutable_evaluate();
  evaluate.mutable_instance()->set_problem("digits");
  evaluate.mutable_instance()->set_text("digits");
  evaluate.add_heuristics()->set_id("digits_h");
  evaluate.set_with_neighbours(true);
  WorkerProcess worker;
  worker.Send(message);
  const internal::v1::EvaluateDone done = worker.Collect().last().evaluated();
  ASSERT_EQ(done.response().evaluations_size(), 1) << done.ShortDebugString();
  const v1::StateEvaluation& state = done.response().evaluations(0);
  EXPECT_EQ(state.values(0).h(), 7) << "all digits are 0";
  ASSERT_EQ(state.neighbours_size(), 56);
  int better = 0;
  for (const v1::Neighbour& neighbour : state.neighbours()) better += neighbour.values(0).h() == 6;
  EXPECT_EQ(better, 7);
  EXPECT_EQ(state.neighbours(0).op_name(), "wrote 1 at place 0");
}

}  // namespace
}  // namespace astrolabe::testing
