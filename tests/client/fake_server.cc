#include "tests/client/fake_server.h"

#include <grpcpp/health_check_service_interface.h>
#include <unistd.h>

#include <utility>

#include "astrolabe/v1/cache.grpc.pb.h"
#include "astrolabe/v1/catalog.grpc.pb.h"
#include "astrolabe/v1/plugin.grpc.pb.h"
#include "astrolabe/v1/server.grpc.pb.h"
#include "astrolabe/v1/solver.grpc.pb.h"

namespace astrolabe::testing {
namespace {

using grpc::ServerContext;
using grpc::Status;

constexpr char kJob[] = "jobs/fake";

template <typename Response>
class Sink : public EventSink {
 public:
  Sink(ServerContext* context, grpc::ServerWriter<Response>* writer) : context_(context), writer_(writer) {}
  bool Write(const v1::Event& event) override {
    Response response;
    *response.mutable_event() = event;
    return writer_->Write(response);
  }
  bool cancelled() const override { return context_->IsCancelled(); }

 private:
  ServerContext* context_;
  grpc::ServerWriter<Response>* writer_;
};

class FakeSolver : public v1::SolverService::Service {
 public:
  explicit FakeSolver(const FakeBehaviour* behaviour) : behaviour_(behaviour) {}

  Status Solve(ServerContext* context, const v1::SolveRequest* request,
               grpc::ServerWriter<v1::SolveResponse>* writer) override {
    Sink<v1::SolveResponse> sink(context, writer);
    if (behaviour_->solve) return behaviour_->solve(*request, sink);
    sink.Write(Accepted());
    sink.Write(ResultEvent(2, SolvedBoard()));
    return Status::OK;
  }
  Status WatchJob(ServerContext* context, const v1::WatchJobRequest* request,
                  grpc::ServerWriter<v1::WatchJobResponse>* writer) override {
    Sink<v1::WatchJobResponse> sink(context, writer);
    if (behaviour_->watch) return behaviour_->watch(*request, sink);
    return NoJob(request->name());
  }
  Status CreateJob(ServerContext*, const v1::CreateJobRequest* request, v1::CreateJobResponse* response) override {
    if (behaviour_->create) return behaviour_->create(*request, response);
    response->mutable_job()->set_name(kJob);
    return Status::OK;
  }
  Status GetJob(ServerContext*, const v1::GetJobRequest* request, v1::GetJobResponse* response) override {
    if (request->name() != kJob) return NoJob(request->name());
    response->mutable_job()->set_name(kJob);
    response->mutable_job()->set_state(v1::JOB_STATE_DONE);
    *response->mutable_job()->mutable_result() = SolvedBoard();
    return Status::OK;
  }
  Status ListJobs(ServerContext*, const v1::ListJobsRequest* request, v1::ListJobsResponse* response) override {
    // Two pages.
    v1::Job* job = response->add_jobs();
    job->set_name(request->page_token().empty() ? kJob : "jobs/other");
    job->set_state(v1::JOB_STATE_SEARCHING);
    job->mutable_spec()->set_problem("sliding_tile");
    if (request->page_token().empty()) response->set_next_page_token("more");
    return Status::OK;
  }
  Status CancelJob(ServerContext*, const v1::CancelJobRequest* request, v1::CancelJobResponse* response) override {
    if (behaviour_->cancel) behaviour_->cancel(request->name());
    response->mutable_job()->set_name(request->name());
    return Status::OK;
  }
  Status DeleteJob(ServerContext*, const v1::DeleteJobRequest* request, v1::DeleteJobResponse*) override {
    return request->name() == kJob ? Status::OK : NoJob(request->name());
  }
  Status ListPathSteps(ServerContext*, const v1::ListPathStepsRequest* request,
                       v1::ListPathStepsResponse* response) override {
    if (behaviour_->path_steps) return behaviour_->path_steps(*request, response);
    return NoJob(request->name());
  }
  Status ReadContent(ServerContext*, const v1::ReadContentRequest* request,
                     grpc::ServerWriter<v1::ReadContentResponse>* writer) override {
    if (!behaviour_->content) return NoJob(request->name());
    for (const std::string& chunk : behaviour_->content(*request)) {
      v1::ReadContentResponse response;
      response.set_chunk(chunk);
      if (!writer->Write(response)) return Status::CANCELLED;
    }
    return Status::OK;
  }
  Status ValidatePath(ServerContext*, grpc::ServerReader<v1::ValidatePathRequest>* reader,
                      v1::ValidatePathResponse* response) override {
    v1::ValidatePathRequest request;
    while (reader->Read(&request)) {
      if (behaviour_->path_piece && !behaviour_->path_piece(request)) break;
    }
    *response = behaviour_->checked_path;
    return behaviour_->path_status;
  }
  Status EvaluateStates(ServerContext*, const v1::EvaluateStatesRequest* request,
                        v1::EvaluateStatesResponse* response) override {
    if (behaviour_->evaluate) return behaviour_->evaluate(*request, response);
    response->add_evaluations()->set_state("0 1 3\n4 2 5\n7 8 6");
    return Status::OK;
  }
  Status ValidateInstance(ServerContext*, const v1::ValidateInstanceRequest* request,
                          v1::ValidateInstanceResponse* response) override {
    if (behaviour_->validate) return behaviour_->validate(*request, response);
    response->set_size("3 x 3 board, 8 tiles");
    response->set_solvable(v1::SOLVABLE_YES);
    return Status::OK;
  }

