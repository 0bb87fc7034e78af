// Small parts of the worker, each alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>

#include <cfloat>
#include <thread>

#include "astrolabe/v1/event.pb.h"
#include "astrolabe/v1/result.pb.h"
#include "daemon/engine/search.h"
#include "daemon/worker/abi_text.h"
#include "daemon/worker/code_map.h"
#include "daemon/worker/data_limit.h"
#include "daemon/worker/diagnostics.h"
#include "daemon/worker/job_control.h"
#include "daemon/worker/log_stream.h"
#include "daemon/worker/manifest.h"
#include "daemon/worker/memory_budget.h"
#include "daemon/worker/parallel.h"
#include "daemon/worker/param_list.h"
#include "daemon/worker/plugin_library.h"
#include "daemon/worker/process_snapshot.h"
#include "daemon/worker/result_builder.h"

namespace astrolabe::worker {
namespace {

using ::testing::HasSubstr;

TEST(PathPieces, FollowEachOtherAndTheLastIsKept) {
  std::vector<engine::Op> path(2 * kContentPieceOps + 5);
  for (size_t i = 0; i < path.size(); ++i) path[i] = static_cast<engine::Op>(i * 2654435761u);
  std::string joined;
  internal::v1::JobContent last;
  size_t sent = 0;
  EXPECT_TRUE(FillPathPieces(
      path,
      [&](const internal::v1::JobContent& piece) {
        ++sent;
        joined += piece.path_ops();
        EXPECT_EQ(piece.path_bytes(), static_cast<int64_t>(path.size() * 4));
      },
      last));
  EXPECT_EQ(sent, 2u);
  EXPECT_EQ(last.path_ops().size(), 20u);
  joined += last.path_ops();
  EXPECT_EQ(joined, std::string(reinterpret_cast<const char*>(path.data()), path.size() * 4));
}

TEST(PathPieces, AShortPathIsOnePieceAndOneTooLongIsNone) {
  internal::v1::JobContent last;
  const auto never = [](const internal::v1::JobContent&) { ADD_FAILURE() << "no piece may be sent"; };
  EXPECT_TRUE(FillPathPieces(std::vector<engine::Op>{}, never, last));
  EXPECT_EQ(last.path_ops(), "");
  EXPECT_TRUE(FillPathPieces(std::vector<engine::Op>(kContentPieceOps, 7), never, last));
  EXPECT_EQ(last.path_ops().size(), kContentPieceOps * 4);
  internal::v1::JobContent untouched;
  EXPECT_FALSE(FillPathPieces(std::vector<engine::Op>(kMaxContentOps + 1, 7), never, untouched));
  EXPECT_EQ(untouched.path_ops(), "");
}

TEST(Enums, OfTheEngineEqualThoseOfTheApi) {
  EXPECT_EQ(static_cast<int>(engine::Outcome::kSolved), v1::OUTCOME_SOLVED);
  EXPECT_EQ(static_cast<int>(engine::Outcome::kUnsolvable), v1::OUTCOME_UNSOLVABLE);
  EXPECT_EQ(static_cast<int>(engine::Outcome::kExhaustedLocal), v1::OUTCOME_EXHAUSTED_LOCAL);
  EXPECT_EQ(static_cast<int>(engine::Outcome::kLimitReached), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(static_cast<int>(engine::Outcome::kCancelled), v1::OUTCOME_CANCELLED);
  EXPECT_EQ(static_cast<int>(engine::Outcome::kRejected), v1::OUTCOME_REJECTED);
  EXPECT_EQ(static_cast<int>(engine::Outcome::kPluginFailed), v1::OUTCOME_PLUGIN_FAILED);
  EXPECT_EQ(static_cast<int>(engine::Outcome::kInterrupted), v1::OUTCOME_INTERRUPTED);
  EXPECT_EQ(v1::Outcome_MAX, v1::OUTCOME_INTERRUPTED);
  EXPECT_EQ(static_cast<int>(engine::LimitKind::kWallTime), v1::LIMIT_KIND_WALL_TIME);
  EXPECT_EQ(static_cast<int>(engine::LimitKind::kExpansions), v1::LIMIT_KIND_EXPANSIONS);
  EXPECT_EQ(static_cast<int>(engine::LimitKind::kGenerated), v1::LIMIT_KIND_GENERATED);
  EXPECT_EQ(static_cast<int>(engine::LimitKind::kMemory), v1::LIMIT_KIND_MEMORY);
  EXPECT_EQ(static_cast<int>(engine::LimitKind::kCost), v1::LIMIT_KIND_COST);
  EXPECT_EQ(static_cast<int>(engine::LimitKind::kQueueTimeout), v1::LIMIT_KIND_QUEUE_TIMEOUT);
  EXPECT_EQ(v1::LimitKind_MAX, v1::LIMIT_KIND_QUEUE_TIMEOUT);
  EXPECT_EQ(static_cast<int>(engine::Proof::kNone), v1::PROOF_NONE);
  EXPECT_EQ(static_cast<int>(engine::Proof::kOptimal), v1::PROOF_OPTIMAL);
  EXPECT_EQ(static_cast<int>(engine::Proof::kBounded), v1::PROOF_BOUNDED);
  EXPECT_EQ(static_cast<int>(engine::Proof::kFeasible), v1::PROOF_FEASIBLE);
  EXPECT_EQ(static_cast<int>(engine::Proof::kUnsolvableTheory), v1::PROOF_UNSOLVABLE_THEORY);
  EXPECT_EQ(static_cast<int>(engine::Proof::kUnsolvableExhausted), v1::PROOF_UNSOLVABLE_EXHAUSTED);
  EXPECT_EQ(v1::Proof_MAX, v1::PROOF_UNSOLVABLE_EXHAUSTED);
  EXPECT_EQ(static_cast<int>(engine::Tier::kGeneric), v1::ENGINE_TIER_GENERIC);
  EXPECT_EQ(static_cast<int>(engine::Tier::kKernel), v1::ENGINE_TIER_KERNEL);
  EXPECT_EQ(static_cast<int>(engine::Tier::kAdditive), v1::ENGINE_TIER_ADDITIVE);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kSource), v1::NODE_KIND_SOURCE);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kExpanding), v1::NODE_KIND_EXPANDING);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kGenerating), v1::NODE_KIND_GENERATING);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kUpdating), v1::NODE_KIND_UPDATING);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kReopening), v1::NODE_KIND_REOPENING);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kClosing), v1::NODE_KIND_CLOSING);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kPruned), v1::NODE_KIND_PRUNED);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kDeadEnd), v1::NODE_KIND_DEAD_END);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kGoal), v1::NODE_KIND_GOAL);
  EXPECT_EQ(static_cast<int>(engine::NodeKind::kRestart), v1::NODE_KIND_RESTART);
  EXPECT_EQ(v1::NodeKind_MAX, v1::NODE_KIND_RESTART);
}

