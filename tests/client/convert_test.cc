#include <gtest/gtest.h>

#include "client/src/convert_cache.h"
#include "client/src/convert_catalog.h"
#include "client/src/convert_common.h"
#include "client/src/convert_evaluate.h"
#include "client/src/convert_event.h"
#include "client/src/convert_result.h"
#include "client/src/convert_server.h"
#include "client/src/convert_spec.h"
#include "client/src/enum_names.h"

namespace astrolabe::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

template <typename Proto, typename Struct>
Struct ThereAndBack(const Struct& value) {
  Proto proto;
  ToProto(value, &proto);
  Proto read;
  EXPECT_TRUE(read.ParseFromString(proto.SerializeAsString()));
  return FromProto(read);
}

JobSpec FullSpec() {
  JobSpec spec;
  spec.problem = "sliding_tile";
  spec.instance = "3\n1 2 3\n4 5 6\n7 8 0\n";
  spec.params = {{"goal", std::string("blank-last")}, {"n", int64_t{-3}}, {"x", 0.1}, {"flag", true}};
  spec.heuristics = {{"manhattan", {{"k", int64_t{1} << 60}}, Rational{1, 2}}, {"hamming", {}, {}}};
  spec.combine = Combine::kSum;
  spec.algorithm = {"wastar", {{"w", 1.5}}};
  spec.limits = {seconds(10), 1, 2, 3, 0, milliseconds(1500)};
  spec.seed = ~uint64_t{0};
  spec.threads = 2;
  spec.events = {{NodeKind::kExpanding, NodeKind::kGoal}, NodeDetail::kText, 2, 3, 4};
  spec.labels = {{"who", "me"}};
  spec.priority = -5;
  spec.tier = EngineTier::kAdditive;
  return spec;
}

Result FullResult() {
  Result result;
  result.outcome = Outcome::kLimitReached;
  result.limit = LimitKind::kMemory;
  result.proof = Proof::kBounded;
  result.bound_factor = 1.5;
  result.cost = 0;
  result.lower_bound = 0;
  result.cost_scale = 100;
  result.solution_count = 7;
  result.path = {{1, 2}, {"UP", "DOWN"}, {"a", "b", "c"}, 2, true};
  result.initial_state = "a";
  result.final_state = "c";
  result.verified = true;
  result.violations = {{"instance", 2, 5, "bad", "good", "mend it"}};
  result.plugin_failure = PluginFailure{"p", "search", 11, "SIGSEGV", "CRASHED", "eval", "boom"};
  result.refuted_claims = {{"h", "admissible", "s", 9, 8}};
  result.statistics = {1,
                       2,
                       3,
                       4,
                       5,
                       6,
                       7,
                       8.5,
                       seconds(1),
                       milliseconds(2),
                       std::chrono::nanoseconds(3),
                       {{10, 20, 30, milliseconds(40)}},
                       seconds(9),
                       11,
                       LocalStatistics{1, 2, 3, 4, 5, 6, 7, 8}};
  result.provenance = {{{"p", "1.0", "ab", 3}}, 4, 5, EngineTier::kKernel, "0.1.0", "astar", {"h"}, "ff", {}};
  result.provenance.cache_files = {{"ab", "a board", 9, true, false, seconds(3)}, {"cd", "", 8, false, true, {}}};
  result.events = {1, 2, 3};
  result.explanation = "because";
  result.notes = {"a note"};
  result.moves = -1;
  result.objective = 17;
  result.objective_name = "conflicts";
  return result;
}

TEST(Convert, EveryFieldOfASpecSurvives) {
  const JobSpec spec = FullSpec();
  EXPECT_EQ((ThereAndBack<v1::JobSpec>(spec)), spec);
}

TEST(Convert, AnInstanceThatIsNotUtf8TravelsAsBytes) {
  JobSpec spec;
  spec.instance = std::string("\xff\x00\xfe", 3);
  v1::JobSpec proto;
  ToProto(spec, &proto);
  EXPECT_TRUE(proto.has_data());
  EXPECT_EQ(FromProto(proto).instance, spec.instance);
}

TEST(Convert, AnEmptySpecSetsNoSubmessages) {
  v1::JobSpec proto;
  ToProto(JobSpec(), &proto);
  EXPECT_FALSE(proto.has_limits());
  EXPECT_FALSE(proto.has_algorithm());
  EXPECT_FALSE(proto.has_events());
}

