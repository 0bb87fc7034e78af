// The life of a job in the real worker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Job, IsSolvedAndEveryFieldOfTheResultIsFilled) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter", "2 12");
  job.mutable_spec()->set_seed(5);
  const Frames frames = worker.Run(job);
  const v1::Result& result = frames.result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_SOLVED);
  EXPECT_EQ(result.proof(), v1::PROOF_OPTIMAL);
  EXPECT_EQ(result.cost(), 4);
  EXPECT_EQ(result.cost_scale(), 1);
  EXPECT_TRUE(result.verified());
  EXPECT_EQ(result.path().length(), 4);
  EXPECT_EQ(result.path().ops_size(), 4);
  EXPECT_EQ(result.path().op_names_size(), 4);
  EXPECT_EQ(result.path().states_size(), 5);
  EXPECT_EQ(result.path().states(0), "2");
  EXPECT_EQ(result.path().states(4), "12");
  EXPECT_FALSE(result.path().truncated());
  EXPECT_EQ(result.initial_state(), "2");
  EXPECT_EQ(result.final_state(), "12");
  EXPECT_GE(result.statistics().expanded(), 4);
  EXPECT_GT(result.statistics().peak_memory_bytes(), 0);
  EXPECT_TRUE(result.statistics().has_prepare_time());
  EXPECT_TRUE(result.statistics().has_search_time());
  EXPECT_TRUE(result.statistics().has_extract_time());
  const v1::Provenance& provenance = result.provenance();
  ASSERT_EQ(provenance.plugins_size(), 1);
  EXPECT_EQ(provenance.plugins(0).id(), FixtureId("counter"));
  EXPECT_EQ(provenance.plugins(0).sha256(), "00ff");
  EXPECT_EQ(provenance.plugins(0).generation(), 7);
  EXPECT_EQ(provenance.seed(), 5u);
  EXPECT_EQ(provenance.threads(), 1);
  EXPECT_EQ(provenance.algorithm(), "astar");
  EXPECT_THAT(provenance.heuristics(), ElementsAre("counter_h"));
  EXPECT_EQ(provenance.instance_fingerprint(), "02000000000000000c00000000000000" + std::string(32, '0'));
  EXPECT_EQ(frames.last().recycle(), "");
}

TEST(Job, TellsStagesAndStatesInOrder) {
  WorkerProcess worker;
  const Frames frames = worker.Run(FixtureJob("counter"));
  EXPECT_THAT(frames.stages(),
              ElementsAre("counter/load", "counter/init", "counter/parse", "counter/solvable", "counter/create",
                          "counter/build", "counter/search", "counter/replay", "counter/extract", "/"));
  EXPECT_THAT(frames.states(), ElementsAre(v1::JOB_STATE_PREPARING, v1::JOB_STATE_SEARCHING, v1::JOB_STATE_FINISHING));
  EXPECT_THAT(frames.log(), HasSubstr(FixtureId("counter") + ": parsed"));
}

TEST(Job, SendsItsContentBeforeTheResult) {
  WorkerProcess worker;
  const Frames frames = worker.Run(FixtureJob("counter", "0   7"));
  const internal::v1::JobContent* content = frames.content();
  ASSERT_NE(content, nullptr);
  EXPECT_EQ(content->canonical_instance(), "0 7");
  EXPECT_EQ(content->final_state(), "7");
  EXPECT_EQ(content->path_ops().size(), 3 * sizeof(uint32_t));
  ASSERT_GE(frames.messages.size(), 2u);
  EXPECT_TRUE(frames.messages[frames.messages.size() - 2].has_content());
}