 private:
  static Status NoJob(const std::string& name) {
    return RichError(grpc::StatusCode::NOT_FOUND, "there is no job " + name, "UNKNOWN_JOB");
  }
  const FakeBehaviour* behaviour_;
};

v1::ProblemInfo Problem() {
  v1::ProblemInfo info;
  info.set_id("sliding_tile");
  info.set_summary("Sliding tiles");
  info.set_instance_syntax("N, then N rows");
  info.set_default_algorithm("astar");
  info.set_default_heuristic("manhattan");
  v1::ParamSpec* goal = info.add_params();
  goal->set_name("goal");
  goal->set_type(v1::PARAM_TYPE_STRING);
  return info;
}

v1::HeuristicInfo Heuristic(const std::string& id) {
  v1::HeuristicInfo info;
  info.set_id(id);
  info.set_summary("Heuristic " + id);
  info.set_problem("sliding_tile");
  info.set_admissible(true);
  v1::ParamSpec* size = info.add_params();
  size->set_name("size");
  size->set_type(v1::PARAM_TYPE_INT);
  size->mutable_min()->set_int_value(1);
  size->mutable_max()->set_int_value(8);
  return info;
}

class FakeCatalog : public v1::CatalogService::Service {
 public:
  Status ListProblems(ServerContext*, const v1::ListProblemsRequest*, v1::ListProblemsResponse* response) override {
    *response->add_problems() = Problem();
    return Status::OK;
  }
  Status ListHeuristics(ServerContext*, const v1::ListHeuristicsRequest* request,
                        v1::ListHeuristicsResponse* response) override {
    *response->add_heuristics() = Heuristic(request->page_token().empty() ? "manhattan" : "hamming");
    if (request->page_token().empty()) response->set_next_page_token("more");
    return Status::OK;
  }
  Status ListAlgorithms(ServerContext*, const v1::ListAlgorithmsRequest*,
                        v1::ListAlgorithmsResponse* response) override {
    response->add_algorithms()->set_id("astar");
    return Status::OK;
  }
  Status GetProblem(ServerContext*, const v1::GetProblemRequest* request, v1::GetProblemResponse* response) override {
    if (request->id() != "sliding_tile") return None(request->id());
    *response->mutable_problem() = Problem();
    return Status::OK;
  }
  Status GetHeuristic(ServerContext*, const v1::GetHeuristicRequest* request,
                      v1::GetHeuristicResponse* response) override {
    if (request->id() != "manhattan" && request->id() != "hamming") return None(request->id());
    *response->mutable_heuristic() = Heuristic(request->id());
    return Status::OK;
  }
  Status GetAlgorithm(ServerContext*, const v1::GetAlgorithmRequest* request,
                      v1::GetAlgorithmResponse* response) override {
    if (request->id() != "astar") return None(request->id());
    response->mutable_algorithm()->set_id("astar");
    return Status::OK;
  }