TEST(MemoryBudget, GivesWhatFitsAndTakesItBack) {
  MemoryBudget budget(1 << 20);
  void* first = budget.Allocate(600 << 10, 4096);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 4096, 0u);
  EXPECT_EQ(budget.Allocate(600 << 10, 64), nullptr);
  EXPECT_TRUE(budget.exhausted());
  EXPECT_TRUE(budget.Release(first));
  EXPECT_FALSE(budget.Release(first));
  EXPECT_EQ(budget.used(), 0u);
  EXPECT_EQ(budget.peak(), 600u << 10);
  void* second = budget.Allocate(600 << 10, 1);
  EXPECT_NE(second, nullptr);
}

TEST(MemoryBudget, RefusesSizesAndAlignmentsThatMakeNoSense) {
  MemoryBudget budget(0);
  EXPECT_EQ(budget.Allocate(8, 3), nullptr);
  EXPECT_EQ(budget.Allocate(8, 8192), nullptr);
  EXPECT_EQ(budget.Allocate(8, 0), nullptr);
  EXPECT_EQ(budget.Allocate(~uint64_t{0}, 64), nullptr);
  EXPECT_TRUE(budget.Release(nullptr));
  int on_stack = 0;
  EXPECT_FALSE(budget.Release(&on_stack));
}

