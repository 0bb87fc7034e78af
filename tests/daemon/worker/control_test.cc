// The frame protocol: hello, hanging up, garbage, validate, preload.
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <random>

#include "astrolabe/abi/types.h"
#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void ExpectExit(WorkerProcess& worker, int code) {
  const std::optional<int> status = worker.WaitExit();
  ASSERT_TRUE(status.has_value()) << "it lives on";
  ASSERT_TRUE(WIFEXITED(*status)) << "signal " << WTERMSIG(*status);
  EXPECT_EQ(WEXITSTATUS(*status), code);
}

TEST(Hello, TellsPidAbiAndAlgorithms) {
  WorkerProcess worker;
  EXPECT_EQ(worker.hello().pid(), worker.pid());
  EXPECT_EQ(worker.hello().abi_major(), static_cast<int>(ASTRO_ABI_MAJOR));
  std::vector<std::string> ids;
  for (const auto& algorithm : worker.hello().algorithms()) ids.push_back(algorithm.id());
  EXPECT_THAT(ids, ::testing::IsSupersetOf({"astar", "idastar"}));
}

TEST(HangingUp, EndsAnIdleWorker) {
  WorkerProcess worker;
  worker.HangUp();
  ExpectExit(worker, 0);
}

TEST(HangingUp, EndsAWorkerWhosePluginLoopsForEver) {
  WorkerProcess worker;
  worker.SendJob(FixtureJob("loop_in_parse"));
  ASSERT_TRUE(worker.WaitFor([](const auto& message) { return message.stage().stage() == "parse"; }));
  worker.HangUp();
  ExpectExit(worker, 0);
}

TEST(HangingUp, EndsAWorkerWhosePluginLoopsWhileLoading) {
  WorkerProcess worker;
  worker.SendJob(FixtureJob("loop_in_constructor"));
  ASSERT_TRUE(worker.WaitFor([](const auto& message) { return message.stage().stage() == "load"; }));
  worker.HangUp();
  ExpectExit(worker, 0);
}

TEST(HangingUp, EndsAWorkerInWhichAPluginLeftAThread) {
  WorkerProcess worker;
  EXPECT_EQ(worker.Run(FixtureJob("thread_in_build")).result().outcome(), v1::OUTCOME_SOLVED);
  worker.HangUp();
  ExpectExit(worker, 0);
}

TEST(Garbage, EndsTheWorkerWithAReason) {
  const std::string cases[] = {
      std::string("GET / HTTP/1.1\r\n"),    std::string("\0\0\0\0\1", 5),  // no room for the type
      std::string("\2\0\0\0\x09x", 6),                                     // unknown type
      std::string("\2\0\0\0\2x", 6),                                       // a type for the other direction
      std::string("\3\0\0\0\1\xff\xff", 7),                                // does not parse
      std::string("\1\0\0\0\1", 5),                                        // empty message
      std::string("\xff\xff\xff\xff\1", 5),                                // 4 GiB
  };
  for (const std::string& bytes : cases) {
    WorkerProcess worker;
    worker.SendRaw(bytes);
    worker.SendRaw(std::string(8, 'x'));
    ExpectExit(worker, 2);
    EXPECT_THAT(worker.Output(), HasSubstr("bad frame"));
  }
}

TEST(Garbage, OfAnyKindNeverCrashesTheWorker) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    WorkerProcess worker;
    std::string bytes(64 + random() % 512, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    bytes.replace(0, 5, std::string("\x40\0\0\0\1", 5));  // a plausible header
    worker.SendRaw(bytes);
    worker.HangUp();
    const std::optional<int> status = worker.WaitExit();
    ASSERT_TRUE(status.has_value());
    EXPECT_TRUE(WIFEXITED(*status));
  }
}

TEST(Garbage, AFloodOfWorkIsRefused) {
  WorkerProcess worker;
  for (int i = 0; i < 40; ++i) worker.SendJob(FixtureJob("loop_in_parse"));
  ExpectExit(worker, 2);
}

TEST(Garbage, TheBinaryRunByHandSaysWhatItIs) {
  std::FILE* pipe = ::popen(ASTROLABE_WORKER " 2>&1 3<&-", "r");
  ASSERT_NE(pipe, nullptr);
  char text[256] = {};
  EXPECT_NE(std::fgets(text, sizeof text, pipe), nullptr);
  EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), 2);
  EXPECT_THAT(text, HasSubstr("astrolabed"));
}

internal::v1::ToWorker ValidateRequest(const std::string& fixture, const std::string& text) {
  internal::v1::ToWorker message;
  internal::v1::Validate& request = *message.mutable_validate();
  request.set_request(99);
  *request.add_plugins() = FixtureFile(fixture);
  request.mutable_instance()->set_problem(fixture);
  request.mutable_instance()->set_text(text);
  return message;
}

TEST(Validate, DescribesAGoodInstance) {
  WorkerProcess worker;
  worker.Send(ValidateRequest("counter", " 4 10 and more"));
  const internal::v1::ValidateDone done = worker.Collect().last().validated();
  EXPECT_EQ(done.request(), 99);
  EXPECT_EQ(done.violations_size(), 0);
  EXPECT_FALSE(done.has_failure());
  const v1::ValidateInstanceResponse& response = done.response();
  EXPECT_EQ(response.canonical_text(), "4 10");
  EXPECT_EQ(response.size(), "count to 10");
  EXPECT_EQ(response.solvable(), v1::SOLVABLE_YES);
  EXPECT_EQ(response.initial_state(), "4");
  EXPECT_EQ(response.goal_state(), "10");
  EXPECT_EQ(response.state_bytes(), 8);
  EXPECT_EQ(response.fingerprint().size(), 64u);
  EXPECT_THAT(response.notes(), ::testing::ElementsAre("text after GOAL is ignored"));
  EXPECT_FALSE(response.initial_is_goal());
  EXPECT_EQ(response.facts_size(), 0);
}

