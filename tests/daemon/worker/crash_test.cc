// Plugins that take the worker down: the daemon hears which, where and how.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string fixture;
  std::string code;
  int signal = 0;
  std::string stage;
  std::string function;  // empty: not checked
};

std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.fixture; }

class Crash : public ::testing::TestWithParam<Case> {};

TEST_P(Crash, IsReportedWithPluginStageAndCause) {
  const Case& expected = GetParam();
  if (expected.fixture.starts_with("recursion_")) ASTROLABE_NEEDS_PROMPT_SIGNALS();
  WorkerProcess worker;
  const Frames frames = worker.Run(FixtureJob(expected.fixture));
  ASSERT_TRUE(frames.crash.has_value()) << worker.Output();
  EXPECT_EQ(frames.crash->code, expected.code);
  EXPECT_EQ(frames.crash->signal, expected.signal);
  EXPECT_EQ(frames.crash->plugin, FixtureId(expected.fixture));
  EXPECT_EQ(frames.crash->stage, expected.stage);
  if (!expected.function.empty()) {
    EXPECT_EQ(frames.crash->function, expected.function);
  }
  if (expected.code == "THREW") {
    EXPECT_STREQ(frames.crash->message, "the reason");
  }
  const std::optional<int> status = worker.WaitExit();
  ASSERT_TRUE(status.has_value());
  if (expected.signal != 0) {
    ASSERT_TRUE(WIFSIGNALED(*status));
    EXPECT_EQ(WTERMSIG(*status), expected.signal);
    EXPECT_FALSE(WCOREDUMP(*status));
  } else {
    EXPECT_TRUE(WIFEXITED(*status));
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, Crash,
                         ::testing::Values(Case{"abort_in_constructor", "CRASHED", SIGABRT, "load", "constructors"},
                                           Case{"abort_in_init", "CRASHED", SIGABRT, "init", "init"},
                                           Case{"abort_in_parse", "CRASHED", SIGABRT, "parse", "parse"},
                                           Case{"abort_in_build", "CRASHED", SIGABRT, "build", "build"},
                                           Case{"abort_in_eval", "CRASHED", SIGABRT, "search", ""},
                                           Case{"abort_in_expand", "CRASHED", SIGABRT, "search", ""},
                                           Case{"segv_in_constructor", "CRASHED", SIGSEGV, "load", "constructors"},
                                           Case{"segv_in_init", "CRASHED", SIGSEGV, "init", "init"},
                                           Case{"segv_in_parse", "CRASHED", SIGSEGV, "parse", "parse"},
                                           Case{"segv_in_build", "CRASHED", SIGSEGV, "build", "build"},
                                           Case{"segv_in_eval", "CRASHED", SIGSEGV, "search", ""},
                                           Case{"segv_in_expand", "CRASHED", SIGSEGV, "search", ""},
                                           Case{"exit_in_constructor", "EXITED", 0, "load", "constructors"},
                                           Case{"exit_in_init", "EXITED", 0, "init", "init"},
                                           Case{"exit_in_parse", "EXITED", 0, "parse", "parse"},
                                           Case{"exit_in_build", "EXITED", 0, "build", "build"},
                                           Case{"exit_in_eval", "EXITED", 0, "search", ""},
                                           Case{"exit_in_expand", "EXITED", 0, "search", ""},
                                           Case{"throw_in_init", "THREW", 0, "init", "init"},
                                           Case{"throw_in_parse", "THREW", 0, "parse", "parse"},
                                           Case{"throw_in_build", "THREW", 0, "build", "build"},
                                           Case{"fail_in_eval", "THREW", 0, "search", "eval"},
                                           Case{"recursion_in_parse", "CRASHED", SIGSEGV, "parse", "parse"},
                                           Case{"recursion_in_build", "CRASHED", SIGSEGV, "build", "build"},
                                           Case{"recursion_in_eval", "CRASHED", SIGSEGV, "search", ""},
                                           Case{"recursion_in_expand", "CRASHED", SIGSEGV, "search", ""}),
                         [](const ::testing::TestParamInfo<Case>& info) { return info.param.fixture; });

TEST(Exception, OutOfAHotCallEndsTheJobAsThrown) {
  WorkerProcess worker;
  const std::pair<const char*, const char*> calls[] = {
      {"throw_in_eval", "astar"}, {"throw_in_eval", "idastar"}, {"throw_in_expand", "astar"}};
  for (const auto& [fixture, algorithm] : calls) {
    SCOPED_TRACE(std::string(fixture) + " under " + algorithm);
    const Frames frames = worker.Run(FixtureJob(fixture, "0 10", algorithm));
    EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_PLUGIN_FAILED);
    const v1::PluginFailure& failure = frames.result().plugin_failure();
    EXPECT_EQ(failure.code(), "THREW");
    EXPECT_EQ(failure.plugin(), FixtureId(fixture));
    EXPECT_EQ(failure.stage(), "search");
    EXPECT_EQ(failure.message(), "the reason");
    EXPECT_NE(frames.last().recycle(), "");
  }
}

