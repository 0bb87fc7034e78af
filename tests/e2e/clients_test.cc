// Clients that flood, do not read, do not write, or leave in the middle; over plain gRPC, as any client would.
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "astrolabe/rpc/v1/error_details.pb.h"
#include "astrolabe/v1/server.grpc.pb.h"
#include "astrolabe/v1/solver.grpc.pb.h"
#include "tests/support/live_daemon.h"
#include "tests/support/process.h"

namespace astrolabe::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::shared_ptr<grpc::Channel> Connect(const LiveDaemon& daemon) {
  grpc::ChannelArguments own;
  own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(daemon.address(), grpc::InsecureChannelCredentials(), own);
}

v1::JobSpec Easy() {
  v1::JobSpec spec;
  spec.set_problem("sliding_tile");
  spec.set_text("0 1 3\n4 2 5\n7 8 6\n");
  return spec;
}

// Far more than any test waits for.
v1::JobSpec Hard() {
  v1::JobSpec spec;
  spec.set_problem("sliding_tile");
  spec.set_text("0 15 14 13\n12 11 10 9\n8 7 6 5\n4 3 2 1\n");
  spec.mutable_algorithm()->set_id("idastar");
  spec.add_heuristics()->set_id("hamming");
  return spec;
}

// Several times what the daemon takes of a search before it holds it back, with an event log of 256 KiB.
constexpr int64_t kManyNodes = 200'000;

// So many expanded nodes, each an event.
v1::JobSpec Telling(int64_t nodes) {
  v1::JobSpec spec = Hard();
  spec.mutable_algorithm()->set_id("astar");
  spec.mutable_limits()->set_max_expansions(nodes);
  spec.mutable_events()->add_kinds(v1::NODE_KIND_EXPANDING);
  spec.mutable_events()->set_detail(v1::NODE_DETAIL_TEXT);
  return spec;
}

// 60 x 60, turned by half; 7,200 bytes a state.
v1::JobSpec Large() {
  v1::JobSpec spec;
  spec.set_problem("sliding_tile");
  std::string board = "60\n";
  for (int i = 0; i < 3600; ++i) board += std::to_string((i + 1801) % 3600) + (i % 60 == 59 ? "\n" : " ");
  spec.set_text(board);
  return spec;
}

v1::ServerLoad Load(const std::shared_ptr<grpc::Channel>& channel) {
  grpc::ClientContext context;
  v1::GetServerInfoResponse info;
  const grpc::Status status =
      v1::ServerService::NewStub(channel)->GetServerInfo(&context, v1::GetServerInfoRequest(), &info);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return info.load();
}

bool NothingIsLeft(const std::shared_ptr<grpc::Channel>& channel) {
  const v1::ServerLoad load = Load(channel);
  return load.running() + load.queued() == 0;
}

bool WorkersAreIdle(pid_t daemon) {
  const auto ticks = [daemon] {
    long sum = 0;
    for (const pid_t child : ChildrenOf(daemon)) sum += CpuTicks(child);
    return sum;
  };
  const long before = ticks();
  std::this_thread::sleep_for(milliseconds(200));  // in which they could work
  return ticks() == before;
}