TEST(Validate, TellsFactsOfTheStartAndWhetherItIsAGoal) {
  WorkerProcess worker;
  worker.Send(ValidateRequest("facts", "10 10"));
  const v1::ValidateInstanceResponse response = worker.Collect().last().validated().response();
  EXPECT_TRUE(response.initial_is_goal());
  ASSERT_EQ(response.facts_size(), 2);
  EXPECT_EQ(response.facts(0).name(), "left");
  EXPECT_EQ(response.facts(0).value(), "0");
  EXPECT_THAT(response.notes(), ::testing::ElementsAre(HasSubstr("64 KiB")));
}

TEST(Validate, TellsWhyAnInstanceHasNoSolution) {
  WorkerProcess worker;
  worker.Send(ValidateRequest("counter", "10 4"));
  const auto done = worker.Collect().last().validated();
  EXPECT_EQ(done.response().solvable(), v1::SOLVABLE_NO);
  EXPECT_EQ(done.response().reason(), "the counter only goes up");
}

TEST(Validate, TellsAllFaultsOfABadInstance) {
  WorkerProcess worker;
  worker.Send(ValidateRequest("counter", "x y"));
  EXPECT_EQ(worker.Collect().last().validated().violations_size(), 2);
}

TEST(Validate, ReportsAPluginThatCannotBeLoaded) {
  WorkerProcess worker;
  worker.Send(ValidateRequest("wrong_magic", "0 1"));
  const Frames frames = worker.Collect();
  EXPECT_EQ(frames.last().validated().failure().code(), "CORRUPT");
  EXPECT_NE(frames.last().recycle(), "");
}

TEST(Preload, LoadsSoThatTheJobNeedNot) {
  WorkerProcess worker;
  internal::v1::ToWorker message;
  *message.mutable_preload()->add_plugins() = FixtureFile("counter");
  worker.Send(message);
  const Frames warm = worker.Collect();
  EXPECT_FALSE(warm.last().preloaded().has_failure());
  int loaded = 0;
  for (const auto& frame : warm.messages) loaded += frame.has_loaded();
  EXPECT_EQ(loaded, 1);
  const Frames job = worker.Run(FixtureJob("counter"));
  for (const std::string& stage : job.stages()) EXPECT_NE(stage, "counter/load");
}

TEST(Generations, TwoOfOnePluginNeverShareAWorker) {
  WorkerProcess worker;
  EXPECT_EQ(worker.Run(FixtureJob("counter")).result().outcome(), v1::OUTCOME_SOLVED);
  internal::v1::RunJob job = FixtureJob("counter");
  job.mutable_plugins(0)->set_path(FixtureFile("counter_generic").path());
  const Frames frames = worker.Run(job);
  EXPECT_EQ(frames.result().plugin_failure().code(), "DUPLICATE_ID");
  EXPECT_NE(frames.last().recycle(), "");
}

TEST(Output, OfAPluginIsNoPartOfTheFrames) {
  WorkerProcess worker;
  EXPECT_EQ(worker.Run(FixtureJob("noisy")).result().outcome(), v1::OUTCOME_SOLVED);
  EXPECT_GE(worker.Output().size(), 2u << 20);
}

TEST(Process, HoldsOnlyItsOwnDescriptors) {
  WorkerProcess worker;
  EXPECT_EQ(worker.Run(FixtureJob("counter")).result().outcome(), v1::OUTCOME_SOLVED);
  const std::string folder = "/proc/" + std::to_string(worker.pid()) + "/fd";
  DIR* dir = ::opendir(folder.c_str());
  ASSERT_NE(dir, nullptr);
  int beyond = 0;
  while (const dirent* entry = ::readdir(dir)) {
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) > 3) ++beyond;
  }
  ::closedir(dir);
  EXPECT_EQ(beyond, 0);
}

std::string OutputOf(const std::string& command) {
  std::FILE* pipe = ::popen((command + " " ASTROLABE_WORKER).c_str(), "r");
  std::string text;
  char line[4096];
  while (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr) text += line;
  if (pipe != nullptr) ::pclose(pipe);
  return text;
}

TEST(Process, ExportsNoSymbolOfProtobufNorItsOwn) {
  const std::string exported = OutputOf("nm -C -D --defined-only");
  EXPECT_THAT(exported, Not(HasSubstr("protobuf")));
  EXPECT_THAT(exported, Not(HasSubstr("astrolabe")));
  EXPECT_THAT(OutputOf("nm -C -D --undefined-only"), Not(HasSubstr("protobuf")));
}

// What they register for the whole process (flags, descriptors) would be registered again by a plugin that has its own.
TEST(Process, LinksNeitherGrpcNorAbseilNorASharedProtobuf) {
  const std::string dynamic = OutputOf("readelf -d");
  ASSERT_THAT(dynamic, HasSubstr("(NEEDED)"));
  for (const char* library : {"libgrpc", "libabsl", "libprotobuf"}) EXPECT_THAT(dynamic, Not(HasSubstr(library)));
  const std::string symbols = OutputOf("nm -C -D");
  for (const char* space : {"grpc::", "absl::"}) EXPECT_THAT(symbols, Not(HasSubstr(space)));
}

}  // namespace
}  // namespace astrolabe::testing
