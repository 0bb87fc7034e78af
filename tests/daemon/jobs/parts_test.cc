// The small parts: states, conversions, text, timers, notifiers, failures, memory, log lines.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <future>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/job_queue.h"
#include "daemon/jobs/job_state.h"
#include "daemon/jobs/kept_content.h"
#include "daemon/jobs/log_filter.h"
#include "daemon/jobs/memory_watch.h"
#include "daemon/jobs/outbox.h"
#include "daemon/jobs/run_result.h"
#include "daemon/jobs/text.h"
#include "daemon/jobs/work_queue.h"
#include "tests/daemon/jobs/fake_time.h"

namespace astrolabe::jobs {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

internal::v1::JobContent Piece(const std::string& ops, const std::string& text = "") {
  internal::v1::JobContent piece;
  piece.set_path_ops(ops);
  piece.set_canonical_instance(text);
  return piece;
}

TEST(KeptContent, JoinsTheMovesAndKeepsTheLastTexts) {
  KeptContent kept;
  EXPECT_EQ(kept.Take(), nullptr);
  kept.Add(Piece("abcd"));
  kept.Add(Piece("efgh"));
  kept.Add(Piece("ijkl", "canonical"));
  const auto content = kept.Take();
  ASSERT_NE(content, nullptr);
  EXPECT_EQ(content->path_ops(), "abcdefghijkl");
  EXPECT_EQ(content->canonical_instance(), "canonical");
  EXPECT_EQ(kept.Take(), nullptr);
}

TEST(KeptContent, APathAboveTheLimitIsNotKeptButTheTextsAre) {
  KeptContent kept(1000);
  internal::v1::JobContent first = Piece(std::string(1000, 'x'));
  first.set_path_bytes(int64_t{1} << 60);  // a lie must not be allocated
  kept.Add(std::move(first));
  kept.Add(Piece("y"));
  kept.Add(Piece("z", "canonical"));
  const auto content = kept.Take();
  EXPECT_EQ(content->path_ops(), "");
  EXPECT_EQ(content->canonical_instance(), "canonical");
}

TEST(JobState, OnlyMovesForwardAndSearchingNeedsPreparing) {
  const JobState all[] = {JobState::kQueued, JobState::kPreparing, JobState::kSearching, JobState::kFinishing,
                          JobState::kDone};
  for (JobState from : all) {
    for (JobState to : all) {
      const bool skips_preparing = from == JobState::kQueued && to != JobState::kPreparing && to != JobState::kDone;
      EXPECT_EQ(CanMove(from, to), to > from && !skips_preparing) << StateName(from) << " -> " << StateName(to);
    }
  }
  StateMachine machine;
  EXPECT_FALSE(machine.TryMove(JobState::kSearching));
  EXPECT_EQ(machine.state(), JobState::kQueued);
  machine.Move(JobState::kDone);
  EXPECT_TRUE(machine.done());
}

TEST(Convert, StatesHaveTheNumbersOfTheApi) {
  for (int i = v1::JOB_STATE_QUEUED; i <= v1::JOB_STATE_DONE; ++i) {
    const auto state = FromProto(static_cast<v1::JobState>(i));
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(ToProto(*state), i);
    EXPECT_EQ("JOB_STATE_" + std::string(StateName(*state)), v1::JobState_Name(i));
  }
  EXPECT_FALSE(FromProto(v1::JOB_STATE_UNSPECIFIED).has_value());
  EXPECT_FALSE(FromProto(static_cast<v1::JobState>(6)).has_value());
}

TEST(Convert, DurationsKeepTheirValueAndAreCutWhenTooLarge) {
  google::protobuf::Duration duration;
  duration.set_seconds(2);
  duration.set_nanos(5);
  EXPECT_EQ(ToChrono(duration).count(), 2'000'000'005);
  EXPECT_EQ(ToProto(ToChrono(duration)).nanos(), 5);
  EXPECT_TRUE(IsValid(duration));
  duration.set_nanos(-5);
  EXPECT_FALSE(IsValid(duration));
  duration.set_nanos(0);
  duration.set_seconds(315'576'000'000);
  EXPECT_TRUE(IsValid(duration));
  EXPECT_GT(ToChrono(duration), std::chrono::hours(24 * 365 * 200));
  duration.set_seconds(INT64_MAX);
  EXPECT_FALSE(IsValid(duration));
}

TEST(Text, WhatIsNotUtf8IsReplacedAndLongTextIsCutAtACharacter) {
  EXPECT_EQ(CleanText("a\xff\x80z", 10), "a??z");
  EXPECT_EQ(CleanText(std::string_view("ab\0cd", 5), 10), "ab");
  EXPECT_EQ(CleanText("a\x1b[0m\tb\n", 10), "a?[0m\tb\n");
  EXPECT_EQ(CleanText("abcdef", 5), "ab...");
  EXPECT_EQ(CleanText("a\xc3\xa4\xc3\xa4", 5), "a\xc3\xa4\xc3\xa4");
  EXPECT_EQ(CleanText("\xc3\xa4\xc3\xa4\xc3\xa4", 5), "\xc3\xa4...");
  const char unterminated[4] = {'a', 'b', 'c', 'd'};
  EXPECT_EQ(CleanField(unterminated), "abcd");
}

TEST(Text, NothingIsMeantWhereNothingIsNear) {
  EXPECT_EQ(DidYouMean(""), "");
  EXPECT_EQ(DidYouMean("astar"), ", did you mean 'astar'?");
}

TEST(TimerQueue, RunsWhatIsDueInOrderAndNothingThatWasCancelled) {
  FakeTime time;
  std::vector<int> ran;
  const TimePoint now = time.timers->now();
  time.timers->Schedule(now + seconds(2), [&] { ran.push_back(2); });
  time.timers->Schedule(now + seconds(1), [&] { ran.push_back(1); });
  const auto id = time.timers->Schedule(now + seconds(1), [&] { ran.push_back(9); });
  time.timers->Cancel(id);
  time.Advance(milliseconds(999));
  EXPECT_TRUE(ran.empty());
  time.Advance(seconds(3));
  EXPECT_EQ(ran, (std::vector<int>{1, 2}));
  EXPECT_EQ(time.timers->size(), 0u);
}

TEST(TimerQueue, TheThreadWakesForAnEarlierTimer) {
  TimerQueue timers;
  timers.Start();
  std::promise<void> early;
  timers.Schedule(timers.now() + std::chrono::hours(1), [] {});
  timers.Schedule(timers.now() + milliseconds(1), [&] { early.set_value(); });
  EXPECT_EQ(early.get_future().wait_for(seconds(10)), std::future_status::ready);
  timers.Stop();
  timers.Schedule(timers.now(), [] { FAIL() << "after Stop"; });
  EXPECT_EQ(timers.size(), 0u);
}

TEST(WorkQueue, DoesWhatWasPostedBeforeItStops) {
  std::atomic<int> done{0};
  WorkQueue work(3);
  for (int i = 0; i < 100; ++i) work.Post([&] { ++done; });
  work.Stop();
  EXPECT_EQ(done, 100);
  work.Post([&] { ++done; });
  EXPECT_EQ(done, 100);
}

TEST(Notifier, NoCallRunsAfterCloseAndCloseFromInsideDoesNotHang) {
  Notifier notifier;
  int calls = 0;
  notifier.Call();  // nobody listens yet
  notifier.Set([&] {
    ++calls;
    notifier.Close();
  });
  notifier.Call();
  notifier.Call();
  EXPECT_EQ(calls, 1);
}

TEST(Notifier, CloseWaitsForACallOnAnotherThread) {
  Notifier notifier;
  std::promise<void> entered;
  std::promise<void> go_on;
  std::atomic<bool> left{false};
  notifier.Set([&] {
    entered.set_value();
    go_on.get_future().wait();
    left = true;
  });
  std::thread caller([&] { notifier.Call(); });
  entered.get_future().wait();
  std::thread release([&] { go_on.set_value(); });
  notifier.Close();
  EXPECT_TRUE(left);
  caller.join();
  release.join();
}

TEST(Failure, ACrashRecordIsMadeFitToSend) {
  workers::WorkerExit exit;
  exit.crash.emplace();
  exit.crash->signal = SIGSEGV;
  std::memset(exit.crash->plugin, 'p', sizeof exit.crash->plugin);  // unterminated
  std::strcpy(exit.crash->message, "bad \xff byte");
  std::strcpy(exit.crash->code, "MADE_UP");
  const v1::PluginFailure failure = ToFailure(exit);
  EXPECT_EQ(failure.plugin(), std::string(96, 'p'));
  EXPECT_EQ(failure.message(), "bad ? byte");
  EXPECT_EQ(failure.code(), "CRASHED");
  EXPECT_EQ(failure.signal_name(), "SIGSEGV");
}

TEST(Failure, ExceptionsNameFunctionAndWhat) {
  workers::WorkerExit exit;
  exit.signal = SIGABRT;  // how the process went down afterwards
  exit.crash.emplace();
  std::strcpy(exit.crash->code, "THREW");
  std::strcpy(exit.crash->plugin, "org.x");
  std::strcpy(exit.crash->stage, "build");
  std::strcpy(exit.crash->function, "create");
  std::strcpy(exit.crash->message, "std::bad_alloc");
  const v1::PluginFailure failure = ToFailure(exit);
  EXPECT_EQ(failure.code(), "THREW");
  EXPECT_EQ(failure.signal(), 0);
  EXPECT_EQ(Sentence(failure), "The plugin org.x threw an exception in create in stage build: std::bad_alloc.");
}

TEST(Failure, EveryOtherWayToEndHasItsCode) {
  workers::WorkerExit exit;
  exit.signal = SIGKILL;
  EXPECT_EQ(ToFailure(exit).code(), "KILLED");
  exit.signal = SIGBUS;
  EXPECT_EQ(ToFailure(exit).code(), "CRASHED");
  exit.signal = 0;
  EXPECT_EQ(ToFailure(exit).code(), "EXITED");
  exit.protocol_error = "frame type 9";
  EXPECT_EQ(ToFailure(exit).code(), "CONTRACT_VIOLATION");
}

TEST(WorkerResult, WhatIsTooLargeIsCutAndTheRestKept) {
  v1::Result result;
  EXPECT_FALSE(CheckWorkerResult(&result));
  result.set_outcome(v1::OUTCOME_SOLVED);
  for (int i = 0; i < 2000; ++i) {
    result.mutable_path()->add_ops(static_cast<uint32_t>(i % 4));
    result.mutable_path()->add_op_names("UP");
    result.mutable_path()->add_states(std::string(1000, 's'));
  }
  result.set_final_state(std::string(300 << 10, 'f'));
  EXPECT_TRUE(CheckWorkerResult(&result));
  EXPECT_EQ(result.cost_scale(), 1);
  EXPECT_EQ(result.path().ops_size(), 2000);
  EXPECT_EQ(result.path().op_names_size(), 2000);
  EXPECT_EQ(result.path().states_size(), 0);
  EXPECT_EQ(result.path().length(), 2000);
  EXPECT_TRUE(result.path().truncated());
  EXPECT_TRUE(result.final_state().empty());
  EXPECT_LT(result.ByteSizeLong(), 1u << 20);
}

TEST(DaemonsResult, TheBestKnownBoundAndTheLostSolutionAreTold) {
  LastHeard heard;
  v1::Improvement improvement;
  improvement.set_cost(30);
  improvement.set_lower_bound(21);
  heard.Hear(improvement);
  v1::Progress progress;
  progress.set_f_bound(19);
  heard.Hear(progress);
  heard.bounds_are_proven = true;
  v1::Result result = StoppedResult(StopCause::kWallTime, heard, true);
  EXPECT_EQ(result.outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(result.lower_bound(), 21);
  EXPECT_FALSE(result.has_cost()) << "there is no path to it";
  ASSERT_EQ(result.notes_size(), 1);
  EXPECT_NE(result.notes(0).find("cost 30"), std::string::npos);
  progress.set_f_bound(25);
  heard.Hear(progress);
  EXPECT_EQ(StoppedResult(StopCause::kCancel, heard, true).lower_bound(), 25);
}

TEST(MemoryWatch, SharedPagesDoNotCount) {
  EXPECT_EQ(ParseStatm("100 50 20 1 0 60 0\n", 4096), 30 * 4096);
  EXPECT_EQ(ParseStatm("100 50 60 1 0 60 0", 4096), 0);
  EXPECT_FALSE(ParseStatm("100 50", 4096).has_value());
  EXPECT_FALSE(ParseStatm("x y z", 4096).has_value());
  EXPECT_GT(PrivateBytes(::getpid()).value_or(0), 0);
  EXPECT_EQ(WatchdogBytes(0), 0);
  EXPECT_EQ(WatchdogBytes(400 << 20), (500 << 20) + kIdleWorkerBytes);
  EXPECT_EQ(WatchdogBytes(INT64_MAX), INT64_MAX);
}

TEST(LogFilter, LinesAreBoundedInLengthAndNumber) {
  LogFilter filter;
  v1::LogLine line;
  line.set_text(std::string(10000, 'x'));
  EXPECT_EQ(filter.Pass(line)->text().size(), LogFilter::kMaxLineBytes);
  EXPECT_EQ(filter.Pass(line)->level(), v1::LOG_LEVEL_INFO);
  int passed = 2;
  std::string last;
  while (const auto out = filter.Pass(line)) {
    last = out->text();
    ++passed;
  }
  EXPECT_LE(passed, 70);
  EXPECT_EQ(last, "further log lines of this job are left out");
}

TEST(PreparingFilter, TenReportsASecondAndAlwaysTheLast) {
  PreparingFilter filter;
  FakeTime time;
  v1::Preparing report;
  int passed = 0;
  for (int i = 0; i <= 1000; ++i) {
    report.set_fraction(i / 1000.0);
    if (filter.Pass(report, time.timers->now())) ++passed;
    time.Advance(milliseconds(1));
  }
  EXPECT_EQ(passed, 11);
  report.set_what("next table");
  report.set_fraction(0);
  EXPECT_TRUE(filter.Pass(report, time.timers->now()).has_value());
}

}  // namespace
}  // namespace astrolabe::jobs
