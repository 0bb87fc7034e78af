// The real program: starts, serves, reloads, ends.
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "astrolabe/v1/catalog.grpc.pb.h"
#include "astrolabe/v1/plugin.grpc.pb.h"
#include "astrolabe/v1/server.grpc.pb.h"
#include "astrolabe/v1/solver.grpc.pb.h"
#include "tests/support/live_daemon.h"
#include "tests/support/process.h"

namespace astrolabe::server {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Eventually;

std::string Program() { return testing::BinDir() + "/astrolabed"; }

class Running {
 public:
  explicit Running(std::vector<std::string> flags = {}) : flags_(std::move(flags)) { Start(); }
  ~Running() {
    if (process_->running()) {
      process_->Signal(SIGTERM);
      EXPECT_NE(process_->Wait(seconds(30)), -1) << log();
    }
  }

  void Start() {
    std::vector<std::string> argv = {Program(),        "--address",   "unix:" + socket, "--state-dir",
                                     folder / "state", "--cache-dir", folder / "cache"};
    argv.insert(argv.end(), flags_.begin(), flags_.end());
    process_ = std::make_unique<testing::Process>(
        argv, std::map<std::string, std::string>{{"XDG_DATA_HOME", folder / "data"}, {"HOME", folder.path()}},
        folder / "log");
    EXPECT_TRUE(Eventually([&] { return Info().has_value() || !process_->running(); }, seconds(60))) << log();
    EXPECT_TRUE(Info().has_value()) << log();
  }

  std::optional<v1::GetServerInfoResponse> Info() const {
    if (!fs::exists(socket)) return std::nullopt;
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + seconds(5));
    v1::GetServerInfoResponse response;
    const auto stub = v1::ServerService::NewStub(Connect(socket));
    if (!stub->GetServerInfo(&context, v1::GetServerInfoRequest(), &response).ok()) return std::nullopt;
    return response;
  }
  std::shared_ptr<grpc::Channel> Connect(const std::string& path) const {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel("unix:" + path, grpc::InsecureChannelCredentials(), own);
  }
  std::string log() const { return testing::ReadFile(folder / "log"); }
  testing::Process& process() { return *process_; }

  testing::TempFolder folder;
  const std::string socket = folder / "d.sock";

 private:
  const std::vector<std::string> flags_;
  std::unique_ptr<testing::Process> process_;
};

mode_t ModeOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

// A 15-puzzle that takes far longer than any test.
v1::SolveRequest LongSolve() {
  v1::SolveRequest request;
  request.mutable_spec()->set_problem("sliding_tile");
  request.mutable_spec()->set_text("14 15 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n");
  request.mutable_spec()->mutable_algorithm()->set_id("idastar");
  request.mutable_spec()->add_heuristics()->set_id("hamming");
  return request;
}

// Fails the test when the stream ends before.
bool ReadUntilSearching(grpc::ClientReader<v1::SolveResponse>* reader, v1::SolveResponse* response) {
  while (reader->Read(response)) {
    if (response->event().state().state() == v1::JOB_STATE_SEARCHING) return true;
  }
  ADD_FAILURE() << "never searching: " << response->ShortDebugString() << reader->Finish().error_message();
  return false;
}

TEST(Astrolabed, StartsServesAndEndsOnSigtermWithCodeZeroAndNoSocketLeft) {
  Running daemon;
  const auto info = daemon.Info();
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->pid(), daemon.process().pid());
  EXPECT_EQ(info->instance_id().size(), 32u);
  EXPECT_GT(info->load().slots(), 0);
  EXPECT_GT(info->default_limits().max_memory_bytes(), 0);
  EXPECT_EQ(ModeOf(daemon.socket), 0600u);
  EXPECT_EQ(ModeOf(daemon.socket + ".admin"), 0600u);
  daemon.process().Signal(SIGTERM);
  EXPECT_EQ(daemon.process().Wait(seconds(30)), 0) << daemon.log();
  EXPECT_FALSE(fs::exists(daemon.socket));
  EXPECT_FALSE(fs::exists(daemon.socket + ".admin"));
}