 private:
  static Status None(const std::string& id) {
    return RichError(grpc::StatusCode::NOT_FOUND, "there is no \"" + id + "\"", "UNKNOWN");
  }
};

class FakePlugins : public v1::PluginService::Service {
 public:
  FakePlugins(const FakeBehaviour* behaviour, bool admin) : behaviour_(behaviour), admin_(admin) {}

  Status ListPlugins(ServerContext*, const v1::ListPluginsRequest*, v1::ListPluginsResponse* response) override {
    *response->add_plugins() = Ready("org.astrolabe.manhattan");
    *response->add_plugins() = Broken();
    return Status::OK;
  }
  Status GetPlugin(ServerContext*, const v1::GetPluginRequest* request, v1::GetPluginResponse* response) override {
    *response->mutable_plugin() = Ready(request->id());
    return Status::OK;
  }
  Status LoadPlugin(ServerContext*, const v1::LoadPluginRequest* request, v1::LoadPluginResponse* response) override {
    *response->mutable_plugin() = request->name() == "broken" ? Broken() : Ready(request->name());
    return Change("load", request->name());
  }
  Status ReloadPlugin(ServerContext*, const v1::ReloadPluginRequest* request,
                      v1::ReloadPluginResponse* response) override {
    *response->add_plugins() = Ready(request->name());
    return Change("reload", request->name());
  }
  Status UnloadPlugin(ServerContext*, const v1::UnloadPluginRequest* request,
                      v1::UnloadPluginResponse* response) override {
    response->mutable_plugin()->set_id(request->name());
    response->mutable_plugin()->set_state(v1::PLUGIN_STATE_UNLOADED);
    return Change("unload", request->name());
  }

 private:
  static v1::Plugin Ready(const std::string& id) {
    v1::Plugin plugin;
    plugin.set_id(id);
    plugin.set_version("1.0");
    plugin.set_state(v1::PLUGIN_STATE_READY);
    plugin.set_generation(2);
    plugin.add_heuristics("manhattan");
    return plugin;
  }
  static v1::Plugin Broken() {
    v1::Plugin plugin;
    plugin.set_id("broken.so");
    plugin.set_state(v1::PLUGIN_STATE_FAILED);
    plugin.mutable_error()->set_code(v1::LOAD_CODE_ABI_TOO_NEW);
    plugin.mutable_error()->set_stage("manifest");
    plugin.mutable_error()->set_message("it is written for a newer Astrolabe");
    plugin.mutable_error()->set_expected("ABI 1");
    plugin.mutable_error()->set_found("ABI 2");
    return plugin;
  }
  Status Change(const std::string& call, const std::string& plugin) {
    if (!admin_) return RichError(grpc::StatusCode::PERMISSION_DENIED, "only for admins", "ADMIN_ONLY");
    return behaviour_->plugin_change ? behaviour_->plugin_change(call, plugin) : Status::OK;
  }
  const FakeBehaviour* behaviour_;
  const bool admin_;
};

// The files of the behaviour, in pages of one.
class FakeCache : public v1::CacheService::Service {
 public:
  FakeCache(const FakeBehaviour* behaviour, bool admin) : behaviour_(behaviour), admin_(admin) {}

  Status ListCacheFiles(ServerContext*, const v1::ListCacheFilesRequest* request,
                        v1::ListCacheFilesResponse* response) override {
    const size_t at = request->page_token().empty() ? 0 : std::stoul(request->page_token());
    if (at < behaviour_->cache_files.size()) *response->add_files() = behaviour_->cache_files[at];
    if (at + 1 < behaviour_->cache_files.size()) response->set_next_page_token(std::to_string(at + 1));
    return Status::OK;
  }
  Status DeleteCacheFile(ServerContext*, const v1::DeleteCacheFileRequest* request,
                         v1::DeleteCacheFileResponse* response) override {
    if (!admin_) return RichError(grpc::StatusCode::PERMISSION_DENIED, "only for admins", "ADMIN_ONLY");
    const v1::CacheFile* file = Find(request->id());
    if (file == nullptr) return NoFile(request->id());
    *response->mutable_file() = *file;
    return Status::OK;
  }
  Status VerifyCacheFiles(ServerContext*, const v1::VerifyCacheFilesRequest* request,
                          grpc::ServerWriter<v1::VerifyCacheFilesResponse>* writer) override {
    if (!admin_) return RichError(grpc::StatusCode::PERMISSION_DENIED, "only for admins", "ADMIN_ONLY");
    std::vector<std::string> ids(request->ids().begin(), request->ids().end());
    if (ids.empty()) {
      for (const v1::CacheFile& file : behaviour_->cache_files) ids.push_back(file.id());
    }
    for (const std::string& id : ids) {
      const v1::CacheFile* file = Find(id);
      if (file == nullptr) return NoFile(id);
      v1::VerifyCacheFilesResponse response;
      *response.mutable_file() = *file;
      writer->Write(response);
    }
    return Status::OK;
  }