v1::Job GetJob(const std::shared_ptr<grpc::Channel>& channel, const std::string& name) {
  grpc::ClientContext context;
  v1::GetJobRequest request;
  request.set_name(name);
  v1::GetJobResponse response;
  const grpc::Status status = v1::SolverService::NewStub(channel)->GetJob(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.job();
}

std::map<std::string, v1::Job> AllJobs(const std::shared_ptr<grpc::Channel>& channel) {
  std::map<std::string, v1::Job> jobs;
  v1::ListJobsRequest request;
  request.set_page_size(1000);
  do {
    grpc::ClientContext context;
    v1::ListJobsResponse response;
    const grpc::Status status = v1::SolverService::NewStub(channel)->ListJobs(&context, request, &response);
    if (!status.ok()) {
      ADD_FAILURE() << status.error_message();
      break;
    }
    for (const v1::Job& job : response.jobs()) jobs.emplace(job.name(), job);
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return jobs;
}

// What a refusal is to carry. Empty: it does.
std::string WrongWithRefusal(const grpc::Status& status) {
  rpc::v1::Status details;
  if (status.error_code() != grpc::StatusCode::UNAVAILABLE) return "the code " + std::to_string(status.error_code());
  if (!details.ParseFromString(status.error_details())) return "no details";
  std::string reason;
  int64_t delay = 0;
  for (const auto& any : details.details()) {
    rpc::v1::ErrorInfo info;
    rpc::v1::RetryInfo retry;
    if (any.type_url().ends_with("ErrorInfo") && info.ParseFromString(any.value())) reason = info.reason();
    if (any.type_url().ends_with("RetryInfo") && retry.ParseFromString(any.value())) {
      delay = retry.retry_delay().seconds() * 1000 + retry.retry_delay().nanos() / 1'000'000;
    }
  }
  if (reason != "QUEUE_FULL") return "the reason " + reason;
  return delay > 0 ? "" : "no time to try again";
}

TEST(Clients, AFloodOfSmallJobsIsTakenOrRefusedAndNothingOfItIsLost) {
#ifdef ASTROLABE_SANITIZED
  constexpr int kJobs = 400;
#else
  constexpr int kJobs = 10'000;
#endif
  constexpr int kThreads = 4;
  LiveDaemon daemon({"--slots", "2", "--queue-limit", "100"});
  const auto flood = Connect(daemon);
  std::mutex mutex;
  std::set<std::string> accepted;
  std::map<std::string, int> wrong;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      const auto stub = v1::SolverService::NewStub(flood);
      v1::CreateJobRequest request;
      *request.mutable_spec() = Easy();
      for (int i = 0; i < kJobs / kThreads; ++i) {
        grpc::ClientContext context;
        v1::CreateJobResponse response;
        const grpc::Status status = stub->CreateJob(&context, request, &response);
        const std::lock_guard lock(mutex);
        if (status.ok()) {
          accepted.insert(response.job().name());
        } else if (const std::string fault = WrongWithRefusal(status); fault.empty()) {
          ++refused;
        } else {
          ++wrong[fault];
        }
      }
    });
  }
  // Another client meanwhile: its questions are answered, and with some patience its job is solved.
  const auto other = Connect(daemon);
  v1::Result solved;
  std::chrono::steady_clock::duration slowest{0};
  const bool served = Eventually([&] {
    const auto asked = std::chrono::steady_clock::now();
    Load(other);
    slowest = std::max(slowest, std::chrono::steady_clock::now() - asked);
    grpc::ClientContext context;
    v1::SolveRequest request;
    *request.mutable_spec() = Easy();
    request.mutable_spec()->set_priority(100);
    const auto reader = v1::SolverService::NewStub(other)->Solve(&context, request);
    v1::SolveResponse response;
    while (reader->Read(&response)) {
      if (response.event().has_result()) solved = response.event().result();
    }
    return reader->Finish().ok();
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(served);
  EXPECT_EQ(solved.outcome(), v1::OUTCOME_SOLVED);
  EXPECT_LT(slowest, seconds(10)) << "questions wait for the flood";
  for (const auto& [fault, count] : wrong) ADD_FAILURE() << count << " refusals have " << fault;
  EXPECT_EQ(static_cast<int>(accepted.size()) + refused, kJobs);
  EXPECT_GT(accepted.size(), 100u);
  EXPECT_TRUE(Eventually([&] { return NothingIsLeft(other); }, seconds(60)));
  const std::map<std::string, v1::Job> jobs = AllJobs(other);
  int ended = 0;
  for (const std::string& name : accepted) {
    const auto job = jobs.find(name);
    ended += job != jobs.end() && job->second.result().outcome() == v1::OUTCOME_SOLVED ? 1 : 0;
  }
  EXPECT_EQ(ended, static_cast<int>(accepted.size())) << "what was accepted has ended, and is there";
}

// A stream, taken until it is in this state; what is left of it can be read on, or left.
class Solving {
 public:
  Solving(const std::shared_ptr<grpc::Channel>& channel, const v1::SolveRequest& request)
      : stub_(v1::SolverService::NewStub(channel)), reader_(stub_->Solve(&context_, request)) {}
  ~Solving() { context_.TryCancel(); }

  // False: the stream ended before.
  bool ReadUntil(v1::JobState state) {
    while (Read()) {
      if (event_.has_accepted() && state == v1::JOB_STATE_QUEUED) return event_.accepted().queue_position() > 0;
      if (event_.has_state() && event_.state().state() == state) return true;
    }
    return false;
  }
  bool Read() {
    v1::SolveResponse response;
    if (!reader_->Read(&response)) return false;
    event_ = std::move(*response.mutable_event());
    if (name_.empty()) name_ = event_.job();
    return true;
  }
  // To the end: what has come.
  struct Rest {
    int64_t nodes = 0;
    int64_t missed = 0;  // told by gaps
    std::set<v1::GapReason> gaps;
    v1::Result result;
    grpc::Status status;
  };
  Rest ReadAll() {
    Rest rest;
    while (Read()) {
      rest.nodes += event_.nodes().count();
      rest.missed += event_.gap().node_events();
      if (event_.has_gap()) rest.gaps.insert(event_.gap().reason());
      if (event_.has_result()) rest.result = event_.result();
    }
    rest.status = reader_->Finish();
    return rest;
  }
  void Leave() { context_.TryCancel(); }
  const std::string& name() const { return name_; }
  const v1::Event& event() const { return event_; }

 private:
  grpc::ClientContext context_;
  const std::unique_ptr<v1::SolverService::Stub> stub_;
  const std::unique_ptr<grpc::ClientReader<v1::SolveResponse>> reader_;
  v1::Event event_;
  std::string name_;
};

TEST(Clients, OneThatLeavesInAnyStageGivesItsPlaceBack) {
  LiveDaemon daemon({"--slots", "1"});
  const auto channel = Connect(daemon);
  v1::SolveRequest hard;
  *hard.mutable_spec() = Hard();
  {
    Solving first(channel, hard);
    ASSERT_TRUE(first.ReadUntil(v1::JOB_STATE_SEARCHING)) << daemon.log();
    Solving queued(channel, hard);
    ASSERT_TRUE(queued.ReadUntil(v1::JOB_STATE_QUEUED)) << queued.event().ShortDebugString();
    EXPECT_EQ(Load(channel).queued(), 1);
    queued.Leave();
    EXPECT_TRUE(Eventually([&] { return Load(channel).queued() == 0; })) << "queued";
    EXPECT_EQ(Load(channel).running(), 1) << "nobody else is disturbed";
  }
  EXPECT_TRUE(Eventually([&] { return NothingIsLeft(channel); })) << "searching";
  // A path of many moves is replayed and packed.
  v1::SolveRequest large;
  *large.mutable_spec() = Large();
  large.mutable_spec()->mutable_algorithm()->set_id("construct");
  for (const v1::JobState state : {v1::JOB_STATE_PREPARING, v1::JOB_STATE_FINISHING}) {
    Solving solving(channel, large);
    ASSERT_TRUE(solving.ReadUntil(state)) << state << " " << solving.event().ShortDebugString();
    solving.Leave();
    EXPECT_TRUE(Eventually([&] { return NothingIsLeft(channel); })) << state;
  }
  EXPECT_TRUE(Eventually([&] { return WorkersAreIdle(daemon.process().pid()); }));
  // While the events of a job that has ended are replayed to it.
  v1::SolveRequest telling;
  *telling.mutable_spec() = Telling(5'000);
  Solving whole(channel, telling);
  EXPECT_EQ(whole.ReadAll().nodes, 5'000);
  for (int i = 0; i < 20; ++i) {
    grpc::ClientContext context;
    v1::WatchJobRequest watch;
    watch.set_name(whole.name());
    const auto stub = v1::SolverService::NewStub(channel);
    const auto reader = stub->WatchJob(&context, watch);
    v1::WatchJobResponse response;
    ASSERT_TRUE(reader->Read(&response));
    context.TryCancel();
    while (reader->Read(&response)) {
    }
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_TRUE(NothingIsLeft(channel));
  v1::SolveRequest easy;
  *easy.mutable_spec() = Easy();
  EXPECT_EQ(Solving(channel, easy).ReadAll().result.outcome(), v1::OUTCOME_SOLVED);
}

TEST(Clients, R03ADeadlineEndsCallAndSearchInTime) {
  LiveDaemon daemon({"--slots", "1"});
  const auto channel = Connect(daemon);
  v1::SolveRequest request;
  *request.mutable_spec() = Hard();
  grpc::ClientContext context;
  const auto begin = std::chrono::steady_clock::now();
  context.set_deadline(std::chrono::system_clock::now() + milliseconds(500));
  const auto reader = v1::SolverService::NewStub(channel)->Solve(&context, request);
  v1::SolveResponse response;
  bool searched = false;
  while (reader->Read(&response)) searched |= response.event().state().state() == v1::JOB_STATE_SEARCHING;
  EXPECT_TRUE(searched);
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(450));
  EXPECT_TRUE(Eventually([&] { return NothingIsLeft(channel); }, seconds(1))) << daemon.log();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(500) + seconds(1));
  EXPECT_TRUE(WorkersAreIdle(daemon.process().pid()));
}

// By a client that does not look at the limit.
TEST(Clients, R04ARequestAboveTheLimitIsRefusedByTheDaemonToo) {
  LiveDaemon daemon({"--max-request-size", "1MiB"});
  const auto channel = Connect(daemon);
  for (const int64_t mebibytes : {2, 40}) {
    v1::SolveRequest request;
    *request.mutable_spec() = Easy();
    request.mutable_spec()->mutable_text()->append(static_cast<size_t>(mebibytes) << 20, ' ');
    grpc::ClientContext context;
    const grpc::Status status = v1::SolverService::NewStub(channel)->Solve(&context, request)->Finish();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
    EXPECT_NE(status.error_message().find(std::to_string(1 << 20)), std::string::npos) << status.error_message();
  }
  EXPECT_TRUE(NothingIsLeft(channel));
}

// What one that reads a message a minute is most of the time.
TEST(Clients, ALosslessReaderThatPausesHoldsTheSearchAndGetsEverything) {
  LiveDaemon daemon({"--slots", "2", "--block-timeout", "10m", "--event-log", "256KiB"});
  const auto channel = Connect(daemon);
  v1::SolveRequest request;
  *request.mutable_spec() = Telling(kManyNodes);
  Solving slow(channel, request);
  ASSERT_TRUE(slow.ReadUntil(v1::JOB_STATE_SEARCHING));
  EXPECT_TRUE(Eventually([&] { return WorkersAreIdle(daemon.process().pid()); })) << "the search waits for it";
  EXPECT_EQ(GetJob(Connect(daemon), slow.name()).state(), v1::JOB_STATE_SEARCHING);
  v1::SolveRequest easy;
  *easy.mutable_spec() = Easy();
  EXPECT_EQ(Solving(Connect(daemon), easy).ReadAll().result.outcome(), v1::OUTCOME_SOLVED) << "others are served";
  const Solving::Rest rest = slow.ReadAll();
  EXPECT_TRUE(rest.status.ok()) << rest.status.error_message();
  EXPECT_EQ(rest.nodes, kManyNodes);
  EXPECT_TRUE(rest.gaps.empty());
  EXPECT_EQ(rest.result.statistics().expanded(), kManyNodes);
}

TEST(Clients, ALosslessReaderThatNeverReadsIsWaitedForNoLongerThanItsTime) {
  LiveDaemon daemon({"--slots", "1", "--block-timeout", "300ms", "--event-log", "256KiB"});
  const auto channel = Connect(daemon);
  v1::SolveRequest request;
  *request.mutable_spec() = Telling(kManyNodes);
  Solving slow(channel, request);
  ASSERT_TRUE(slow.ReadUntil(v1::JOB_STATE_SEARCHING));
  const auto other = Connect(daemon);
  EXPECT_TRUE(Eventually([&] { return GetJob(other, slow.name()).state() == v1::JOB_STATE_DONE; })) << daemon.log();
  const Solving::Rest rest = slow.ReadAll();
  EXPECT_TRUE(rest.status.ok()) << rest.status.error_message();
  EXPECT_FALSE(rest.gaps.empty());
  EXPECT_TRUE(rest.gaps.contains(v1::GAP_REASON_BLOCK_TIMEOUT)) << "why it misses what it did not take in time";
  EXPECT_EQ(rest.nodes + rest.missed, kManyNodes) << "what it did not get is told";
  EXPECT_EQ(rest.result.limit(), v1::LIMIT_KIND_EXPANSIONS);
  const auto& time = rest.result.statistics().search_time();
  EXPECT_GE(time.seconds() * 1000 + time.nanos() / 1'000'000, 300) << "it was waited for";
}

// Nor does the daemon's memory grow by what it does not read: well over 10 MB (case R02).
TEST(Clients, AReaderThatMayMissEventsNeverHoldsTheSearch) {
  LiveDaemon daemon({"--slots", "1", "--block-timeout", "10m", "--event-log", "256KiB"});
  const auto channel = Connect(daemon);
  v1::SolveRequest request;
  *request.mutable_spec() = Telling(kManyNodes);
  request.mutable_watch()->set_overflow(v1::OVERFLOW_DROP);
  Solving slow(channel, request);
  ASSERT_TRUE(slow.ReadUntil(v1::JOB_STATE_SEARCHING));
  [[maybe_unused]] const int64_t early_kib = ResidentKib(daemon.process().pid());
  const auto other = Connect(daemon);
  EXPECT_TRUE(Eventually([&] { return GetJob(other, slow.name()).state() == v1::JOB_STATE_DONE; })) << daemon.log();
#ifndef ASTROLABE_SANITIZED  // whose shadow grows
  EXPECT_LT(ResidentKib(daemon.process().pid()) - early_kib, 8'000);
#endif
  const Solving::Rest rest = slow.ReadAll();
  EXPECT_TRUE(rest.status.ok()) << rest.status.error_message();
  EXPECT_FALSE(rest.gaps.empty());
  EXPECT_FALSE(rest.gaps.contains(v1::GAP_REASON_BLOCK_TIMEOUT));
  EXPECT_EQ(rest.nodes + rest.missed, kManyNodes) << "what it did not get is told";
}

TEST(Clients, BatchesOfLargeStatesAreNoLargerThanOthers) {
  LiveDaemon daemon;
  const auto channel = Connect(daemon);
  v1::SolveRequest request;
  *request.mutable_spec() = Large();
  request.mutable_spec()->mutable_algorithm()->set_id("astar");
  request.mutable_spec()->mutable_limits()->set_max_expansions(500);
  request.mutable_spec()->mutable_events()->add_kinds(v1::NODE_KIND_EXPANDING);
  request.mutable_spec()->mutable_events()->add_kinds(v1::NODE_KIND_GENERATING);
  Solving solving(channel, request);
  int batches = 0;
  while (solving.Read()) {
    if (!solving.event().has_nodes()) continue;
    ++batches;
    // The last state may be the one that fills it.
    EXPECT_LE(solving.event().nodes().ByteSizeLong(), size_t{(64 + 16) << 10});
    EXPECT_GT(solving.event().nodes().nodes(0).state().size(), 1000u);
  }
  EXPECT_GT(batches, 50);
}

// A call whose messages are written by hand.
class RawCall {
 public:
  RawCall(const std::shared_ptr<grpc::Channel>& channel, const std::string& method) : stub_(channel) {
    call_ = stub_.PrepareCall(&context_, method, &queue_);
    call_->StartCall(nullptr);
    EXPECT_TRUE(Next());
  }
  ~RawCall() {
    context_.TryCancel();
    queue_.Shutdown();
    while (Next() || !drained_) {
    }
  }
  bool Write(const google::protobuf::Message& message) {
    const grpc::Slice slice(message.SerializeAsString());
    call_->Write(grpc::ByteBuffer(&slice, 1), nullptr);
    return Next();
  }
  bool WritesDone() {
    call_->WritesDone(nullptr);
    return Next();
  }
  template <typename Message>
  bool Read(Message* message) {
    grpc::ByteBuffer bytes;
    call_->Read(&bytes, nullptr);
    if (!Next()) return false;
    grpc::Slice slice;
    return bytes.DumpToSingleSlice(&slice).ok() &&
           message->ParseFromArray(slice.begin(), static_cast<int>(slice.size()));
  }
  grpc::Status Finish() {
    grpc::Status status;
    call_->Finish(&status, nullptr);
    Next();
    return status;
  }
  void Cancel() { context_.TryCancel(); }

 private:
  bool Next() {
    void* tag = nullptr;
    bool ok = false;
    drained_ = !queue_.Next(&tag, &ok);
    return !drained_ && ok;
  }

  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
  bool drained_ = false;
};

TEST(Clients, HalfOpenCallsAreServedAndHoldNothing) {
  LiveDaemon daemon({"--slots", "1"});
  const auto channel = Connect(daemon);
  // Never says anything, nor that it will not.
  RawCall mute(channel, "/astrolabe.v1.SolverService/Solve");
  // Says what it wants, and keeps its side open.
  RawCall open(channel, "/astrolabe.v1.SolverService/Solve");
  v1::SolveRequest request;
  *request.mutable_spec() = Easy();
  ASSERT_TRUE(open.Write(request));
  v1::SolveResponse response;
  v1::Result result;
  while (open.Read(&response)) {
    if (response.event().has_result()) result = response.event().result();
  }
  EXPECT_EQ(result.outcome(), v1::OUTCOME_SOLVED);
  const grpc::Status status = open.Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  // Closes its side at once, and reads on for as long as the search takes.
  v1::SolveRequest telling;
  *telling.mutable_spec() = Telling(5'000);
  RawCall closed(channel, "/astrolabe.v1.SolverService/Solve");
  ASSERT_TRUE(closed.Write(telling));
  ASSERT_TRUE(closed.WritesDone());
  int64_t nodes = 0;
  while (closed.Read(&response)) nodes += response.event().nodes().count();
  EXPECT_EQ(nodes, 5'000);
  EXPECT_TRUE(closed.Finish().ok());
  // A path that begins and does not go on holds one of the workers for paths alone, and gives it back.
  RawCall paused(channel, "/astrolabe.v1.SolverService/ValidatePath");
  v1::ValidatePathRequest begin;
  begin.mutable_instance()->set_problem("sliding_tile");
  begin.mutable_instance()->set_text(Easy().text());
  ASSERT_TRUE(paused.Write(begin));
  EXPECT_TRUE(NothingIsLeft(channel));
  v1::SolveRequest easy;
  *easy.mutable_spec() = Easy();
  EXPECT_EQ(Solving(channel, easy).ReadAll().result.outcome(), v1::OUTCOME_SOLVED);
  paused.Cancel();
  EXPECT_EQ(paused.Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Eventually([&] { return WorkersAreIdle(daemon.process().pid()); }));
}

}  // namespace
}  // namespace astrolabe::testing