TEST(CodeMap, FindsThePluginOfAnAddressAndOnAStack) {
  CodeMap map;
  map.Add("first", {0x1000, 0x2000});
  map.Add("second", {0x3000, 0x4000});
  EXPECT_STREQ(map.Find(0x1000), "first");
  EXPECT_STREQ(map.Find(0x3fff), "second");
  EXPECT_EQ(map.Find(0x2000), nullptr);
  const uintptr_t stack[] = {1, 2, 0x3500, 0x1500};
  const auto low = reinterpret_cast<uintptr_t>(stack);
  EXPECT_STREQ(map.FindOnStack(low, low + sizeof stack), "second");
  EXPECT_EQ(map.FindOnStack(low, low + 2 * sizeof(uintptr_t)), nullptr);
}

TEST(CodeMap, ForgetsWhatDoesNotFitAndCutsLongNames) {
  CodeMap map;
  for (uintptr_t i = 0; i < CodeMap::kMaxRanges + 5; ++i) map.Add(std::string(200, 'n'), {i * 16, i * 16 + 16});
  EXPECT_EQ(std::string(map.Find(0)).size(), CodeMap::kMaxName - 1);
  EXPECT_EQ(map.Find(CodeMap::kMaxRanges * 16), nullptr);
}

TEST(TextSink, KeepsWithinItsBoundsAndWholeSequences) {
  TextSink sink(5);
  sink.abi()->write(sink.abi()->ctx, "ab", 2);
  sink.abi()->write(sink.abi()->ctx, nullptr, 7);
  sink.abi()->write(sink.abi()->ctx, "c\xC3\xA4\xC3\xB6", 5);
  EXPECT_TRUE(sink.overflowed());
  const std::string text = sink.Take();
  EXPECT_EQ(text.substr(0, 3), "abc");
  EXPECT_LE(text.size(), 5u);
}

astro_diagnostic_v1 Fault(std::string_view message) {
  astro_diagnostic_v1 fault{};
  fault.struct_size = sizeof fault;
  fault.severity = ASTRO_SEVERITY_ERROR;
  fault.message = ToAbi(message);
  return fault;
}

TEST(Diagnostics, AreBoundedAndSaySo) {
  DiagnosticCollector collector("instance");
  const astro_diagnostic_v1 fault = Fault("wrong");
  for (int i = 0; i < 5000; ++i) collector.abi()->report(collector.abi()->ctx, &fault);
  EXPECT_EQ(collector.violations().size(), DiagnosticCollector::kMaxViolations + 1);
  EXPECT_EQ(collector.violations().front().field(), "instance");
  EXPECT_THAT(collector.violations().back().message(), HasSubstr("more faults"));
}

TEST(Diagnostics, OfAnUnknownShapeAreFaultsToo) {
  DiagnosticCollector collector("instance");
  collector.abi()->report(collector.abi()->ctx, nullptr);
  EXPECT_TRUE(collector.has_errors());
  DiagnosticCollector other("instance");
  astro_diagnostic_v1 fault = Fault("wrong");
  fault.struct_size = 8;
  other.abi()->report(other.abi()->ctx, &fault);
  EXPECT_TRUE(other.has_errors());
}