 private:
  const v1::CacheFile* Find(const std::string& id) const {
    for (const v1::CacheFile& file : behaviour_->cache_files) {
      if (file.id() == id) return &file;
    }
    return nullptr;
  }
  static Status NoFile(const std::string& id) {
    return RichError(grpc::StatusCode::NOT_FOUND, "there is no cache file " + id, "UNKNOWN_CACHE_FILE");
  }
  const FakeBehaviour* behaviour_;
  const bool admin_;
};

class FakeInfo : public v1::ServerService::Service {
 public:
  explicit FakeInfo(const FakeBehaviour* behaviour) : behaviour_(behaviour) {}
  Status GetServerInfo(ServerContext*, const v1::GetServerInfoRequest*, v1::GetServerInfoResponse* response) override {
    response->set_version(behaviour_->version);
    response->set_max_request_bytes(behaviour_->max_request_bytes);
    response->mutable_load()->set_running(behaviour_->running_jobs);
    response->set_draining(behaviour_->draining);
    response->set_pid(behaviour_->pid != 0 ? behaviour_->pid : getpid());
    return Status::OK;
  }
  Status Drain(ServerContext*, const v1::DrainRequest* request, v1::DrainResponse*) override {
    if (!behaviour_->drain) return RichError(grpc::StatusCode::PERMISSION_DENIED, "only for admins", "ADMIN_ONLY");
    behaviour_->drain(*request);
    return Status::OK;
  }

 private:
  const FakeBehaviour* behaviour_;
};

}  // namespace

class FakeServer::Services {
 public:
  explicit Services(FakeBehaviour b)
      : behaviour(std::move(b)),
        solver(&behaviour),
        plugins(&behaviour, false),
        admin_plugins(&behaviour, true),
        cache(&behaviour, false),
        admin_cache(&behaviour, true),
        info(&behaviour) {}
  const FakeBehaviour behaviour;
  FakeSolver solver;
  FakeCatalog catalog;
  FakePlugins plugins;
  FakePlugins admin_plugins;
  FakeCache cache;
  FakeCache admin_cache;
  FakeInfo info;
};

FakeServer::FakeServer(const std::string& socket, FakeBehaviour behaviour)
    : socket_(socket), services_(std::make_unique<Services>(std::move(behaviour))) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder user;
  user.AddListeningPort("unix:" + socket, grpc::InsecureServerCredentials());
  user.SetMaxReceiveMessageSize(64 << 20);
  // gRPC's threads look for work to end only so often; by default that makes a shutdown last 10 s.
  user.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::CQ_TIMEOUT_MSEC, 50);
  user.RegisterService(&services_->solver);
  user.RegisterService(&services_->catalog);
  user.RegisterService(&services_->plugins);
  user.RegisterService(&services_->cache);
  user.RegisterService(&services_->info);
  user_ = user.BuildAndStart();
  grpc::ServerBuilder admin;
  admin.AddListeningPort("unix:" + socket + ".admin", grpc::InsecureServerCredentials());
  admin.RegisterService(&services_->admin_plugins);
  admin.RegisterService(&services_->admin_cache);
  admin.RegisterService(&services_->info);
  admin.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::CQ_TIMEOUT_MSEC, 50);
  admin_ = admin.BuildAndStart();
}

FakeServer::~FakeServer() { Kill(); }

void FakeServer::SetServing(bool serving) { user_->GetHealthCheckService()->SetServingStatus(serving); }

void FakeServer::Kill() {
  user_->Shutdown(std::chrono::system_clock::now());
  admin_->Shutdown(std::chrono::system_clock::now());
}