TEST(Job, KernelAndGenericTierFindTheSameAndCountTheSame) {
  WorkerProcess worker;
  internal::v1::RunJob kernel = FixtureJob("counter", "0 20", "idastar");
  SetParam(kernel, "slack", 2);  // not perfect: several iterations
  const Frames fast = worker.Run(kernel);
  kernel.mutable_spec()->set_tier(v1::ENGINE_TIER_GENERIC);
  const Frames slow = worker.Run(kernel);
  EXPECT_EQ(fast.result().provenance().tier(), v1::ENGINE_TIER_KERNEL);
  EXPECT_EQ(slow.result().provenance().tier(), v1::ENGINE_TIER_GENERIC);
  EXPECT_EQ(fast.result().cost(), 8);
  EXPECT_EQ(slow.result().cost(), 8);
  EXPECT_EQ(fast.result().statistics().generated(), slow.result().statistics().generated());
  EXPECT_EQ(fast.result().statistics().expanded(), slow.result().statistics().expanded());
  EXPECT_GE(fast.result().statistics().iterations_size(), 2);
  int iterations = 0;
  for (const auto& message : fast.messages) iterations += message.has_iteration();
  EXPECT_EQ(iterations, fast.result().statistics().iterations_size());
}

TEST(Job, ANoteTellsOfATierThatTheSearchCouldNotRunIn) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter_generic", "0 20", "idastar");
  job.mutable_spec()->set_tier(v1::ENGINE_TIER_KERNEL);
  const v1::Result generic = worker.Run(job).result();
  EXPECT_EQ(generic.provenance().tier(), v1::ENGINE_TIER_GENERIC);
  EXPECT_THAT(generic.notes(), ElementsAre("tier kernel was asked for, but this search can only run in tier generic"));
  job.mutable_spec()->set_tier(v1::ENGINE_TIER_GENERIC);
  EXPECT_THAT(worker.Run(job).result().notes(), ::testing::IsEmpty());
}

TEST(Job, ANoteTellsOfThreadsThatTheSearchDidNotUse) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter", "0 20", "astar");
  job.mutable_spec()->set_threads(3);
  EXPECT_THAT(worker.Run(job).result().notes(),
              ElementsAre("astar searches on one thread; the 3 threads of the job were for building heuristics alone"));
  job.mutable_spec()->mutable_algorithm()->set_id("hda_star");
  EXPECT_THAT(worker.Run(job).result().notes(), ::testing::IsEmpty());
}

TEST(Job, AHeuristicThatDoesNotGuideTheSearchIsNotSaidToHaveDoneSo) {
  WorkerProcess worker;
  const v1::Result result = worker.Run(FixtureJob("counter", "0 20", "uniform_cost")).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_SOLVED);
  EXPECT_THAT(result.provenance().heuristics(), ::testing::IsEmpty());
  EXPECT_THAT(result.notes(), ElementsAre("uniform_cost searches without a heuristic; those given do not guide it"));
}

// The table takes all that the job may have: the search has not one state, but h of the first is known.
TEST(Job, HOfTheStartIsALowerBoundWhenTheHeuristicsUsedUpTheMemory) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter", "0 20");
  constexpr int64_t kBytes = int64_t{8} << 20;
  SetParam(job, "table_bytes", kBytes);
  job.mutable_spec()->mutable_limits()->set_max_memory_bytes(kBytes);
  const v1::Result result = worker.Run(job).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(result.limit(), v1::LIMIT_KIND_MEMORY);
  EXPECT_EQ(result.explanation(), "the heuristics used up the memory of the job");
  ASSERT_TRUE(result.has_lower_bound());
  EXPECT_EQ(result.lower_bound(), 8);
}

TEST(Job, AHeuristicWithoutEvalOpsIsEvaluatedByTheHost) {
  WorkerProcess worker;
  for (const char* algorithm : {"astar", "idastar"}) {
    const Frames frames = worker.Run(FixtureJob("no_eval_ops", "0 20", algorithm));
    EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_SOLVED) << algorithm;
    EXPECT_EQ(frames.result().cost(), 8) << algorithm;
  }
}

TEST(Job, ABadInstanceIsRejectedWithAllFaultsAndTheirPlaces) {
  WorkerProcess worker;
  const v1::Result result = worker.Run(FixtureJob("counter", "here there")).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_REJECTED);
  ASSERT_EQ(result.violations_size(), 2);
  EXPECT_EQ(result.violations(0).field(), "instance");
  EXPECT_EQ(result.violations(0).line(), 1);
  EXPECT_EQ(result.violations(0).column(), 1);
  EXPECT_EQ(result.violations(0).message(), "START is no number");
  EXPECT_EQ(result.violations(0).expected(), "a whole number");
  EXPECT_EQ(result.violations(1).column(), 6);
  EXPECT_EQ(result.violations(1).message(), "GOAL is no number");
}