TEST(Diagnostics, TextIsMadeUtf8AndPositionsFit) {
  DiagnosticCollector collector("instance");
  astro_diagnostic_v1 fault = Fault("bad \xFF byte");
  fault.line = 0xFFFFFFFF;
  collector.abi()->report(collector.abi()->ctx, &fault);
  EXPECT_EQ(collector.violations()[0].message(), "bad \xEF\xBF\xBD byte");
  EXPECT_EQ(collector.violations()[0].line(), INT32_MAX);
}

TEST(ParamList, CompletesWhatIsSetByTheDefaultsSortedByName) {
  ProtoParams set;
  set["b"].set_int_value(2);
  set["d"].set_string_value("text");
  set["none"];
  const ParamList list(set, {{"a", true}, {"b", int64_t{1}}, {"c", 2.5}});
  const astro_params& params = *list.abi();
  ASSERT_EQ(params.count, 4u);
  EXPECT_EQ(params.item_size, sizeof(astro_param_v1));
  EXPECT_EQ(ViewOf(params.items[0].name), "a");
  EXPECT_EQ(params.items[0].type, ASTRO_PARAM_BOOL + 0u);
  EXPECT_EQ(params.items[0].int_value, 1);
  EXPECT_EQ(params.items[1].int_value, 2);
  EXPECT_EQ(params.items[2].double_value, 2.5);
  EXPECT_EQ(ViewOf(params.items[3].string_value), "text");
}

TEST(Manifest, ReadsIdsLayoutsDefaultsAndTheFirstExample) {
  std::string why;
  const auto manifest = ParseManifest(
      R"({"id":"org.x","version":"2","abi":{"major":1,"minor":3,"min_host_minor":2},
          "problems":[{"id":"p","state_layout":"p/1","examples":[{"title":"t","text":"one"},{"text":"two"}],
            "params":[{"name":"d","type":"double","default":"0.25"},{"name":"n","type":"int"}]}],
          "heuristics":[{"id":"h","problem":"p","state_layout":"p/1","params":[{"name":"s","type":"string","default":"x"}]}],
          "future":{"ignored":true}})",
      &why);
  ASSERT_TRUE(manifest.has_value()) << why;
  EXPECT_EQ(manifest->id, "org.x");
  EXPECT_EQ(manifest->min_host_minor, 2u);
  ASSERT_EQ(manifest->problems.size(), 1u);
  EXPECT_EQ(manifest->problems[0].first_example, "one");
  ASSERT_EQ(manifest->problems[0].defaults.size(), 1u);
  EXPECT_EQ(std::get<double>(manifest->problems[0].defaults.at("d")), 0.25);
  EXPECT_EQ(std::get<std::string>(manifest->heuristics.at(0).defaults.at("s")), "x");
}

TEST(Manifest, BadOnesAreRefusedWithAReason) {
  for (const char* text : {"", "{", "[]", "42", "{}", "{\"id\":7}"}) {
    std::string why;
    EXPECT_FALSE(ParseManifest(text, &why).has_value()) << text;
    EXPECT_NE(why, "");
  }
}

TEST(Dlerror, TextBecomesACode) {
  EXPECT_EQ(FaultOfDlerror("/a/b.so: undefined symbol: foo").code, "MISSING_SYMBOL");
  EXPECT_EQ(FaultOfDlerror("/a/b.so: undefined symbol: foo").found, "foo");
  EXPECT_EQ(FaultOfDlerror("libx.so: cannot open shared object file: No such file or directory").code,
            "MISSING_LIBRARY");
  EXPECT_EQ(FaultOfDlerror("libx.so: cannot open shared object file: No such file or directory").found, "libx.so");
  EXPECT_EQ(FaultOfDlerror("/lib/libc.so.6: version `GLIBC_9.99' not found (required by /a/b.so)").code,
            "MISSING_LIBRARY");
  EXPECT_EQ(FaultOfDlerror("/a/b.so: cannot allocate memory in static TLS block").code, "MISSING_LIBRARY");
  EXPECT_EQ(FaultOfDlerror("/a/b.so: wrong ELF class: ELFCLASS32").code, "WRONG_ARCH");
  EXPECT_EQ(FaultOfDlerror("/a/b.so: file too short").code, "NOT_ELF");
  EXPECT_THAT(FaultOfDlerror("/a/b.so: file too short").message, ::testing::Not(HasSubstr("/a")));
}

