// Loading plugins: each way to be broken has its own code, each kind of meddling its warning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <sstream>

#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

internal::v1::ProbeDone ProbeOf(const std::string& fixture) {
  WorkerProcess worker;
  worker.Send(FixtureProbe(fixture));
  const Frames frames = worker.Collect();
  EXPECT_TRUE(frames.last().has_probed()) << fixture << ": " << (frames.crash ? frames.crash->message : "no answer");
  return frames.last().probed();
}

TEST(Probe, PassesAGoodPluginWithoutWarnings) {
  for (const char* fixture : {"counter", "no_eval_ops", "larger_struct", "throw_in_eval", "digits"}) {
    const internal::v1::ProbeDone done = ProbeOf(fixture);
    EXPECT_EQ(done.code(), "") << fixture << ": " << done.message() << done.found();
    EXPECT_EQ(done.version(), "1.0.0");
    EXPECT_THAT(done.warnings(), IsEmpty());
  }
}

struct Refused {
  const char* fixture;
  const char* code;
  const char* found;  // part of found or message
};

TEST(Probe, GivesEachFaultItsCodeAndSaysWhatWasFound) {
  const Refused cases[] = {
      {"unknown_symbol", "MISSING_SYMBOL", "function_that_nobody_defines"},
      {"missing_library", "MISSING_LIBRARY", "libfixture_missing.so"},
      {"static_tls", "MISSING_LIBRARY", "static TLS"},
      {"wrong_magic", "CORRUPT", "42"},
      {"size_minus_8", "CONTRACT_VIOLATION", "struct_size"},
      {"size_too_large", "CONTRACT_VIOLATION", "4097"},
      {"abi_major_0", "ABI_TOO_OLD", "0"},
      {"abi_major_2", "ABI_TOO_NEW", "2"},
      {"no_manifest", "CONTRACT_VIOLATION", "manifest"},
      {"too_many_ops", "CONTRACT_VIOLATION", "3 operators"},
      {"not_canonical", "CONTRACT_VIOLATION", "operator 1"},
      {"digits_no_values", "CONTRACT_VIOLATION", "0 values"},
      {"digits_wrong_state", "CONTRACT_VIOLATION", "the bytes differ"},
  };
  for (const Refused& expected : cases) {
    const internal::v1::ProbeDone done = ProbeOf(expected.fixture);
    EXPECT_EQ(done.code(), expected.code) << expected.fixture;
    EXPECT_THAT(done.message() + " | " + done.found(), HasSubstr(expected.found)) << expected.fixture;
    EXPECT_THAT(done.message(), ::testing::Not(HasSubstr(ASTROLABE_FIXTURE_DIR)));
  }
}

TEST(Probe, ComparesTheManifestOfTheFileWithTheOneInMemory) {
  WorkerProcess worker;
  worker.Send(FixtureProbe("counter", "{\"schema\":1}"));
  EXPECT_EQ(worker.Collect().last().probed().code(), "CONTRACT_VIOLATION");
}

TEST(Probe, AFileThatIsNoLibraryIsNotElf) {
  const std::string path = ::testing::TempDir() + "/not_a_library.so";
  std::ofstream(path) << "#!/bin/sh\necho I am a script, long enough to be read as a header of an ELF file\n";
  internal::v1::ToWorker request = FixtureProbe("counter");
  request.mutable_probe()->mutable_plugin()->set_path(path);
  WorkerProcess worker;
  worker.Send(request);
  EXPECT_EQ(worker.Collect().last().probed().code(), "NOT_ELF");
}

TEST(Probe, ALibraryThatIsNoPluginMissesTheSymbol) {
  internal::v1::ToWorker request = FixtureProbe("counter");
  request.mutable_probe()->mutable_plugin()->set_path(std::string(ASTROLABE_FIXTURE_DIR) +
                                                      "/stub/libfixture_missing.so");
  WorkerProcess worker;
  worker.Send(request);
  const internal::v1::ProbeDone done = worker.Collect().last().probed();
  EXPECT_EQ(done.code(), "MISSING_SYMBOL");
  EXPECT_THAT(done.expected(), HasSubstr("astro_plugin_v1"));
}