TEST(Job, BytesThatAreNoUtf8ReachThePluginAndComeBackAsValidText) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter");
  job.mutable_spec()->set_data("0 4 \xff\xfe");
  const v1::Result result = worker.Run(job).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_SOLVED);
  EXPECT_THAT(result.notes(), ElementsAre("text after GOAL is ignored"));
}

TEST(Job, AnUnsolvableInstanceIsToldBeforeAnyTableIsBuilt) {
  WorkerProcess worker;
  const Frames frames = worker.Run(FixtureJob("counter", "5 1"));
  EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_UNSOLVABLE);
  EXPECT_EQ(frames.result().proof(), v1::PROOF_UNSOLVABLE_THEORY);
  EXPECT_EQ(frames.result().explanation(), "the counter only goes up");
  EXPECT_EQ(frames.result().initial_state(), "5");
  for (const std::string& stage : frames.stages()) EXPECT_NE(stage, "counter/create");
}

TEST(Job, AHeuristicThatRefusesRejectsTheJob) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter");
  SetParam(job, "refuse", 1);
  const v1::Result result = worker.Run(job).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_REJECTED);
  ASSERT_EQ(result.violations_size(), 1);
  EXPECT_EQ(result.violations(0).field(), "params.refuse");
}

TEST(Job, AHeuristicOfAnotherLayoutIsRejected) {
  WorkerProcess worker;
  const v1::Result result = worker.Run(FixtureJob("other_layout")).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_REJECTED);
  ASSERT_EQ(result.violations_size(), 1);
  EXPECT_EQ(result.violations(0).field(), "heuristics[0]");
  EXPECT_THAT(result.violations(0).message(), HasSubstr("other/1"));
}

TEST(Job, AnUnknownAlgorithmIsRejectedByTheEngine) {
  WorkerProcess worker;
  const v1::Result result = worker.Run(FixtureJob("counter", "0 3", "no_such_algorithm")).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_REJECTED);
  EXPECT_GE(result.violations_size(), 1);
}

TEST(Job, SeveralRunInOneWorkerOneAfterTheOther) {
  WorkerProcess worker;
  // Sent before the first has ended, as a daemon may.
  worker.SendJob(FixtureJob("counter", "0 9"));
  worker.SendJob(FixtureJob("counter_generic", "0 5"));
  EXPECT_EQ(worker.Collect().result().cost(), 3);
  const Frames second = worker.Collect();
  EXPECT_EQ(second.result().cost(), 3);
  EXPECT_EQ(worker.Run(FixtureJob("counter", "0 1")).result().cost(), 1);
}

TEST(Job, ALongPathIsCutInlineAndWholeInTheContent) {
  WorkerProcess worker;
  const Frames frames = worker.Run(FixtureJob("counter", "0 900000"));
  const v1::Result& result = frames.result();
  EXPECT_EQ(result.cost(), 300000);
  EXPECT_EQ(result.path().length(), 300000);
  EXPECT_EQ(result.path().ops_size(), 0);
  EXPECT_EQ(result.path().states_size(), 0);
  EXPECT_TRUE(result.path().truncated());
  EXPECT_EQ(result.final_state(), "900000");
  ASSERT_NE(frames.content(), nullptr);
  EXPECT_EQ(frames.content()->path_ops().size(), 300000 * sizeof(uint32_t));
  EXPECT_LT(result.ByteSizeLong(), 1u << 20);
}

TEST(Job, AMiddlingPathKeepsItsMovesButNotItsStates) {
  WorkerProcess worker;
  const v1::Result result = worker.Run(FixtureJob("counter", "0 90000")).result();
  EXPECT_EQ(result.path().ops_size(), 30000);
  EXPECT_EQ(result.path().op_names_size(), 0);
  EXPECT_EQ(result.path().states_size(), 0);
  EXPECT_TRUE(result.path().truncated());
}