// Seen by the engine, not by the plugin's own code: the worker is in order, but not used again.
TEST(BrokenContract, OfExpandIsBlamedOnTheProblemsPlugin) {
  struct Broken {
    const char* fixture;
    const char* stage;
    const char* what;
  };
  const Broken all[] = {{"too_many_ops_in_a_job", "search", "max_ops"},
                        {"wrong_op", "replay", "operator 7"},
                        {"wrong_cost", "search", "costs -1"}};
  for (const auto& [fixture, stage, what] : all) {
    SCOPED_TRACE(fixture);
    WorkerProcess worker;
    const Frames frames = worker.Run(FixtureJob(fixture));
    EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_PLUGIN_FAILED);
    const v1::PluginFailure& failure = frames.result().plugin_failure();
    EXPECT_EQ(failure.code(), "CONTRACT_VIOLATION");
    EXPECT_EQ(failure.plugin(), FixtureId(fixture));
    EXPECT_EQ(failure.stage(), stage);
    EXPECT_THAT(failure.message(), HasSubstr(what));
    EXPECT_NE(frames.last().recycle(), "");
  }
}

// Each in a stage of its own; the job is solved all the same, and nothing of it is left to the next.
TEST(Meddling, InAnyStageIsToldAndTheWorkerIsReplaced) {
  for (const char* fixture : {"handler_in_parse", "handler_in_eval", "handler_in_expand", "thread_in_parse",
                              "thread_in_eval", "thread_in_expand"}) {
    SCOPED_TRACE(fixture);
    WorkerProcess worker;
    const Frames frames = worker.Run(FixtureJob(fixture));
    EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_SOLVED);
    EXPECT_EQ(frames.result().cost(), 4);
    EXPECT_THAT(frames.last().recycle(),
                HasSubstr(std::string_view(fixture).starts_with("thread") ? "thread" : "SIGSEGV"));
  }
}

TEST(BrokenContract, ANegativeHIsBlamedOnTheHeuristicsPlugin) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter");
  *job.add_plugins() = FixtureFile("negative_h");
  job.mutable_spec()->mutable_heuristics(0)->set_id("negative_h_h");
  const Frames frames = worker.Run(job);
  EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_PLUGIN_FAILED);
  const v1::PluginFailure& failure = frames.result().plugin_failure();
  EXPECT_EQ(failure.code(), "CONTRACT_VIOLATION");
  EXPECT_EQ(failure.plugin(), FixtureId("negative_h"));
  EXPECT_EQ(failure.stage(), "search");
}

TEST(CrashBlame, FallsOnTheHeuristicsPluginWhenItsCodeWasRunning) {
  // The problem from one library, the heuristic that dies from another.
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter");
  *job.add_plugins() = FixtureFile("segv_in_eval");
  job.mutable_spec()->mutable_heuristics(0)->set_id("segv_in_eval_h");
  const Frames frames = worker.Run(job);
  ASSERT_TRUE(frames.crash.has_value());
  EXPECT_EQ(frames.crash->plugin, FixtureId("segv_in_eval"));
  EXPECT_EQ(frames.crash->fault_address, 16u);
}