TEST(Convert, AZeroMaxCostIsNotAMissingOne) {
  Limits limits;
  limits.max_cost = 0;
  v1::Limits proto;
  ToProto(limits, &proto);
  EXPECT_TRUE(proto.has_max_cost());
  EXPECT_EQ(FromProto(proto).max_cost, 0);
  EXPECT_FALSE(FromProto(v1::Limits()).max_cost.has_value());
}

TEST(Convert, AWeightWithoutDenominatorIsWhole) {
  v1::HeuristicUse proto;
  proto.mutable_weight()->set_numerator(3);
  EXPECT_EQ(FromProto(proto).weight, (Rational{3, 1}));
}

TEST(Convert, EveryFieldOfAResultSurvives) {
  const Result result = FullResult();
  EXPECT_EQ((ThereAndBack<v1::Result>(result)), result);
}

TEST(Convert, AResultWithoutSolutionHasNoCost) {
  v1::Result proto;
  proto.set_outcome(v1::OUTCOME_UNSOLVABLE);
  const Result result = FromProto(proto);
  EXPECT_FALSE(result.cost.has_value());
  EXPECT_FALSE(result.plugin_failure.has_value());
  EXPECT_EQ(result.cost_scale, 1) << "never zero, it is a divisor";
}

template <typename Body>
void ExpectBodySurvives(const Body& body) {
  const Event event{"jobs/1", 12, milliseconds(34), body};
  const Event back = ThereAndBack<v1::Event>(event);
  EXPECT_EQ(back.job, "jobs/1");
  EXPECT_EQ(back.sequence, 12);
  EXPECT_EQ(back.elapsed, milliseconds(34));
  ASSERT_NE(back.As<Body>(), nullptr);
  EXPECT_TRUE(*back.As<Body>() == body);
}

TEST(Convert, EveryKindOfEventSurvives) {
  ExpectBodySurvives(JobAccepted{3, {"astar", {}}, {{"h", {}, Rational{1, 3}}}, {seconds(1), 2, 3, 4, {}, {}}});
  ExpectBodySurvives(StateChanged{JobState::kQueued, 4});
  ExpectBodySurvives(Preparing{"pdb", "table 1 of 3", 0.25});
  ExpectBodySurvives(Progress{1, 2, 3.5, 4.5, 5, 6, 7, -1, 0, 9, JobState::kSearching});
  ExpectBodySurvives(Iteration{1, 2, 3, milliseconds(4)});
  ExpectBodySurvives(Improvement{5, 3, 1.5, 7});
  ExpectBodySurvives(LogLine{LogLevel::kWarning, "engine", "text"});
  ExpectBodySurvives(Gap{1, 2, 3, GapReason::kEvicted});
  ExpectBodySurvives(Heartbeat{99});
  ExpectBodySurvives(FullResult());
}

TEST(Convert, ANodeBatchSurvivesWithItsBytes) {
  NodeBatch batch;
  batch.first_ordinal = 100;
  batch.count = 1;
  batch.seen = 101;
  const std::string state("\x00\xff\x01", 3);
  batch.nodes = {{NodeKind::kGoal, 7, ~uint64_t{0}, 5, -1, int64_t{1} << 62, 3, state, "text"}};
  const Event back = ThereAndBack<v1::Event>(Event{"jobs/1", 1, {}, batch});
  const auto* nodes = back.As<NodeBatch>();
  ASSERT_NE(nodes, nullptr);
  EXPECT_EQ(nodes->first_ordinal, 100);
  EXPECT_EQ(nodes->seen, 101);
  EXPECT_EQ(nodes->nodes, batch.nodes);
  const NodeBatch copy = *nodes;
  EXPECT_EQ(copy.storage, nodes->storage) << "copies share the bytes";
}

TEST(Convert, AnEventOfAnUnknownKindIsEmptyNotAnError) {
  v1::Event proto;
  proto.set_sequence(4);
  EXPECT_EQ(FromProto(proto).body.index(), 0u);
}