TEST(Probe, WarnsOfMeddlingWithTheProcess) {
  struct Meddler {
    const char* fixture;
    const char* warning;
  };
  const Meddler cases[] = {
    {"handler_at_load", "SIGSEGV"},
    {"thread_at_load", "thread"},
#if defined(__x86_64__)
    {"fast_math", "floating-point mode"},
#endif
  };
  for (const Meddler& expected : cases) {
    const internal::v1::ProbeDone done = ProbeOf(expected.fixture);
    EXPECT_EQ(done.code(), "") << expected.fixture;
    ASSERT_GE(done.warnings_size(), 1) << expected.fixture;
    EXPECT_THAT(done.warnings(), ::testing::Contains(HasSubstr(expected.warning)));
  }
}

TEST(Probe, OutputWhileLoadingDoesNotBreakTheAnswer) { EXPECT_EQ(ProbeOf("noisy").code(), ""); }

TEST(Probe, ACrashIsReportedByItsSignal) {
  WorkerProcess worker;
  worker.Send(FixtureProbe("abort_in_constructor"));
  const Frames frames = worker.Collect();
  ASSERT_TRUE(frames.crash.has_value());
  EXPECT_EQ(frames.crash->signal, SIGABRT);
  EXPECT_STREQ(frames.crash->stage, "load");
}

TEST(Probe, ExitAndExceptionsAreToldApart) {
  WorkerProcess exits;
  exits.Send(FixtureProbe("exit_in_init"));
  const Frames exited = exits.Collect();
  ASSERT_TRUE(exited.crash.has_value());
  EXPECT_STREQ(exited.crash->code, "EXITED");
  EXPECT_THAT(exited.crash->message, HasSubstr("exit(0)"));
  WorkerProcess throws;
  throws.Send(FixtureProbe("throw_in_init"));
  const Frames threw = throws.Collect();
  ASSERT_TRUE(threw.crash.has_value());
  EXPECT_STREQ(threw.crash->code, "THREW");
}

TEST(Probe, AnEndlessLoopEndsByTheAlarm) {
  ASTROLABE_NEEDS_PROMPT_SIGNALS();
  WorkerProcess worker;
  worker.Send(FixtureProbe("loop_in_init"));
  const Frames frames = worker.Collect(std::chrono::seconds(20));
  ASSERT_TRUE(frames.crash.has_value());
  EXPECT_STREQ(frames.crash->code, "PROBE_TIMEOUT");
  EXPECT_STREQ(frames.crash->stage, "init");
  EXPECT_EQ(frames.crash->plugin, FixtureId("loop_in_init"));
}

TEST(Rules, AJobWhosePluginBreaksThemIsSolvedButTheWorkerIsReplaced) {
  struct Broken {
    const char* fixture;
    const char* reason;
  };
  const Broken cases[] = {{"handler_in_build", "SIGSEGV"},
                          {"blocks_signals_in_parse", "blocked signals"},
                          {"thread_in_build", "thread"},
                          {"descriptor_in_build", "descriptor"}};
  for (const Broken& expected : cases) {
    WorkerProcess worker;
    const Frames frames = worker.Run(FixtureJob(expected.fixture));
    EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_SOLVED) << expected.fixture;
    EXPECT_THAT(frames.last().recycle(), HasSubstr(expected.reason)) << expected.fixture;
  }
}

// The plugin aborts in eval when it is not.
TEST(Rules, FloatingPointIsIntactInAJobWithAFastMathPlugin) {
  WorkerProcess worker;
  const Frames frames = worker.Run(FixtureJob("fast_math"));
  EXPECT_EQ(frames.result().outcome(), v1::OUTCOME_SOLVED);
  bool warned = false;
  for (const auto& message : frames.messages) {
    for (const std::string& warning : message.loaded().warnings()) {
      warned |= warning.find("floating-point") != std::string::npos;
    }
  }
#if defined(__x86_64__)
  EXPECT_TRUE(warned);
#endif
}

}  // namespace
}  // namespace astrolabe::testing
