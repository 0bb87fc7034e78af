#include "astrolabe/client/stream.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "astrolabe/client/client.h"
#include "astrolabe/client/errors.h"
#include "tests/client/fake_server.h"
#include "tests/support/process.h"

namespace astrolabe::client {
namespace {

using testing::EventSink;
using testing::FakeBehaviour;
using testing::FakeServer;

// Waits for something that another thread says.
class Signal {
 public:
  void Set() {
    const std::lock_guard lock(mutex_);
    set_ = true;
    changed_.notify_all();
  }
  bool Wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [this] { return set_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

class Stream : public ::testing::Test {
 protected:
  Client Connect(FakeBehaviour behaviour) {
    server_ = std::make_unique<FakeServer>(folder_ / "s", std::move(behaviour));
    auto client = Client::Connect({.address = server_->address()});
    EXPECT_TRUE(client.ok()) << client.status();
    return *client;
  }
  static SolveRequest Request() {
    SolveRequest request;
    request.spec.problem = "sliding_tile";
    request.spec.instance = "1 2\n3 0\n";
    return request;
  }

  testing::TempFolder folder_;
  std::unique_ptr<FakeServer> server_;
};

grpc::Status AWholeJob(const v1::SolveRequest&, EventSink& sink) {
  sink.Write(testing::Accepted());
  sink.Write(testing::ProgressEvent(10));
  sink.Write(testing::Nodes(2, 0, 3));
  sink.Write(testing::Nodes(3, 3, 2));
  sink.Write(testing::ResultEvent(4, testing::SolvedBoard()));
  return grpc::Status::OK;
}

TEST_F(Stream, GivesTheEventsInOrderAndEndsAfterTheResult) {
  Client client = Connect({.solve = AWholeJob});
  auto stream = client.Solve(Request());
  ASSERT_TRUE(stream.ok()) << stream.status();
  EXPECT_EQ(stream->job(), "jobs/fake");
  std::vector<size_t> kinds;
  std::vector<int64_t> ordinals;
  for (const Event& event : *stream) {
    kinds.push_back(event.body.index());
    if (const auto* batch = event.As<NodeBatch>()) {
      for (size_t i = 0; i < batch->nodes.size(); ++i) {
        ordinals.push_back(batch->first_ordinal + static_cast<int64_t>(i));
        EXPECT_EQ(batch->nodes[i].node, 1000u + ordinals.back());
        EXPECT_EQ(batch->nodes[i].state, std::string("\x01\x00\xff", 3) + static_cast<char>(i));
      }
    }
  }
  EXPECT_EQ(kinds, (std::vector<size_t>{1, 4, 5, 5, 11}));
  EXPECT_EQ(ordinals, (std::vector<int64_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(stream->status().ok());
  const auto result = stream->Wait();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->outcome, Outcome::kSolved);
  EXPECT_EQ(result->path.op_names.size(), 4u);
}

TEST_F(Stream, CallsTheHandlersAndReturnsTheResult) {
  Client client = Connect({.solve = AWholeJob});
  auto stream = client.Solve(Request());
  ASSERT_TRUE(stream.ok());
  int any = 0;
  int nodes = 0;
  int64_t expanded = 0;
  const auto result =
      stream->Run({.progress = [&](const Event&, const Progress& progress) { expanded = progress.expanded; },
                   .nodes =
                       [&](const Event& event, const NodeBatch& batch) {
                         EXPECT_GT(event.sequence, 0);
                         nodes += static_cast<int>(batch.nodes.size());
                       },
                   .any = [&](const Event&) { ++any; }});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->cost, 4);
  EXPECT_EQ(expanded, 10);
  EXPECT_EQ(nodes, 5);
  EXPECT_EQ(any, 5);
}

TEST_F(Stream, CancelFromAnotherThreadBringsTheBestSoFar) {
  Signal cancelled;
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest&, EventSink& sink) {
    sink.Write(testing::Accepted());
    EXPECT_TRUE(cancelled.Wait());
    v1::Result result = testing::SolvedBoard();
    result.set_outcome(v1::OUTCOME_CANCELLED);
    result.set_proof(v1::PROOF_FEASIBLE);
    sink.Write(testing::ResultEvent(2, result));
    return grpc::Status::OK;
  };
  behaviour.cancel = [&](const std::string& job) {
    EXPECT_EQ(job, "jobs/fake");
    cancelled.Set();
  };
  Client client = Connect(behaviour);
  auto stream = client.Solve(Request());
  ASSERT_TRUE(stream.ok());
  std::thread canceller([&] { EXPECT_TRUE(stream->Cancel().ok()); });
  const auto result = stream->Wait();
  canceller.join();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->outcome, Outcome::kCancelled);
  EXPECT_EQ(result->cost, 4);
}

// Runs until the client is gone.
grpc::Status Endless(EventSink& sink, Signal* gone) {
  sink.Write(testing::Accepted());
  for (int64_t i = 1; !sink.cancelled() && sink.Write(testing::ProgressEvent(i)); ++i) {
  }
  gone->Set();
  return grpc::Status::CANCELLED;
}

TEST_F(Stream, AbortEndsTheCallWithoutAResult) {
  Signal gone;
  Client client = Connect({.solve = [&](const v1::SolveRequest&, EventSink& sink) { return Endless(sink, &gone); }});
  auto stream = client.Solve(Request());
  ASSERT_TRUE(stream.ok());
  std::thread aborter([&] { stream->Abort(); });
  const auto result = stream->Wait();
  aborter.join();
  EXPECT_EQ(result.status().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(gone.Wait());
}

TEST_F(Stream, DestroyingItEndsTheCall) {
  Signal gone;
  Client client = Connect({.solve = [&](const v1::SolveRequest&, EventSink& sink) { return Endless(sink, &gone); }});
  {
    auto stream = client.Solve(Request());
    ASSERT_TRUE(stream.ok());
  }
  EXPECT_TRUE(gone.Wait());
}

TEST_F(Stream, TheDeadlineReachesTheServer) {
  Signal gone;
  Client client = Connect({.solve = [&](const v1::SolveRequest&, EventSink& sink) { return Endless(sink, &gone); }});
  SolveRequest request = Request();
  request.deadline = std::chrono::milliseconds(100);
  auto stream = client.Solve(request);
  ASSERT_TRUE(stream.ok());
  const auto result = stream->Wait();
  EXPECT_EQ(result.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(Reason(result.status()), kReasonTimeout);
  EXPECT_TRUE(gone.Wait());
}

TEST_F(Stream, ARefusalIsTheStatusOfSolveItself) {
  Client client = Connect({.solve = [](const v1::SolveRequest&, EventSink&) {
    return testing::RichError(grpc::StatusCode::INVALID_ARGUMENT, "2 fields are wrong", "BAD_SPEC",
                              {{"spec.threads", "must be at least 0"}, {"spec.algorithm", "no such thing"}});
  }});
  const auto stream = client.Solve(Request());
  EXPECT_EQ(stream.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FieldViolations(stream.status()).size(), 2u);
}

TEST_F(Stream, AServerThatDiesIsAConnectionLost) {
  Signal started;
  Client client = Connect({.solve = [&](const v1::SolveRequest&, EventSink& sink) {
    sink.Write(testing::Accepted());
    started.Set();
    while (!sink.cancelled()) std::this_thread::yield();
    return grpc::Status::CANCELLED;
  }});
  auto stream = client.Solve(Request());
  ASSERT_TRUE(stream.ok());
  ASSERT_TRUE(started.Wait());
  server_->Kill();
  const auto result = stream->Wait();
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable) << result.status();
  EXPECT_EQ(Reason(result.status()), kReasonConnectionLost);
}

TEST_F(Stream, AStreamThatEndsWithoutResultIsAnError) {
  Client client = Connect({.solve = [](const v1::SolveRequest&, EventSink& sink) {
    sink.Write(testing::Accepted());
    return grpc::Status::OK;
  }});
  auto stream = client.Solve(Request());
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(stream->Wait().status().code(), absl::StatusCode::kInternal);
}

TEST_F(Stream, WhatHappensAfterTheResultDoesNotMatter) {
  Client client = Connect({.solve = [](const v1::SolveRequest&, EventSink& sink) {
    sink.Write(testing::Accepted());
    sink.Write(testing::ResultEvent(2, testing::SolvedBoard()));
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone");
  }});
  auto stream = client.Solve(Request());
  ASSERT_TRUE(stream.ok());
  EXPECT_TRUE(stream->Wait().ok());
}

TEST_F(Stream, WatchAsksForWhatItIsTold) {
  v1::WatchJobRequest seen;
  Client client = Connect({.watch = [&](const v1::WatchJobRequest& request, EventSink& sink) {
    seen = request;
    sink.Write(testing::ResultEvent(9, testing::SolvedBoard()));
    return grpc::Status::OK;
  }});
  auto stream = client.WatchJob(
      "jobs/fake", 7,
      {.nodes = false, .overflow = Overflow::kDrop, .progress_interval = std::chrono::milliseconds(250)});
  ASSERT_TRUE(stream.ok()) << stream.status();
  EXPECT_TRUE(stream->Wait().ok());
  EXPECT_EQ(seen.name(), "jobs/fake");
  EXPECT_EQ(seen.from_sequence(), 7);
  EXPECT_TRUE(seen.watch().without_nodes());
  EXPECT_EQ(seen.watch().overflow(), v1::OVERFLOW_DROP);
  EXPECT_EQ(seen.watch().progress_interval().nanos(), 250'000'000);
}

TEST_F(Stream, OutlivesTheClientThatMadeIt) {
  auto client = std::make_unique<Client>(Connect({.solve = AWholeJob}));
  auto stream = client->Solve(Request());
  ASSERT_TRUE(stream.ok());
  client.reset();
  EXPECT_TRUE(stream->Wait().ok());
}

}  // namespace
}  // namespace astrolabe::client