TEST(Convert, EveryFieldOfAJobSurvives) {
  Job job;
  job.name = "jobs/1";
  job.state = JobState::kDone;
  job.spec = FullSpec();
  job.create_time = Timestamp(milliseconds(1'700'000'000'123));
  job.end_time = Timestamp(milliseconds(-1));
  job.result = FullResult();
  job.progress = Progress{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, JobState::kDone};
  job.queue_position = 2;
  job.first_sequence = 3;
  job.last_sequence = 4;
  job.cancel_requested = true;
  job.request_id = "r";
  const Job back = ThereAndBack<v1::Job>(job);
  EXPECT_EQ(back.spec, job.spec);
  EXPECT_EQ(back.create_time, job.create_time);
  EXPECT_EQ(back.end_time, job.end_time);
  EXPECT_FALSE(back.start_time.has_value());
  EXPECT_EQ(back.result, job.result);
  EXPECT_EQ(back.progress, job.progress);
  EXPECT_EQ(back.last_sequence, 4);
  EXPECT_TRUE(back.cancel_requested);
}

TEST(Convert, TheCatalogueSurvives) {
  const ParamSpec param{"w", ParamType::kDouble, 1.0, 1.0, 100.0, "weight", {"a", "b"}, 2.0};
  const ProblemInfo problem{"p", "s", "pl", "1", "syntax", {{"t", "x"}}, "a", "h", {param}, "layout", "doc"};
  EXPECT_EQ((ThereAndBack<v1::ProblemInfo>(problem)), problem);
  const HeuristicInfo heuristic{"h", "s", "pl", "1", "p", true, true, {param}, "doc", "conflicts"};
  EXPECT_EQ((ThereAndBack<v1::HeuristicInfo>(heuristic)), heuristic);
  const AlgorithmInfo algorithm{"a", "s", true, true, {param}, "doc", true, true, true, true, true};
  EXPECT_EQ((ThereAndBack<v1::AlgorithmInfo>(algorithm)), algorithm);
}

