#include "astrolabe/client/client.h"

#include <gtest/gtest.h>

#include "astrolabe/client/errors.h"
#include "tests/client/fake_server.h"
#include "tests/support/process.h"

namespace astrolabe::client {
namespace {

using testing::FakeBehaviour;
using testing::FakeServer;

class ClientTest : public ::testing::Test {
 protected:
  Client Connect(FakeBehaviour behaviour = {}) {
    server_ = std::make_unique<FakeServer>(folder_ / "s", std::move(behaviour));
    auto client = Client::Connect({.address = server_->address()});
    EXPECT_TRUE(client.ok()) << client.status();
    return *client;
  }

  testing::TempFolder folder_;
  std::unique_ptr<FakeServer> server_;
};

TEST_F(ClientTest, NothingListeningIsToldAtOnce) {
  const auto started = std::chrono::steady_clock::now();
  const auto client = Client::Connect({.address = "unix:" + folder_ / "none"});
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Reason(client.status()), kReasonCannotConnect);
  EXPECT_NE(client.status().message().find(folder_ / "none"), absl::string_view::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(15));
}

TEST_F(ClientTest, AnEmptyAddressIsAnArgumentError) {
  EXPECT_EQ(Client::Connect({}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(ClientTest, ARequestAboveTheServersLimitIsNotSent) {
  bool reached = false;
  FakeBehaviour behaviour;
  behaviour.max_request_bytes = 10'000;
  behaviour.solve = [&](const v1::SolveRequest&, testing::EventSink&) {
    reached = true;
    return grpc::Status::OK;
  };
  Client client = Connect(behaviour);
  SolveRequest request;
  request.spec.problem = "sliding_tile";
  request.spec.instance = std::string(10'000, '1');
  const absl::Status solve = client.Solve(request).status();
  EXPECT_EQ(Reason(solve), kReasonRequestTooLarge);
  EXPECT_NE(solve.message().find("10000 bytes"), absl::string_view::npos) << solve;
  EXPECT_EQ(Reason(client.CreateJob({request.spec, "", false}).status()), kReasonRequestTooLarge);
  EXPECT_EQ(Reason(client.ValidateInstance({"sliding_tile", request.spec.instance, {}}).status()),
            kReasonRequestTooLarge);
  EXPECT_EQ(Reason(client.EvaluateStates({{"sliding_tile", request.spec.instance, {}}, {}, {}, false}).status()),
            kReasonRequestTooLarge);
  EXPECT_FALSE(reached);
}

TEST_F(ClientTest, StatesAreEvaluated) {
  FakeBehaviour behaviour;
  behaviour.evaluate = [](const v1::EvaluateStatesRequest& request, v1::EvaluateStatesResponse* response) {
    if (request.states_size() == 0) {
      return testing::RichError(grpc::StatusCode::INVALID_ARGUMENT, "4 twice", "INSTANCE_REJECTED",
                                {{"instance", "4 twice"}});
    }
    v1::HeuristicValue* value = response->add_evaluations()->add_values();
    value->set_heuristic(request.heuristics(0).id());
    value->set_h(7);
    response->set_cost_scale(1);
    return grpc::Status::OK;
  };
  Client client = Connect(behaviour);
  const auto good = client.EvaluateStates({{"sliding_tile", "x", {}}, {{"hamming", {}, {}}}, {"1 2 0"}, false});
  ASSERT_TRUE(good.ok()) << good.status();
  EXPECT_EQ(good->evaluations.at(0).values.at(0), (HeuristicValue{"hamming", 7, ""}));
  const auto bad = client.EvaluateStates({{"sliding_tile", "x", {}}, {}, {}, false});
  EXPECT_EQ(bad.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FieldViolations(bad.status()).at(0).field, "instance");
  const auto text = client.EvaluateStates({{"sliding_tile", "x", {}}, {}, {"1", "\xff"}, false});
  EXPECT_NE(text.status().message().find("states[1]"), absl::string_view::npos) << "not UTF-8, not sent";
}

TEST_F(ClientTest, LargeRequestsBelowTheLimitArrive) {
  size_t received = 0;
  FakeBehaviour behaviour;
  behaviour.create = [&](const v1::CreateJobRequest& request, v1::CreateJobResponse*) {
    received = request.spec().text().size();
    return grpc::Status::OK;
  };
  Client client = Connect(behaviour);
  JobSpec spec;
  spec.instance = std::string(20 << 20, '1');
  EXPECT_TRUE(client.CreateJob({spec, "", false}).ok());
  EXPECT_EQ(received, size_t{20 << 20});
}

TEST_F(ClientTest, CreateJobSendsTheWholeRequest) {
  v1::CreateJobRequest seen;
  FakeBehaviour behaviour;
  behaviour.create = [&](const v1::CreateJobRequest& request, v1::CreateJobResponse* response) {
    seen = request;
    response->mutable_job()->set_name("jobs/1");
    return grpc::Status::OK;
  };
  Client client = Connect(behaviour);
  JobSpec spec;
  spec.problem = "p";
  spec.heuristics = {{"h", {{"k", int64_t{3}}}, Rational{1, 2}}};
  const auto job = client.CreateJob({spec, "id", true});
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->name, "jobs/1");
  EXPECT_EQ(seen.request_id(), "id");
  EXPECT_TRUE(seen.validate_only());
  EXPECT_EQ(seen.spec().heuristics(0).params().at("k").int_value(), 3);
  EXPECT_EQ(seen.spec().heuristics(0).weight().denominator(), 2);
}

TEST_F(ClientTest, JobsAreListedShownAndRemoved) {
  Client client = Connect();
  const auto first = client.ListJobs();
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->jobs.at(0).name, "jobs/fake");
  const auto second = client.ListJobs({.page_token = first->next_page_token});
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->jobs.at(0).name, "jobs/other");
  EXPECT_EQ(second->next_page_token, "");
  const auto job = client.GetJob("jobs/fake");
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->result->outcome, Outcome::kSolved);
  EXPECT_EQ(Reason(client.GetJob("jobs/none").status()), "UNKNOWN_JOB");
  EXPECT_TRUE(client.CancelJob("jobs/fake").ok());
  EXPECT_TRUE(client.DeleteJob("jobs/fake").ok());
  EXPECT_EQ(client.DeleteJob("jobs/none").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(client.WatchJob("jobs/none").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ClientTest, UpdateJobSendsWhatIsToChangeAlone) {
  v1::UpdateJobRequest seen;
  FakeBehaviour behaviour;
  behaviour.update = [&](const v1::UpdateJobRequest& request, v1::UpdateJobResponse* response) {
    seen = request;
    response->mutable_job()->set_name(request.name());
    response->mutable_job()->mutable_spec()->set_priority(request.priority());
    return grpc::Status::OK;
  };
  Client client = Connect(behaviour);
  JobUpdate update;
  update.priority = 0;
  const auto job = client.UpdateJob("jobs/1", update);
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->name, "jobs/1");
  EXPECT_TRUE(seen.has_priority()) << "0 is a priority like any other";
  EXPECT_EQ(seen.limits().ByteSizeLong(), 0u);
  update.priority.reset();
  update.limits.wall_time = std::chrono::seconds(7);
  update.limits.max_cost = 0;
  ASSERT_TRUE(client.UpdateJob("jobs/1", update).ok());
  EXPECT_FALSE(seen.has_priority());
  EXPECT_EQ(seen.limits().wall_time().seconds(), 7);
  EXPECT_TRUE(seen.limits().has_max_cost());
  EXPECT_FALSE(seen.limits().has_queue_timeout());
}

TEST_F(ClientTest, UpdatingAJobThatIsNotThereIsNotFound) {
  Client client = Connect();
  EXPECT_EQ(Reason(client.UpdateJob("jobs/none", {}).status()), "UNKNOWN_JOB");
}

TEST_F(ClientTest, ADrainTimeOfZeroIsNotTheServersOwn) {
  std::vector<std::string> seen;
  FakeBehaviour behaviour;
  behaviour.drain = [&](const v1::DrainRequest& request) {
    seen.push_back(request.has_timeout() ? std::to_string(request.timeout().seconds()) : "the server's");
  };
  Client client = Connect(behaviour);
  EXPECT_TRUE(client.Drain(std::nullopt).ok());
  EXPECT_TRUE(client.Drain(std::chrono::seconds(0)).ok());
  EXPECT_TRUE(client.Drain(std::chrono::seconds(3)).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"the server's", "0", "3"}));
}