TEST(Astrolabed, SolvesOverTheSocketWithThePluginsBesideIt) {
  Running daemon;
  const auto stub = v1::SolverService::NewStub(daemon.Connect(daemon.socket));
  grpc::ClientContext context;
  v1::SolveRequest request;
  request.mutable_spec()->set_problem("sliding_tile");
  request.mutable_spec()->set_text("0 1 3\n4 2 5\n7 8 6\n");
  const auto reader = stub->Solve(&context, request);
  v1::SolveResponse response;
  ASSERT_TRUE(reader->Read(&response)) << reader->Finish().error_message() << daemon.log();
  EXPECT_TRUE(response.event().has_accepted());
  v1::Result result;
  while (reader->Read(&response)) {
    if (response.event().has_result()) result = response.event().result();
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(result.outcome(), v1::OUTCOME_SOLVED) << result.ShortDebugString();
  EXPECT_EQ(result.cost(), 4);
}

TEST(Astrolabed, ASecondOneOnALiveAddressSaysSoWithCodeSevenAndHarmsNothing) {
  Running daemon;
  const auto second =
      testing::RunCommand({Program(), "--address", "unix:" + daemon.socket, "--state-dir", daemon.folder / "state2"});
  EXPECT_EQ(second.exit_code, 7);
  EXPECT_NE(second.err.find("a daemon already lives at unix:" + daemon.socket), std::string::npos) << second.err;
  EXPECT_TRUE(daemon.Info().has_value());
}

TEST(Astrolabed, StartsAtOnceAfterKillMinusNine) {
  Running daemon;
  const std::string before = daemon.Info()->instance_id();
  daemon.process().Signal(SIGKILL);
  daemon.process().Wait(seconds(10));
  EXPECT_TRUE(fs::exists(daemon.socket));
  daemon.Start();
  EXPECT_NE(daemon.Info()->instance_id(), before);
}

TEST(Astrolabed, SigtermInterruptsARunningSolveWhoseClientGetsItsResult) {
  Running daemon({"--drain-time", "100ms"});
  const auto stub = v1::SolverService::NewStub(daemon.Connect(daemon.socket));
  grpc::ClientContext context;
  const auto reader = stub->Solve(&context, LongSolve());
  v1::SolveResponse response;
  ASSERT_TRUE(ReadUntilSearching(reader.get(), &response)) << daemon.log();
  daemon.process().Signal(SIGTERM);
  v1::Result result;
  while (reader->Read(&response)) {
    if (response.event().has_result()) result = response.event().result();
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(result.outcome(), v1::OUTCOME_INTERRUPTED);
  EXPECT_EQ(daemon.process().Wait(seconds(30)), 0) << daemon.log();
}

TEST(Astrolabed, DeadlinesOfAMillisecondLeaveNothingRunning) {
  Running daemon;
  const auto stub = v1::SolverService::NewStub(daemon.Connect(daemon.socket));
  for (int i = 0; i < 200; ++i) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + milliseconds(1));
    EXPECT_EQ(stub->Solve(&context, LongSolve())->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  }
  EXPECT_TRUE(Eventually([&] {
    const auto info = daemon.Info();
    return info.has_value() && info->load().running() + info->load().queued() == 0;
  })) << daemon.log();
}

TEST(Astrolabed, AThousandStreamsThatNobodyReadsHinderNobody) {
  Running daemon({"--slots", "2"});
  const auto channel = daemon.Connect(daemon.socket);
  const auto stub = v1::SolverService::NewStub(channel);
  grpc::ClientContext create;
  v1::CreateJobRequest request;
  *request.mutable_spec() = LongSolve().spec();
  v1::CreateJobResponse created;
  ASSERT_TRUE(stub->CreateJob(&create, request, &created).ok());
  v1::WatchJobRequest watch;
  watch.set_name(created.job().name());
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::WatchJobResponse>>> readers;
  for (int i = 0; i < 1000; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    readers.push_back(stub->WatchJob(contexts.back().get(), watch));
  }
  // One that is read shows that all are served.
  v1::WatchJobResponse response;
  ASSERT_TRUE(readers.back()->Read(&response));
  EXPECT_TRUE(response.event().has_accepted());
  grpc::ClientContext context;
  v1::SolveRequest easy;
  easy.mutable_spec()->set_problem("sliding_tile");
  easy.mutable_spec()->set_text("0 1 3\n4 2 5\n7 8 6\n");
  const auto other = stub->Solve(&context, easy);
  v1::SolveResponse event;
  v1::Result solved;
  while (other->Read(&event)) {
    if (event.event().has_result()) solved = event.event().result();
  }
  EXPECT_TRUE(other->Finish().ok());
  EXPECT_EQ(solved.outcome(), v1::OUTCOME_SOLVED);
  grpc::ClientContext cancel;
  v1::CancelJobRequest stop;
  stop.set_name(created.job().name());
  v1::CancelJobResponse stopped;
  EXPECT_TRUE(stub->CancelJob(&cancel, stop, &stopped).ok());
  for (size_t i = 0; i < readers.size(); ++i) {
    v1::Result result;
    while (readers[i]->Read(&response)) {
      if (response.event().has_result()) result = response.event().result();
    }
    EXPECT_TRUE(readers[i]->Finish().ok());
    EXPECT_EQ(result.outcome(), v1::OUTCOME_CANCELLED) << i;
  }
}

TEST(Astrolabed, ASecondSigtermDoesNotWaitForTheDrainTime) {
  Running daemon({"--drain-time", "10m"});
  const auto stub = v1::SolverService::NewStub(daemon.Connect(daemon.socket));
  grpc::ClientContext context;
  const auto reader = stub->Solve(&context, LongSolve());
  v1::SolveResponse response;
  ASSERT_TRUE(ReadUntilSearching(reader.get(), &response)) << daemon.log();
  daemon.process().Signal(SIGTERM);
  ASSERT_TRUE(Eventually([&] {
    const auto info = daemon.Info();
    return info.has_value() && info->draining();
  })) << daemon.log();
  EXPECT_TRUE(daemon.process().running());
  daemon.process().Signal(SIGTERM);
  EXPECT_EQ(daemon.process().Wait(seconds(20)), 0) << daemon.log();
  EXPECT_FALSE(fs::exists(daemon.socket));
}

TEST(Astrolabed, SighupReloadsDefaultLimitsAndKeepsThemWhenTheFileIsWrong) {
  testing::TempFolder config;
  const std::string file = config.Write("c.toml", "default-max-expansions = 11\n");
  Running daemon({"--config", file});
  EXPECT_EQ(daemon.Info()->default_limits().max_expansions(), 11);
  config.Write("c.toml", "default-max-expansions = 22\nlog-level = debug\n");
  daemon.process().Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&] { return daemon.Info()->default_limits().max_expansions() == 22; }));
  config.Write("c.toml", "default-max-expansions = lots\n");
  daemon.process().Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&] { return daemon.log().find("nothing changed") != std::string::npos; })) << daemon.log();
  EXPECT_EQ(daemon.Info()->default_limits().max_expansions(), 22);
}

