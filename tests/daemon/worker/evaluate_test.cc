// Evaluate requests: h, goals, neighbours, faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

using ::testing::HasSubstr;

// Counts up to `goal` in steps of 1 and 3; the heuristic is exact.
internal::v1::ToWorker EvaluateRequest(const std::string& fixture, const std::vector<std::string>& states,
                                       const std::string& text = "0 10") {
  internal::v1::ToWorker message;
  internal::v1::Evaluate& request = *message.mutable_evaluate();
  request.set_request(99);
  *request.add_plugins() = FixtureFile(fixture);
  v1::EvaluateStatesRequest& evaluate = *request.mutable_evaluate();
  evaluate.mutable_instance()->set_problem(fixture);
  evaluate.mutable_instance()->set_text(text);
  evaluate.add_heuristics()->set_id(fixture + "_h");
  for (const std::string& state : states) evaluate.add_states(state);
  return message;
}

internal::v1::EvaluateDone Evaluate(const internal::v1::ToWorker& request) {
  WorkerProcess worker;
  worker.Send(request);
  return worker.Collect().last().evaluated();
}

TEST(Evaluate, TellsHOfTheStatesInTheirOrder) {
  const internal::v1::EvaluateDone done = Evaluate(EvaluateRequest("counter", {"10", "4", "9"}));
  EXPECT_EQ(done.request(), 99);
  EXPECT_EQ(done.violations_size(), 0);
  EXPECT_FALSE(done.has_failure());
  EXPECT_EQ(done.response().cost_scale(), 1);
  ASSERT_EQ(done.response().evaluations_size(), 3);
  const std::vector<std::tuple<std::string, bool, int>> expected = {{"10", true, 0}, {"4", false, 2}, {"9", false, 1}};
  for (int i = 0; i < 3; ++i) {
    const v1::StateEvaluation& state = done.response().evaluations(i);
    EXPECT_EQ(state.state(), std::get<0>(expected[i]));
    EXPECT_EQ(state.is_goal(), std::get<1>(expected[i]));
    ASSERT_EQ(state.values_size(), 1);
    EXPECT_EQ(state.values(0).heuristic(), "counter_h");
    EXPECT_TRUE(state.values(0).has_h());
    EXPECT_EQ(state.values(0).h(), std::get<2>(expected[i])) << state.state();
    EXPECT_EQ(state.neighbours_size(), 0) << "not asked for";
  }
}

TEST(Evaluate, WithoutStatesItIsTheInitialOne) {
  const auto done = Evaluate(EvaluateRequest("counter", {}, "4 10"));
  ASSERT_EQ(done.response().evaluations_size(), 1);
  EXPECT_EQ(done.response().evaluations(0).state(), "4");
}

TEST(Evaluate, NeighboursHaveOperatorCostAndH) {
  auto request = EvaluateRequest("counter", {"7"});
  request.mutable_evaluate()->mutable_evaluate()->set_with_neighbours(true);
  const auto done = Evaluate(request);
  ASSERT_EQ(done.response().evaluations_size(), 1);
  const v1::StateEvaluation& state = done.response().evaluations(0);
  ASSERT_EQ(state.neighbours_size(), 2);
  EXPECT_EQ(state.neighbours(0).state(), "8");
  EXPECT_EQ(state.neighbours(0).cost(), 1);
  EXPECT_NE(state.neighbours(0).op_name(), "");
  EXPECT_NE(state.neighbours(0).op(), state.neighbours(1).op());
  EXPECT_EQ(state.neighbours(0).values(0).h(), 2);
  EXPECT_EQ(state.neighbours(1).state(), "10");
  EXPECT_TRUE(state.neighbours(1).is_goal());
  EXPECT_EQ(state.neighbours(1).values(0).h(), 0);
}

TEST(Evaluate, FactsOfEachStateAreToldWithinBounds) {
  const auto done = Evaluate(EvaluateRequest("facts", {"7", "10"}));
  ASSERT_EQ(done.response().evaluations_size(), 2);
  for (int i = 0; i < 2; ++i) {
    const v1::StateEvaluation& state = done.response().evaluations(i);
    ASSERT_EQ(state.facts_size(), 2) << "what is too large is left out";
    EXPECT_EQ(state.facts(0).name(), "left");
    EXPECT_EQ(state.facts(0).value(), i == 0 ? "3" : "0");
    EXPECT_EQ(state.facts(1).name(), "bad");
    EXPECT_EQ(state.facts(1).value(), "\xEF\xBF\xBD") << "not UTF-8";
  }
  EXPECT_THAT(done.response().notes(), ::testing::ElementsAre(HasSubstr("64 KiB"))) << "once";
}