TEST_F(ClientTest, PagesOfTheCatalogueAreJoined) {
  Client client = Connect();
  const auto heuristics = client.ListHeuristics();
  ASSERT_TRUE(heuristics.ok());
  ASSERT_EQ(heuristics->size(), 2u);
  EXPECT_EQ((*heuristics)[1].id, "hamming");
  EXPECT_EQ((*heuristics)[0].params.at(0).max, ParamValue(int64_t{8}));
  EXPECT_EQ(client.ListProblems()->at(0).default_heuristic, "manhattan");
  EXPECT_EQ(client.ListAlgorithms()->at(0).id, "astar");
  EXPECT_EQ(client.GetHeuristic("none").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ClientTest, PluginsAreChangedThroughTheAdminListener) {
  std::vector<std::string> calls;
  FakeBehaviour behaviour;
  behaviour.plugin_change = [&](const std::string& call, const std::string& plugin) {
    calls.push_back(call + " " + plugin);
    return grpc::Status::OK;
  };
  Client client = Connect(behaviour);
  EXPECT_EQ(client.LoadPlugin("x")->generation, 2);
  EXPECT_EQ(client.ReloadPlugin("x")->at(0).id, "x");
  EXPECT_EQ(client.UnloadPlugin("x")->state, PluginState::kUnloaded);
  EXPECT_EQ(calls, (std::vector<std::string>{"load x", "reload x", "unload x"}));
  const auto broken = client.LoadPlugin("broken");
  ASSERT_TRUE(broken.ok()) << "a refused plugin is an answer";
  EXPECT_EQ(broken->error->code, "ABI_TOO_NEW");
  EXPECT_EQ(client.ListPlugins()->size(), 2u);
}

TEST_F(ClientTest, TheCacheIsListedByAllAndChangedThroughTheAdminListener) {
  FakeBehaviour behaviour;
  for (const char* id : {"aa", "bb"}) {
    v1::CacheFile& file = behaviour.cache_files.emplace_back();
    file.set_id(id);
    file.set_state(v1::CACHE_FILE_STATE_DAMAGED);
  }
  Client client = Connect(behaviour);
  const auto files = client.ListCacheFiles();
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 2u) << "pages are joined";
  EXPECT_EQ(files->at(1).id, "bb");
  EXPECT_EQ(client.DeleteCacheFile("aa")->id, "aa");
  EXPECT_EQ(Reason(client.DeleteCacheFile("cc").status()), "UNKNOWN_CACHE_FILE");
  std::vector<std::string> verified;
  const auto each = [&](const CacheFile& file) { verified.push_back(file.id + " " + Name(file.state)); };
  EXPECT_TRUE(client.VerifyCacheFiles({}, each).ok());
  EXPECT_EQ(verified, (std::vector<std::string>{"aa DAMAGED", "bb DAMAGED"}));
  EXPECT_EQ(client.VerifyCacheFiles({"bb", "cc"}, each).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(verified.size(), 3u);
  server_->Kill();
  EXPECT_EQ(Reason(client.VerifyCacheFiles({}, each)), kReasonConnectionLost);
}

TEST_F(ClientTest, HealthIsAsked) {
  Client client = Connect();
  EXPECT_EQ(client.Healthy().value(), true);
  server_->SetServing(false);
  EXPECT_EQ(client.Healthy().value(), false);
  EXPECT_EQ(client.Healthy("no.such.Service").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ClientTest, ServerInfoIsKeptFromConnecting) {
  FakeBehaviour behaviour;
  behaviour.version = "9.8.7";
  Client client = Connect(behaviour);
  EXPECT_EQ(client.server_info().version, "9.8.7");
  EXPECT_EQ(client.GetServerInfo()->version, "9.8.7");
}

TEST_F(ClientTest, PathStepsComeInPages) {
  FakeBehaviour behaviour;
  behaviour.path_steps = [](const v1::ListPathStepsRequest& request, v1::ListPathStepsResponse* response) {
    EXPECT_EQ(request.page_size(), 5);
    EXPECT_TRUE(request.with_states());
    response->add_steps()->set_op_name("UP");
    response->set_total(1);
    return grpc::Status::OK;
  };
  Client client = Connect(behaviour);
  const auto steps = client.ListPathSteps("jobs/fake", "", 5, true);
  ASSERT_TRUE(steps.ok());
  EXPECT_EQ(steps->steps.at(0).op_name, "UP");
  EXPECT_EQ(steps->total, 1);
}

}  // namespace
}  // namespace astrolabe::client
