// `astrolabe bench` as a process, against a server that does as it is told.
#include <signal.h>

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>

#include "tests/client/cli/cli_process.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

class CliBench : public CliProcess {
 protected:
  CommandResult Bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    return Run(arguments);
  }
};

TEST_F(CliBench, EachInstanceIsSolvedWithEachConfiguration) {
  std::mutex mutex;
  std::vector<std::string> jobs;
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest& request, EventSink& sink) {
    const std::lock_guard lock(mutex);
    std::string job = request.spec().text() + " " + request.spec().algorithm().id();
    for (const v1::HeuristicUse& use : request.spec().heuristics()) job += " " + use.id();
    jobs.push_back(job);
    EXPECT_EQ(request.spec().seed(), 7u);
    EXPECT_EQ(request.spec().limits().max_expansions(), 10000);
    sink.Write(ResultEvent(1, SolvedBoard()));
    return grpc::Status::OK;
  };
  Serve(behaviour);
  const std::string file = folder_.Write("boards", "x\ny\n");
  const CommandResult run = Bench({file, "--lines", "--config", "idastar a", "--config", "astar a+b", "--seed", "7",
                                   "--max-expansions", "10k", "-o", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "") << "no progress in a pipe";
  EXPECT_EQ(jobs, (std::vector<std::string>{"x idastar a", "x astar a b", "y idastar a", "y astar a b"}));
  const json all = json::parse(run.out);
  EXPECT_EQ(all["runs"].size(), 4u);
  EXPECT_EQ(all["runs"][3]["instance"], file + ":2");
  EXPECT_EQ(all["runs"][3]["configuration"], "astar + max(a, b)");
  EXPECT_EQ(all["runs"][3]["length"], 4);
}

TEST_F(CliBench, RepeatedRunsAreOneRow) {
  std::atomic<int> solves = 0;
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest&, EventSink& sink) {
    v1::Result result = SolvedBoard();
    result.mutable_statistics()->mutable_search_time()->set_seconds(++solves);
    sink.Write(ResultEvent(1, result));
    return grpc::Status::OK;
  };
  Serve(behaviour);
  const json all = json::parse(Bench({"-", "--algorithm", "astar", "--repeat", "3", "-o", "json"}).out);
  EXPECT_EQ(solves, 3);
  ASSERT_EQ(all["runs"].size(), 1u);
  EXPECT_EQ(all["runs"][0]["seconds"], 2.0) << "the median of 1, 2 and 3";
  EXPECT_EQ(all["runs"][0]["repeats"], 3);
}

TEST_F(CliBench, WhatHappensToOneInstanceIsItsRow) {
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest& request, EventSink& sink) {
    v1::Result result = SolvedBoard();
    if (request.spec().text() == "bad") {
      result.Clear();
      result.set_outcome(v1::OUTCOME_REJECTED);
      result.set_explanation("4 twice");
    } else if (request.spec().text() == "long") {
      result.Clear();
      result.set_outcome(v1::OUTCOME_LIMIT_REACHED);
      result.set_limit(v1::LIMIT_KIND_WALL_TIME);
    } else if (request.spec().text() == "lost") {
      return grpc::Status(grpc::StatusCode::INTERNAL, "a fault of the server");
    }
    sink.Write(ResultEvent(1, result));
    return grpc::Status::OK;
  };
  Serve(behaviour);
  const CommandResult three = Bench({folder_.Write("b", "bad\nlong\nx\n"), "--lines"});
  EXPECT_EQ(three.exit_code, 0) << "all runs were made: " << three.err;
  EXPECT_NE(three.out.find("rejected: 4 twice"), std::string::npos) << three.out;
  EXPECT_NE(three.out.find("time limit"), std::string::npos) << three.out;
  EXPECT_NE(three.out.find("default + default     1/3        1"), std::string::npos) << three.out;
  const CommandResult lost = Bench({folder_.Write("c", "lost\nx\n"), "--lines"});
  EXPECT_EQ(lost.exit_code, 1) << "one run has no outcome";
  EXPECT_NE(lost.out.find("error: a fault of the server"), std::string::npos) << lost.out;
  EXPECT_NE(lost.out.find("1/2        1"), std::string::npos) << "the other one was made: " << lost.out;
}