TEST(Job, ProgressComesAtTheAskedInterval) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter", "0 900");
  SetParam(job, "eval_us", 1000);
  job.set_progress_interval_ms(50);
  const Frames frames = worker.Run(job);
  EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_SOLVED);
  int64_t last = -1;
  int count = 0;
  for (const auto& message : frames.messages) {
    if (!message.has_progress()) continue;
    ++count;
    EXPECT_EQ(message.progress().state(), v1::JOB_STATE_SEARCHING);
    EXPECT_GE(message.progress().expanded(), last);
    last = message.progress().expanded();
  }
  EXPECT_GE(count, 2);
}

TEST(Job, AWrongContractOfTheProblemEndsTheJob) {
  for (const char* fixture : {"state_too_large", "state_align_3"}) {
    WorkerProcess worker;
    const v1::Result result = worker.Run(FixtureJob(fixture)).result();
    EXPECT_EQ(result.outcome(), v1::OUTCOME_PLUGIN_FAILED);
    EXPECT_EQ(result.plugin_failure().code(), "CONTRACT_VIOLATION");
    EXPECT_EQ(result.plugin_failure().plugin(), FixtureId(fixture));
    EXPECT_EQ(result.plugin_failure().stage(), "parse");
  }
}

TEST(Job, APluginThatCannotBeLoadedFailsTheJobAndTheWorkerIsReplaced) {
  WorkerProcess worker;
  const Frames frames = worker.Run(FixtureJob("unknown_symbol"));
  EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_PLUGIN_FAILED);
  EXPECT_EQ(frames.result().plugin_failure().code(), "MISSING_SYMBOL");
  EXPECT_EQ(frames.result().plugin_failure().stage(), "load");
  EXPECT_THAT(frames.result().plugin_failure().message(), HasSubstr("function_that_nobody_defines"));
  EXPECT_NE(frames.last().recycle(), "");
}

TEST(Job, APluginWithItsOwnProtobufMeetsNotTheHosts) {
  WorkerProcess worker;
  EXPECT_EQ(worker.Run(FixtureJob("embeds_protobuf")).result().outcome(), v1::OUTCOME_SOLVED);
}

TEST(Job, PluginsThatExportFunctionsOfOneNameCallTheirOwn) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("own_helper_1");
  *job.add_plugins() = FixtureFile("own_helper_2");
  job.mutable_spec()->add_heuristics()->set_id("own_helper_2_h");
  const Frames frames = worker.Run(job);
  EXPECT_FALSE(frames.crash.has_value()) << frames.crash->plugin << " called the function of the other";
  EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_SOLVED);
}

TEST(Job, APluginWithAnotherCxxAbiOrLibrarySearchesTheSame) {
  WorkerProcess worker;
  const v1::Result plain = worker.Run(FixtureJob("counter_generic", "0 50")).result();
  std::vector<const char*> fixtures = {"other_cxx_abi"};
#ifndef ASTROLABE_SANITIZED
  fixtures.push_back("static_libstdcxx");
#endif
#ifdef ASTROLABE_FIXTURE_BY_CLANG
  fixtures.push_back("by_clang");
#endif
#ifdef ASTROLABE_FIXTURE_WITH_LIBCXX
  fixtures.push_back("with_libcxx");
#endif
  for (const char* fixture : fixtures) {
    const Frames frames = worker.Run(FixtureJob(fixture, "0 50"));
    EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_SOLVED) << fixture;
    EXPECT_EQ(frames.result().cost(), plain.cost()) << fixture;
    EXPECT_EQ(frames.result().statistics().expanded(), plain.statistics().expanded()) << fixture;
    EXPECT_EQ(frames.result().statistics().generated(), plain.statistics().generated()) << fixture;
    EXPECT_EQ(frames.last().recycle(), "") << fixture;
  }
}

}  // namespace
}  // namespace astrolabe::testing