TEST(Astrolabed, SighupReloadsEveryOptionThatIsMarked) {
  testing::TempFolder config;
  const std::string file = config.Write("c.toml",
                                        "default-time-limit = 1h\ndefault-memory-limit = 1GiB\n"
                                        "default-max-generated = 10\ndefault-queue-timeout = 10s\n"
                                        "drain-time = 10m\nidle-timeout = 1h\nlog-level = warning\n");
  Running daemon({"--config", file});
  EXPECT_EQ(daemon.log().find("ready at"), std::string::npos) << "that is no warning: " << daemon.log();
  config.Write("c.toml",
               "default-time-limit = 2h\ndefault-memory-limit = 2GiB\n"
               "default-max-generated = 20\ndefault-queue-timeout = 20s\n"
               "drain-time = 100ms\nidle-timeout = 2h\nlog-level = info\n");
  daemon.process().Signal(SIGHUP);
  EXPECT_TRUE(Eventually([&] { return daemon.log().find("are as configured now") != std::string::npos; }))
      << "the log level: " << daemon.log();
  const v1::Limits limits = daemon.Info()->default_limits();
  EXPECT_EQ(limits.wall_time().seconds(), 7200);
  EXPECT_EQ(limits.max_memory_bytes(), int64_t{2} << 30);
  EXPECT_EQ(limits.max_generated(), 20);
  EXPECT_EQ(limits.queue_timeout().seconds(), 20);
  const auto stub = v1::SolverService::NewStub(daemon.Connect(daemon.socket));
  grpc::ClientContext context;
  const auto reader = stub->Solve(&context, LongSolve());
  v1::SolveResponse response;
  ASSERT_TRUE(ReadUntilSearching(reader.get(), &response)) << daemon.log();
  daemon.process().Signal(SIGTERM);
  EXPECT_EQ(daemon.process().Wait(seconds(30)), 0) << "the drain time: " << daemon.log();
}