// The place in the file and its build, as `file` and `addr2line` know them.
TEST(CrashBlame, TellsThePlaceAndTheBuildId) {
  for (const char* fixture : {"segv_in_eval", "abort_in_parse", "exit_in_build"}) {
    SCOPED_TRACE(fixture);
    WorkerProcess worker;
    const Frames frames = worker.Run(FixtureJob(fixture));
    ASSERT_TRUE(frames.crash.has_value());
    const std::string message = frames.crash->message;
    std::smatch parts;
    ASSERT_TRUE(std::regex_search(message, parts, std::regex(" at 0x([0-9a-f]+) of build ([0-9a-f]{40})"))) << message;
    const std::string file = FixtureFile(fixture).path();
    EXPECT_LT(std::stoull(parts[1], nullptr, 16), std::filesystem::file_size(file));
    std::string id;
    for (size_t i = 0; i < 40; i += 2) id += static_cast<char>(std::stoi(parts[2].str().substr(i, 2), nullptr, 16));
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NE(bytes.find(id), std::string::npos) << "the file has another build-id";
  }
}

TEST(CrashBlame, FindsThePluginBelowAnAbortInTheCLibrary) {
  ASTROLABE_NEEDS_PROMPT_SIGNALS();
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter");
  *job.add_plugins() = FixtureFile("abort_in_eval");
  job.mutable_spec()->mutable_heuristics(0)->set_id("abort_in_eval_h");
  const Frames frames = worker.Run(job);
  ASSERT_TRUE(frames.crash.has_value());
  EXPECT_EQ(frames.crash->plugin, FixtureId("abort_in_eval"));
}

TEST(CrashBlame, TellsAStackOverflowFromOtherFaults) {
  ASTROLABE_NEEDS_PROMPT_SIGNALS();
  WorkerProcess worker;
  const Frames frames = worker.Run(FixtureJob("recursion_in_eval"));
  ASSERT_TRUE(frames.crash.has_value());
  EXPECT_THAT(frames.crash->message, HasSubstr("stack"));
}

TEST(CrashBlame, APluginThatReplacedTheHandlerInBuildIsStillReported) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("handler_in_build");
  *job.add_plugins() = FixtureFile("segv_in_eval");
  job.mutable_spec()->add_heuristics()->set_id("segv_in_eval_h");
  const Frames frames = worker.Run(job);
  ASSERT_TRUE(frames.crash.has_value());
  EXPECT_EQ(frames.crash->signal, SIGSEGV);
}

TEST(OutOfMemory, InAPluginIsALimitAndNoFailure) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("bad_alloc_in_build");
  const Frames frames = worker.Run(job);
  EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(frames.result().limit(), v1::LIMIT_KIND_MEMORY);
  EXPECT_NE(frames.last().recycle(), "");
}

#ifndef ASTROLABE_SANITIZED
TEST(OutOfMemory, APluginsOwnMallocIsHeldBackByTheJobsLimit) {
  for (const char* fixture : {"memory_bomb", "memory_bomb_in_parse", "memory_bomb_in_eval", "memory_bomb_in_expand"}) {
    SCOPED_TRACE(fixture);
    WorkerProcess worker;
    internal::v1::RunJob job = FixtureJob(fixture);
    job.mutable_spec()->mutable_limits()->set_max_memory_bytes(64 << 20);
    const Frames frames = worker.Run(job);
    EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_LIMIT_REACHED);
    EXPECT_EQ(frames.result().limit(), v1::LIMIT_KIND_MEMORY);
    EXPECT_NE(frames.last().recycle(), "") << "its memory was never given back";
  }
}
#endif

TEST(OutOfMemory, TheHostsBudgetIsTheJobsLimit) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("counter");
  job.mutable_spec()->mutable_limits()->set_max_memory_bytes(64 << 20);
  SetParam(job, "table_bytes", 65 << 20);
  EXPECT_EQ(worker.Run(job).result().limit(), v1::LIMIT_KIND_MEMORY);
  SetParam(job, "table_bytes", 32 << 20);
  const v1::Result result = worker.Run(job).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_SOLVED);
  EXPECT_GE(result.statistics().peak_memory_bytes(), 32 << 20);
}

}  // namespace
}  // namespace astrolabe::testing