TEST(Convert, PluginsServerInfoAndInstancesSurvive) {
  const Plugin plugin{"id",
                      "1",
                      PluginState::kFailed,
                      LoadError{"ABI_TOO_NEW", "manifest", "m", "e", "f", "h"},
                      "ab",
                      1,
                      2,
                      3,
                      4,
                      {"p"},
                      {"h"},
                      "MIT",
                      "x.so",
                      {"w"}};
  EXPECT_EQ((ThereAndBack<v1::Plugin>(plugin)), plugin);
  const ServerInfo info{"i",
                        "0.1.0",
                        1,
                        2,
                        3,
                        4,
                        Limits{seconds(5), 0, 0, 6, {}, {}},
                        {1, 2, 3, 4, 5},
                        Timestamp(seconds(1'700'000'000)),
                        true,
                        42,
                        {"f"}};
  EXPECT_EQ((ThereAndBack<v1::GetServerInfoResponse>(info)), info);
  const CheckedInstance instance{"c",   "3 x 3", Solvable::kNo,         "parity", "i", "g", 8, "ff",
                                 {"n"}, true,    {{"twin", "2 1\n3 0"}}};
  EXPECT_EQ((ThereAndBack<v1::ValidateInstanceResponse>(instance)), instance);
}

TEST(Convert, EvaluationsSurviveARoundTrip) {
  const HeuristicValue dead_end{"manhattan", std::nullopt, ""};
  const HeuristicValue zero{"hamming", 0, "nothing is out of place"};
  const Neighbour neighbour{3, "UP", int64_t{1} << 40, "1 0 2", true, {dead_end, zero}};
  const Evaluations evaluations{
      {{"1 2 0", false, {zero, dead_end}, {neighbour}, {{"hamming", "2"}}}, {"0 1 2", true, {}, {}, {}}}, 100, {"n"}};
  EXPECT_EQ((ThereAndBack<v1::EvaluateStatesResponse>(evaluations)), evaluations);
  v1::EvaluateStatesRequest request;
  ToProto(EvaluateRequest{{"sliding_tile", "1 2 0", {}}, {{"hamming", {}, Rational{1, 2}}}, {"0 1 2"}, true}, &request);
  EXPECT_EQ(request.instance().text(), "1 2 0");
  EXPECT_EQ(request.heuristics(0).weight().denominator(), 2);
  EXPECT_EQ(request.states(0), "0 1 2");
  EXPECT_TRUE(request.with_neighbours());
}

TEST(Convert, ACacheFileSurvives) {
  const Timestamp made = Timestamp(seconds(1'700'000'000)) + milliseconds(5);
  const CacheFile file{
      "ab", "pdb", "a board", int64_t{1} << 40, made, CacheFileState::kDamaged, "torn", made + seconds(1)};
  EXPECT_EQ((ThereAndBack<v1::CacheFile>(file)), file);
  EXPECT_EQ((ThereAndBack<v1::CacheFile>(CacheFile())), CacheFile());
}

TEST(Convert, HostileDurationsSaturate) {
  google::protobuf::Duration proto;
  proto.set_seconds(INT64_MAX);
  EXPECT_EQ(FromProto(proto), seconds(9'000'000'000));
  proto.set_seconds(INT64_MIN);
  EXPECT_EQ(FromProto(proto), seconds(-9'000'000'000));
}

TEST(Convert, EnumsHaveTheValuesOfTheProtos) {
  EXPECT_EQ(static_cast<int>(Outcome::kInterrupted), v1::OUTCOME_INTERRUPTED);
  EXPECT_EQ(static_cast<int>(Outcome::kExhaustedLocal), v1::OUTCOME_EXHAUSTED_LOCAL);
  EXPECT_EQ(static_cast<int>(LimitKind::kQueueTimeout), v1::LIMIT_KIND_QUEUE_TIMEOUT);
  EXPECT_EQ(static_cast<int>(LimitKind::kExpansions), v1::LIMIT_KIND_EXPANSIONS);
  EXPECT_EQ(static_cast<int>(Proof::kUnsolvableExhausted), v1::PROOF_UNSOLVABLE_EXHAUSTED);
  EXPECT_EQ(static_cast<int>(Proof::kFeasible), v1::PROOF_FEASIBLE);
  EXPECT_EQ(static_cast<int>(JobState::kDone), v1::JOB_STATE_DONE);
  EXPECT_EQ(static_cast<int>(NodeKind::kRestart), v1::NODE_KIND_RESTART);
  EXPECT_EQ(static_cast<int>(NodeKind::kDeadEnd), v1::NODE_KIND_DEAD_END);
  EXPECT_EQ(static_cast<int>(NodeDetail::kText), v1::NODE_DETAIL_TEXT);
  EXPECT_EQ(static_cast<int>(EngineTier::kAdditive), v1::ENGINE_TIER_ADDITIVE);
  EXPECT_EQ(static_cast<int>(Combine::kSum), v1::COMBINE_SUM);
  EXPECT_EQ(static_cast<int>(Overflow::kDrop), v1::OVERFLOW_DROP);
  EXPECT_EQ(static_cast<int>(LogLevel::kError), v1::LOG_LEVEL_ERROR);
  EXPECT_EQ(static_cast<int>(GapReason::kBlockTimeout), v1::GAP_REASON_BLOCK_TIMEOUT);
  EXPECT_EQ(static_cast<int>(ParamType::kString), v1::PARAM_TYPE_STRING);
  EXPECT_EQ(static_cast<int>(PluginState::kUnloaded), v1::PLUGIN_STATE_UNLOADED);
  EXPECT_EQ(static_cast<int>(CacheFileState::kRemoved), v1::CACHE_FILE_STATE_REMOVED);
  EXPECT_EQ(static_cast<int>(Solvable::kUnknown), v1::SOLVABLE_UNKNOWN);
  EXPECT_EQ(v1::Outcome_ARRAYSIZE, 9) << "a new outcome needs a place in client/result.h and in the exit codes";
  EXPECT_EQ(v1::LoadCode_ARRAYSIZE, 20);
}

TEST(Convert, NamesAreThoseOfTheProtos) {
  EXPECT_EQ(Name(Outcome::kPluginFailed), "PLUGIN_FAILED");
  EXPECT_EQ(Name(static_cast<Outcome>(77)), "UNKNOWN(77)");
  EXPECT_EQ(LoadCodeName(v1::LOAD_CODE_CONTRACT_VIOLATION), "CONTRACT_VIOLATION");
  EXPECT_EQ(LoadCodeName(v1::LOAD_CODE_ABI_TOO_OLD), "ABI_TOO_OLD");
  EXPECT_EQ(LoadCodeNumber("UNKNOWN(99)"), 99);
}

}  // namespace
}  // namespace astrolabe::client