TEST(ParallelFor, RunsEachTaskOnceAndNestedCallsInline) {
  std::vector<std::atomic<int>> hits(1000);
  ParallelFor(
      4, hits.size(),
      [](void* arg, uint64_t i) {
        ++(*static_cast<std::vector<std::atomic<int>>*>(arg))[i];
        ParallelFor(
            4, 3, [](void*, uint64_t) {}, nullptr);
      },
      &hits);
  for (const auto& hit : hits) EXPECT_EQ(hit, 1);
  ParallelFor(
      4, 0, [](void*, uint64_t) { FAIL(); }, nullptr);
}

TEST(ProcessSnapshot, PutsHandlersMaskAndFloatingPointBack) {
  const ProcessSnapshot before = ProcessSnapshot::Take();
  EXPECT_FALSE(before.SignalsChanged());
  EXPECT_TRUE(before.Restore().empty());
  ::signal(SIGUSR1, [](int) {});
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &one, nullptr);
  EXPECT_TRUE(before.SignalsChanged());
  const std::vector<std::string> warnings = before.Restore();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0], HasSubstr("SIGUSR1"));
  EXPECT_FALSE(before.SignalsChanged());
  ::signal(SIGUSR1, SIG_IGN);
  EXPECT_EQ(before.Restore().size(), 1u);
  EXPECT_FALSE(before.SignalsChanged());
}

TEST(ProcessSnapshot, AHandlerOfTheHostIsPutBackWhateverTookItsPlace) {
  const auto host = [](int) {};
  const auto other = [](int) { ::abort(); };
  ::signal(SIGUSR1, host);
  const ProcessSnapshot before = ProcessSnapshot::Take();
  for (const sighandler_t change : {static_cast<sighandler_t>(other), SIG_IGN, SIG_DFL}) {
    ::signal(SIGUSR1, change);
    EXPECT_TRUE(before.SignalsChanged());
    EXPECT_EQ(before.Restore().size(), 1u);
    EXPECT_EQ(::signal(SIGUSR1, host), static_cast<sighandler_t>(host));
  }
  ::signal(SIGUSR1, SIG_DFL);
}

#if defined(__x86_64__)
TEST(ProcessSnapshot, PutsBackAFloatingPointModeThatFlushesToZero) {
  const ProcessSnapshot before = ProcessSnapshot::Take();
  const uint32_t control = FloatingPointControl();
  constexpr uint32_t kFlushToZeroAndDenormalsAreZero = 0x8040;
  SetFloatingPointControl(control | kFlushToZeroAndDenormalsAreZero);
  static volatile double smallest = DBL_MIN;
  EXPECT_EQ(smallest / 2, 0.0) << "or the test tests nothing";
  const std::vector<std::string> warnings = before.Restore();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("floating-point"));
  EXPECT_NE(smallest / 2, 0.0);
  EXPECT_EQ(FloatingPointControl(), control);
}
#endif

TEST(CreditGate, WaitsForCreditAndGoesBelowZero) {
  CreditGate gate(10);
  EXPECT_TRUE(gate.TryTake(100));
  EXPECT_FALSE(gate.TryTake(1));
  EXPECT_FALSE(gate.Take(1, std::chrono::steady_clock::now() + std::chrono::milliseconds(5)));
  std::thread giver([&] { gate.Add(200); });
  EXPECT_TRUE(gate.Take(1, std::nullopt));
  giver.join();
  gate.Overdraw(1000);
  EXPECT_FALSE(gate.TryTake(1));
  gate.Open();
  EXPECT_TRUE(gate.TryTake(1));
}