TEST_F(CliBench, AWrongConfigurationIsToldBeforeAnyRun) {
  std::atomic<int> solves = 0;
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest&, EventSink&) {
    ++solves;
    return grpc::Status::OK;
  };
  behaviour.create = [](const v1::CreateJobRequest& request, v1::CreateJobResponse*) {
    EXPECT_TRUE(request.validate_only());
    return RichError(grpc::StatusCode::NOT_FOUND, "there is no " + request.spec().heuristics(0).id(), "UNKNOWN");
  };
  Serve(behaviour);
  const CommandResult run = Bench({"-", "--heuristic", "manhatan", "--heuristic", "haming"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "astrolabe: default + manhatan: there is no manhatan\ndefault + haming: there is no haming\n");
  EXPECT_EQ(solves, 0);
}

TEST_F(CliBench, AServerThatGoesAwayEndsItWithWhatThereIs) {
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest& request, EventSink& sink) {
    if (request.spec().text() == "y") return RichError(grpc::StatusCode::UNAVAILABLE, "it is draining", "DRAINING");
    sink.Write(ResultEvent(1, SolvedBoard()));
    return grpc::Status::OK;
  };
  Serve(behaviour);
  const CommandResult run = Bench({folder_.Write("b", "x\ny\nz\n"), "--lines"});
  EXPECT_EQ(run.exit_code, 7);
  EXPECT_NE(run.out.find("not complete"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(":2 "), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find(":3 "), std::string::npos) << "nothing after it: " << run.out;
  EXPECT_NE(run.err.find("draining"), std::string::npos) << run.err;
}

TEST_F(CliBench, AServerThatIsFullIsAskedAgainUntilItHasRoom) {
  std::atomic<int> asked = 0;
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest&, EventSink& sink) {
    const int before = asked++;
    if (before == 0)
      return RichError(grpc::StatusCode::UNAVAILABLE, "full", "QUEUE_FULL", {}, std::chrono::milliseconds(20));
    if (before == 1)
      return RichError(grpc::StatusCode::RESOURCE_EXHAUSTED, "too many", "QUOTA", {}, std::chrono::milliseconds(20));
    sink.Write(ResultEvent(1, SolvedBoard()));
    return grpc::Status::OK;
  };
  Serve(behaviour);
  const CommandResult run = Bench({"-", "-o", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(json::parse(run.out)["runs"][0]["outcome"], "SOLVED") << run.out;
}

TEST_F(CliBench, CtrlCEndsTheWaitForAServerThatIsFull) {
  std::atomic<int> asked = 0;
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest&, EventSink&) {
    ++asked;
    return RichError(grpc::StatusCode::UNAVAILABLE, "full", "QUEUE_FULL", {}, std::chrono::hours(1));
  };
  Serve(behaviour);
  Process bench({ASTROLABE_CLI, "bench", folder_.Write("b", "x\ny\n"), "--lines"},
                {{"ASTROLABE_SERVER", "unix:" + folder_ / "s"}}, folder_ / "out");
  ASSERT_TRUE(Eventually([&] { return asked > 0; }));
  bench.Signal(SIGINT);
  EXPECT_EQ(bench.Wait(std::chrono::seconds(30)), 13) << ReadFile(folder_ / "out");
  EXPECT_EQ(asked, 1);
}

TEST_F(CliBench, UsageIsChecked) {
  Serve();
  EXPECT_EQ(Bench({"-", "-o", "moves"}).exit_code, 2);
  EXPECT_EQ(Bench({"-", "--group-by", "colour"}).exit_code, 2);
  EXPECT_EQ(Bench({"-", "--repeat", "0"}).exit_code, 2);
  EXPECT_EQ(Bench({}).exit_code, 2);
  EXPECT_EQ(Bench({folder_ / "none"}).exit_code, 6);
  EXPECT_EQ(Bench({"-", "--time-limit", "soon"}).exit_code, 6);
  const CommandResult csv = Run({"solve", "-", "-o", "csv"});
  EXPECT_EQ(csv.exit_code, 2) << "csv is for bench alone";
  EXPECT_NE(csv.err.find("-o csv is for bench"), std::string::npos) << csv.err;
}

}  // namespace
}  // namespace astrolabe::testing