TEST(Astrolabed, SighupReloadsTheIdleTime) {
  testing::TempFolder config;
  const std::string file = config.Write("c.toml", "idle-timeout = 0\n");
  Running daemon({"--config", file});
  config.Write("c.toml", "idle-timeout = 300ms\n");
  daemon.process().Signal(SIGHUP);
  EXPECT_EQ(daemon.process().Wait(seconds(30)), 0) << daemon.log();
}

TEST(Astrolabed, AStateFolderThatCannotBeUsedIsToldAndNothingIsLeft) {
  Running other;
  testing::TempFolder folder;
  const std::string a_file = folder.Write("file", "");
  // Below a file; where nobody can make a file, whoever he is; that of another daemon.
  for (const std::string& state : {a_file + "/state", std::string("/proc/self"), other.folder / "state"}) {
    const auto run = testing::RunCommand(
        {Program(), "--address", folder / "d.sock", "--state-dir", state, "--cache-dir", folder / "cache"});
    EXPECT_EQ(run.exit_code, 1) << state << run.err;
    EXPECT_NE(run.err.find("--state-dir"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(state), std::string::npos) << run.err;
    EXPECT_FALSE(fs::exists(folder / "d.sock")) << state;
  }
  EXPECT_TRUE(other.Info().has_value()) << "the other one is not disturbed";
}

TEST(Astrolabed, LeavesWhenNobodyNeedsIt) {
  Running daemon({"--idle-timeout", "300ms"});
  EXPECT_EQ(daemon.process().Wait(seconds(30)), 0) << daemon.log();
  EXPECT_NE(daemon.log().find("idle"), std::string::npos);
  EXPECT_FALSE(fs::exists(daemon.socket));
}

TEST(Astrolabed, StaysAsLongAsItHasTheResultOfADetachedJob) {
  Running daemon({"--idle-timeout", "2s"});
  const auto stub = v1::SolverService::NewStub(daemon.Connect(daemon.socket));
  grpc::ClientContext create;
  v1::CreateJobRequest request;
  request.mutable_spec()->set_problem("sliding_tile");
  request.mutable_spec()->set_text("0 1 3\n4 2 5\n7 8 6\n");
  v1::CreateJobResponse created;
  ASSERT_TRUE(stub->CreateJob(&create, request, &created).ok()) << daemon.log();
  EXPECT_EQ(daemon.process().Wait(seconds(5)), -1) << "it left with the result\n" << daemon.log();
  grpc::ClientContext remove;
  v1::DeleteJobRequest done;
  done.set_name(created.job().name());
  v1::DeleteJobResponse removed;
  EXPECT_TRUE(stub->DeleteJob(&remove, done, &removed).ok()) << daemon.log();
  EXPECT_EQ(daemon.process().Wait(seconds(30)), 0) << daemon.log();
}

TEST(Astrolabed, PluginsAreChangedOnTheAdminListenerAlone) {
  Running daemon;
  const auto user = v1::PluginService::NewStub(daemon.Connect(daemon.socket));
  const auto admin = v1::PluginService::NewStub(daemon.Connect(daemon.socket + ".admin"));
  v1::ReloadPluginResponse reloaded;
  grpc::ClientContext first;
  EXPECT_EQ(user->ReloadPlugin(&first, v1::ReloadPluginRequest(), &reloaded).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  grpc::ClientContext second;
  EXPECT_TRUE(admin->ReloadPlugin(&second, v1::ReloadPluginRequest(), &reloaded).ok());
  grpc::ClientContext third;
  v1::LoadPluginRequest load;
  load.set_name("no_such_plugin");
  v1::LoadPluginResponse loaded;
  EXPECT_EQ(admin->LoadPlugin(&third, load, &loaded).error_code(), grpc::StatusCode::NOT_FOUND);
}

// grpc.channelz.v1.Channelz/GetServers, whose request may be empty.
grpc::StatusCode AskChannelz(const std::shared_ptr<grpc::Channel>& channel) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const grpc::Slice nothing;
  const auto call =
      stub.PrepareUnaryCall(&context, "/grpc.channelz.v1.Channelz/GetServers", grpc::ByteBuffer(&nothing, 1), &queue);
  grpc::ByteBuffer response;
  grpc::Status status;
  call->StartCall();
  call->Finish(&response, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  return status.error_code();
}

TEST(Astrolabed, ChannelzIsForAdminsAlone) {
  Running daemon;
  EXPECT_EQ(AskChannelz(daemon.Connect(daemon.socket)), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(AskChannelz(daemon.Connect(daemon.socket + ".admin")), grpc::StatusCode::OK);
}

TEST(Astrolabed, ServesOnLoopbackTcpToo) {
  testing::TempFolder folder;
  testing::Process process({Program(), "--address", "127.0.0.1:0", "--state-dir", folder / "state", "--cache-dir",
                            folder / "cache", "--log-format", "json"},
                           {{"HOME", folder.path()}}, folder / "log");
  std::string address;
  ASSERT_TRUE(Eventually([&] {
    const std::string log = testing::ReadFile(folder / "log");
    const size_t at = log.find("ready at 127.0.0.1:");
    if (at != std::string::npos) address = log.substr(at + 9, log.find_first_of("\",", at) - at - 9);
    return !address.empty() || !process.running();
  })) << testing::ReadFile(folder / "log");
  grpc::ClientContext context;
  v1::GetServerInfoResponse info;
  const auto stub = v1::ServerService::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  EXPECT_TRUE(stub->GetServerInfo(&context, v1::GetServerInfoRequest(), &info).ok()) << address;
  process.Signal(SIGINT);
  EXPECT_EQ(process.Wait(seconds(30)), 0);
}

TEST(Astrolabed, ChecksItsCacheWhenItHasStarted) {
  Running daemon;
  daemon.process().Signal(SIGTERM);
  ASSERT_EQ(daemon.process().Wait(seconds(30)), 0);
  const std::string damaged = daemon.folder / "cache/" + std::string(64, '0') + ".cache";
  std::ofstream(damaged) << "no table";
  daemon.Start();
  EXPECT_TRUE(Eventually([&] { return !fs::exists(damaged); }));
  EXPECT_TRUE(Eventually([&] { return daemon.log().find("found 1 damaged one") != std::string::npos; })) << daemon.log();
}

TEST(Astrolabed, WrongOptionsAndAMissingWorkerAreClear) {
  const auto usage = testing::RunCommand({Program(), "--slots", "many"});
  EXPECT_EQ(usage.exit_code, 2);
  EXPECT_NE(usage.err.find("--slots: \"many\""), std::string::npos) << usage.err;
  testing::TempFolder folder;
  const auto missing = testing::RunCommand({Program(), "--address", folder / "d.sock", "--state-dir", folder / "state",
                                            "--cache-dir", folder / "cache", "--worker-binary", "/no/such/worker"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.err.find("/no/such/worker"), std::string::npos) << missing.err;
  EXPECT_FALSE(fs::exists(folder / "d.sock"));
  const auto version = testing::RunCommand({Program(), "--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.find("astrolabed "), 0u);
}

}  // namespace
}  // namespace astrolabe::server