TEST(CreditGate, WithoutABoundNeverWaits) {
  CreditGate gate(0);
  EXPECT_TRUE(gate.Take(1 << 30, std::nullopt));
  EXPECT_TRUE(gate.TryTake(1 << 30));
}

TEST(JobControl, TheFirstCauseWinsAndADeadlineIsACause) {
  JobControl job("jobs/1", 0, std::chrono::steady_clock::now() - std::chrono::seconds(1));
  EXPECT_TRUE(job.ShouldStop());
  job.Stop(engine::StopCause::kCancel);
  EXPECT_EQ(job.token().cause(), engine::StopCause::kWallTime);
}

TEST(LogStream, LetsABurstThroughAndTellsWhatWasLeftOut) {
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  std::vector<std::string> lines;
  std::thread reader([&] {
    for (;;) {
      const Result<Frame> frame = ReadFrame(pair[1]);
      if (!frame.ok()) return;
      internal::v1::ToDaemon message;
      EXPECT_TRUE(message.ParseFromString(frame->payload));
      lines.push_back(message.log().text());
    }
  });
  {
    FrameWriter frames(pair[0]);
    LogStream log(&frames);
    for (int i = 0; i < 5000; ++i) log.Write(v1::LOG_LEVEL_INFO, "x", std::string(10'000, 'l'));
    log.Finish();
  }
  ::close(pair[0]);
  reader.join();
  ::close(pair[1]);
  EXPECT_GE(lines.size(), 200u);
  EXPECT_LT(lines.size(), 2000u);
  EXPECT_EQ(lines[0].size(), LogStream::kMaxLine);
  EXPECT_THAT(lines.back(), HasSubstr("left out"));
}

TEST(FrameWriter, ACrashRecordComesBetweenFramesAndIsTheLast) {
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  FrameWriter frames(pair[0]);
  internal::v1::ToDaemon message;
  message.mutable_stage()->set_stage("parse");
  frames.Send(message);
  CrashRecord record;
  record.signal = 11;
  EXPECT_TRUE(frames.SendCrash(record));
  EXPECT_EQ(ReadFrame(pair[1])->type, FrameType::kToDaemon);
  const Result<Frame> crash = ReadFrame(pair[1]);
  ASSERT_TRUE(crash.ok());
  EXPECT_EQ(crash->type, FrameType::kCrash);
  EXPECT_EQ(crash->payload.size(), sizeof(CrashRecord));
  ::close(pair[0]);
  ::close(pair[1]);
}

TEST(FrameWriter, AFrameThatStaysHalfWrittenMakesTheCrashHangUp) {
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  FrameWriter frames(pair[0]);
  // More than the socket takes: this thread is stuck in the middle of a frame.
  std::thread stuck([&] {
    internal::v1::ToDaemon message;
    message.mutable_log()->set_text(std::string(16 << 20, 'x'));
    frames.Send(message);
  });
  char byte;
  ASSERT_EQ(::recv(pair[1], &byte, 1, 0), 1);  // it has begun
  EXPECT_FALSE(frames.SendCrash(CrashRecord{}));
  stuck.join();
  ::close(pair[0]);
  ::close(pair[1]);
}

#ifndef ASTROLABE_SANITIZED
TEST(DataLimit, IsSetAndLifted) {
  rlimit before{};
  ::getrlimit(RLIMIT_DATA, &before);
  {
    DataLimit limit(100 << 20, 2);
    rlimit now{};
    ::getrlimit(RLIMIT_DATA, &now);
    EXPECT_GT(now.rlim_cur, (100u << 20) + MappedDataBytes() / 2);
    EXPECT_LT(now.rlim_cur, before.rlim_cur);
  }
  rlimit after{};
  ::getrlimit(RLIMIT_DATA, &after);
  EXPECT_EQ(after.rlim_cur, before.rlim_cur);
}
#endif

}  // namespace
}  // namespace astrolabe::worker