TEST(Evaluate, AWeightAppliesToEachHeuristicAlone) {
  auto request = EvaluateRequest("counter", {"0"});
  v1::EvaluateStatesRequest& evaluate = *request.mutable_evaluate()->mutable_evaluate();
  *evaluate.add_heuristics() = evaluate.heuristics(0);
  evaluate.mutable_heuristics(1)->mutable_weight()->set_numerator(1);
  evaluate.mutable_heuristics(1)->mutable_weight()->set_denominator(2);
  const auto done = Evaluate(request);
  ASSERT_EQ(done.response().evaluations_size(), 1);
  const v1::StateEvaluation& state = done.response().evaluations(0);
  ASSERT_EQ(state.values_size(), 2);
  EXPECT_EQ(state.values(0).h(), 4);
  EXPECT_EQ(state.values(1).h(), 2);
}

TEST(Evaluate, FaultsOfAllStatesAreTold) {
  const auto done = Evaluate(EvaluateRequest("counter", {"x", "4", "y"}));
  ASSERT_EQ(done.violations_size(), 2);
  EXPECT_EQ(done.violations(0).field(), "states[0]");
  EXPECT_EQ(done.violations(1).field(), "states[2]");
  EXPECT_EQ(done.violations(1).message(), "the state is no number");
  EXPECT_FALSE(done.has_response());
}

TEST(Evaluate, AHeuristicThatRefusesIsAViolation) {
  auto request = EvaluateRequest("counter", {"4"});
  (*request.mutable_evaluate()->mutable_evaluate()->mutable_heuristics(0)->mutable_params())["refuse"].set_int_value(1);
  const auto done = Evaluate(request);
  ASSERT_GE(done.violations_size(), 1);
  EXPECT_EQ(done.violations(0).field(), "heuristics[0].params.refuse") << "there may be several";
}

TEST(Evaluate, AHeuristicThatNeedsTooMuchMemoryIsAViolation) {
  auto request = EvaluateRequest("counter", {"4"});
  v1::HeuristicUse& use = *request.mutable_evaluate()->mutable_evaluate()->mutable_heuristics(0);
  (*use.mutable_params())["table_bytes"].set_int_value(int64_t{2} << 30);
  const auto done = Evaluate(request);
  ASSERT_EQ(done.violations_size(), 1);
  EXPECT_EQ(done.violations(0).field(), "heuristics[0]");
  EXPECT_THAT(done.violations(0).message(), HasSubstr("memory"));
}

TEST(Evaluate, AHeuristicOfAnotherDomainIsAViolation) {
  const auto done = Evaluate(EvaluateRequest("other_layout", {"4"}));
  ASSERT_EQ(done.violations_size(), 1);
  EXPECT_THAT(done.violations(0).message(), HasSubstr("layout"));
}

TEST(Evaluate, ANegativeHBreaksTheContract) {
  const auto done = Evaluate(EvaluateRequest("negative_h", {"4"}));
  EXPECT_EQ(done.failure().code(), "CONTRACT_VIOLATION");
  EXPECT_THAT(done.failure().message(), HasSubstr("-1"));
  EXPECT_FALSE(done.has_response());
}

TEST(Evaluate, AnAnswerThatIsTooLargeIsRefusedWithAHint) {
  auto request = EvaluateRequest("counter", std::vector<std::string>(30000, "4"));
  request.mutable_evaluate()->mutable_evaluate()->set_with_neighbours(true);
  const auto done = Evaluate(request);
  ASSERT_EQ(done.violations_size(), 1);
  EXPECT_EQ(done.violations(0).field(), "states");
  EXPECT_THAT(done.violations(0).message(), HasSubstr("1 MiB"));
  EXPECT_THAT(done.violations(0).hint(), HasSubstr("fewer states"));
}

TEST(Evaluate, ACrashNamesTheStage) {
  WorkerProcess worker;
  worker.Send(EvaluateRequest("segv_in_eval", {"4"}));
  const Frames frames = worker.Collect();
  ASSERT_TRUE(frames.crash.has_value());
  EXPECT_THAT(frames.stages(), ::testing::Contains("segv_in_eval/evaluate"));
}

TEST(Evaluate, TheWorkerServesOn) {
  WorkerProcess worker;
  worker.Send(EvaluateRequest("counter", {"4"}));
  EXPECT_EQ(worker.Collect().last().recycle(), "");
  EXPECT_EQ(worker.Run(FixtureJob("counter")).result().outcome(), v1::OUTCOME_SOLVED);
}

}  // namespace
}  // namespace astrolabe::testing