v1::Event MakeEvent(int64_t sequence) {
  v1::Event event;
  event.set_job(kJob);
  event.set_sequence(sequence);
  event.mutable_elapsed()->set_nanos(1'000'000);
  return event;
}

v1::Event Accepted() {
  v1::Event event = MakeEvent(1);
  event.mutable_accepted()->mutable_algorithm()->set_id("astar");
  return event;
}

v1::Event ProgressEvent(int64_t expanded) {
  v1::Event event = MakeEvent(0);
  event.mutable_progress()->set_expanded(expanded);
  event.mutable_progress()->set_generated(3 * expanded);
  event.mutable_progress()->set_best_h(-1);
  return event;
}

v1::Event Nodes(int64_t sequence, int64_t first_ordinal, int count) {
  v1::Event event = MakeEvent(sequence);
  v1::NodeBatch* batch = event.mutable_nodes();
  batch->set_first_ordinal(first_ordinal);
  batch->set_count(count);
  batch->set_seen(first_ordinal + count);
  for (int i = 0; i < count; ++i) {
    v1::NodeEvent* node = batch->add_nodes();
    node->set_kind(v1::NODE_KIND_EXPANDING);
    node->set_node(1000 + first_ordinal + i);
    node->set_parent(i == 0 ? 0 : 999 + first_ordinal + i);
    node->set_g(first_ordinal + i);
    node->set_h(5);
    node->set_state(std::string("\x01\x00\xff", 3) + static_cast<char>(i));
    node->set_text("1 2\n3 0");
  }
  return event;
}

v1::Event ResultEvent(int64_t sequence, const v1::Result& result) {
  v1::Event event = MakeEvent(sequence);
  *event.mutable_result() = result;
  return event;
}

v1::Result SolvedBoard() {
  v1::Result result;
  result.set_outcome(v1::OUTCOME_SOLVED);
  result.set_proof(v1::PROOF_OPTIMAL);
  result.set_cost(4);
  result.set_lower_bound(4);
  result.set_cost_scale(1);
  result.set_verified(true);
  v1::Path* path = result.mutable_path();
  path->set_length(4);
  for (const char* word : {"RIGHT", "DOWN", "RIGHT", "DOWN"}) path->add_op_names(word);
  for (const uint32_t op : {3, 5, 19, 21}) path->add_ops(op);
  for (const char* state : {"0 1 3\n4 2 5\n7 8 6", "1 0 3\n4 2 5\n7 8 6", "1 2 3\n4 0 5\n7 8 6", "1 2 3\n4 5 0\n7 8 6",
                            "1 2 3\n4 5 6\n7 8 0"}) {
    path->add_states(state);
  }
  result.mutable_statistics()->set_expanded(5);
  result.mutable_statistics()->set_generated(12);
  result.mutable_provenance()->set_algorithm("astar");
  result.mutable_provenance()->add_heuristics("manhattan");
  result.mutable_provenance()->set_tier(v1::ENGINE_TIER_GENERIC);
  return result;
}

grpc::Status RichError(grpc::StatusCode code, const std::string& message, const std::string& reason,
                       const std::vector<std::pair<std::string, std::string>>& violations, int retry_seconds) {
  rpc::v1::Status details;
  details.set_code(code);
  details.set_message(message);
  const auto add = [&](const char* name, const google::protobuf::Message& detail) {
    google::protobuf::Any* any = details.add_details();
    any->set_type_url(std::string("type.googleapis.com/google.rpc.") + name);
    any->set_value(detail.SerializeAsString());
  };
  rpc::v1::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain("astrolabe");
  (*info.mutable_metadata())["from"] = "fake";
  add("ErrorInfo", info);
  rpc::v1::BadRequest bad_request;
  for (const auto& [field, description] : violations) {
    auto* violation = bad_request.add_field_violations();
    violation->set_field(field);
    violation->set_description(description);
  }
  if (!violations.empty()) add("BadRequest", bad_request);
  rpc::v1::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(retry_seconds);
  if (retry_seconds > 0) add("RetryInfo", retry);
  return grpc::Status(code, message, details.SerializeAsString());
}

}  // namespace astrolabe::testing
