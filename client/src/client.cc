#include "astrolabe/client/client.h"

#include <utility>

#include "astrolabe/client/errors.h"
#include "client/src/check_request.h"
#include "client/src/connection.h"
#include "client/src/convert_common.h"
#include "client/src/convert_evaluate.h"
#include "client/src/convert_event.h"
#include "client/src/convert_server.h"
#include "client/src/convert_spec.h"
#include "client/src/health.h"
#include "client/src/stream_impl.h"

namespace astrolabe::client {
namespace {

using Solver = v1::SolverService::Stub;
using Plugins = v1::PluginService::Stub;
using Server = v1::ServerService::Stub;

constexpr std::chrono::hours kLongestDrain{24};

}  // namespace

Client::Client(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

const std::string& Client::address() const { return connection_->options.address; }
const ServerInfo& Client::server_info() const { return connection_->info; }

absl::StatusOr<Client> Client::Connect(const ClientOptions& options) {
  if (options.address.empty()) {
    return MakeStatus(absl::StatusCode::kInvalidArgument, "NO_ADDRESS",
                      "no server address; expected unix:PATH or HOST:PORT");
  }
  Client client(std::make_shared<Connection>(options));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + options.timeout);
  v1::GetServerInfoResponse response;
  const grpc::Status status =
      client.connection_->server->GetServerInfo(&context, v1::GetServerInfoRequest(), &response);
  if (status.ok()) {
    client.connection_->info = FromProto(response);
    return client;
  }
  const absl::Status told = FromGrpc(status, client.connection_->site());
  const std::string reason = Reason(told);
  if (reason != kReasonConnectionLost && reason != kReasonTimeout) return told;
  return MakeStatus(absl::StatusCode::kUnavailable, kReasonCannotConnect,
                    "cannot connect to the server at " + options.address + ": " +
                        (reason == kReasonTimeout ? std::string(told.message()) : status.error_message()));
}

absl::StatusOr<EventStream> Client::Solve(const SolveRequest& request) {
  if (const absl::Status text = CheckText(request.spec); !text.ok()) return text;
  v1::SolveRequest proto;
  ToProto(request.spec, proto.mutable_spec());
  ToProto(request.watch, proto.mutable_watch());
  if (request.detach) proto.set_disconnect_policy(v1::DISCONNECT_POLICY_DETACH);
  if (const absl::Status size = CheckSize(proto.ByteSizeLong(), connection_->info.max_request_bytes); !size.ok()) {
    return size;
  }
  auto impl =
      std::make_unique<EventStream::Impl>(connection_, "/astrolabe.v1.SolverService/Solve", proto, request.deadline);
  if (const absl::Status first = impl->ReadFirst(); !first.ok()) return first;
  return EventStream(std::move(impl));
}

absl::StatusOr<EventStream> Client::WatchJob(const std::string& name, int64_t from_sequence,
                                             const WatchOptions& options) {
  v1::WatchJobRequest proto;
  proto.set_name(name);
  proto.set_from_sequence(from_sequence);
  ToProto(options, proto.mutable_watch());
  auto impl = std::make_unique<EventStream::Impl>(connection_, "/astrolabe.v1.SolverService/WatchJob", proto,
                                                  std::chrono::milliseconds(0));
  if (const absl::Status first = impl->ReadFirst(); !first.ok()) return first;
  return EventStream(std::move(impl));
}

absl::StatusOr<Job> Client::CreateJob(const CreateJobRequest& request) {
  if (const absl::Status text = CheckText(request.spec); !text.ok()) return text;
  v1::CreateJobRequest proto;
  ToProto(request.spec, proto.mutable_spec());
  proto.set_request_id(request.request_id);
  proto.set_validate_only(request.validate_only);
  if (const absl::Status size = CheckSize(proto.ByteSizeLong(), connection_->info.max_request_bytes); !size.ok()) {
    return size;
  }
  v1::CreateJobResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->solver.get(), &Solver::CreateJob, proto, &response);
  if (!status.ok()) return status;
  return FromProto(response.job());
}

absl::StatusOr<Job> Client::GetJob(const std::string& name) {
  v1::GetJobRequest request;
  request.set_name(name);
  v1::GetJobResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->solver.get(), &Solver::GetJob, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.job());
}

absl::StatusOr<JobPage> Client::ListJobs(const ListJobsRequest& request) {
  v1::ListJobsRequest proto;
  proto.set_page_size(request.page_size);
  proto.set_page_token(request.page_token);
  for (const JobState state : request.states) proto.add_states(static_cast<v1::JobState>(state));
  proto.mutable_labels()->insert(request.labels.begin(), request.labels.end());
  v1::ListJobsResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->solver.get(), &Solver::ListJobs, proto, &response);
  if (!status.ok()) return status;
  return JobPage{FromRepeated<Job>(response.jobs(), FromProto), response.next_page_token()};
}

absl::StatusOr<Job> Client::CancelJob(const std::string& name) {
  v1::CancelJobRequest request;
  request.set_name(name);
  v1::CancelJobResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->solver.get(), &Solver::CancelJob, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.job());
}

absl::Status Client::DeleteJob(const std::string& name) {
  v1::DeleteJobRequest request;
  request.set_name(name);
  v1::DeleteJobResponse response;
  return connection_->Call(connection_->site(), connection_->solver.get(), &Solver::DeleteJob, request, &response);
}

absl::StatusOr<Job> Client::UpdateJob(const std::string& name, const JobUpdate& update) {
  v1::UpdateJobRequest request;
  request.set_name(name);
  ToProto(update.limits, request.mutable_limits());
  if (update.priority) request.set_priority(*update.priority);
  v1::UpdateJobResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->solver.get(), &Solver::UpdateJob, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.job());
}

absl::StatusOr<PathSteps> Client::ListPathSteps(const std::string& name, const std::string& page_token,
                                                int32_t page_size, bool with_states) {
  v1::ListPathStepsRequest request;
  request.set_name(name);
  request.set_page_token(page_token);
  request.set_page_size(page_size);
  request.set_with_states(with_states);
  v1::ListPathStepsResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->solver.get(), &Solver::ListPathSteps, request, &response);
  if (!status.ok()) return status;
  return FromProto(response);
}

absl::StatusOr<CheckedInstance> Client::ValidateInstance(const InstanceRef& instance) {
  if (const absl::Status text = CheckText(instance); !text.ok()) return text;
  v1::ValidateInstanceRequest request;
  ToProto(instance, request.mutable_instance());
  if (const absl::Status size = CheckSize(request.ByteSizeLong(), connection_->info.max_request_bytes); !size.ok()) {
    return size;
  }
  v1::ValidateInstanceResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->solver.get(), &Solver::ValidateInstance, request, &response);
  if (!status.ok()) return status;
  return FromProto(response);
}

absl::StatusOr<Evaluations> Client::EvaluateStates(const EvaluateRequest& request) {
  if (const absl::Status text = CheckText(request); !text.ok()) return text;
  v1::EvaluateStatesRequest proto;
  ToProto(request, &proto);
  if (const absl::Status size = CheckSize(proto.ByteSizeLong(), connection_->info.max_request_bytes); !size.ok()) {
    return size;
  }
  v1::EvaluateStatesResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->solver.get(), &Solver::EvaluateStates, proto, &response);
  if (!status.ok()) return status;
  return FromProto(response);
}

absl::StatusOr<std::vector<Plugin>> Client::ListPlugins() {
  std::vector<Plugin> plugins;
  v1::ListPluginsRequest request;
  do {
    v1::ListPluginsResponse response;
    const absl::Status status =
        connection_->Call(connection_->site(), connection_->plugins.get(), &Plugins::ListPlugins, request, &response);
    if (!status.ok()) return status;
    for (const v1::Plugin& plugin : response.plugins()) plugins.push_back(FromProto(plugin));
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return plugins;
}

absl::StatusOr<Plugin> Client::GetPlugin(const std::string& id) {
  v1::GetPluginRequest request;
  request.set_id(id);
  v1::GetPluginResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->plugins.get(), &Plugins::GetPlugin, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.plugin());
}

absl::StatusOr<Plugin> Client::LoadPlugin(const std::string& name) {
  v1::LoadPluginRequest request;
  request.set_name(name);
  v1::LoadPluginResponse response;
  const absl::Status status = connection_->Call(connection_->admin_site(), connection_->AdminPlugins(),
                                                &Plugins::LoadPlugin, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.plugin());
}

absl::StatusOr<std::vector<Plugin>> Client::ReloadPlugin(const std::string& name) {
  v1::ReloadPluginRequest request;
  request.set_name(name);
  v1::ReloadPluginResponse response;
  const absl::Status status = connection_->Call(connection_->admin_site(), connection_->AdminPlugins(),
                                                &Plugins::ReloadPlugin, request, &response);
  if (!status.ok()) return status;
  return FromRepeated<Plugin>(response.plugins(), FromProto);
}

absl::StatusOr<Plugin> Client::UnloadPlugin(const std::string& name) {
  v1::UnloadPluginRequest request;
  request.set_name(name);
  v1::UnloadPluginResponse response;
  const absl::Status status = connection_->Call(connection_->admin_site(), connection_->AdminPlugins(),
                                                &Plugins::UnloadPlugin, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.plugin());
}

absl::StatusOr<ServerInfo> Client::GetServerInfo() {
  v1::GetServerInfoResponse response;
  const absl::Status status = connection_->Call(connection_->site(), connection_->server.get(), &Server::GetServerInfo,
                                                v1::GetServerInfoRequest(), &response);
  if (!status.ok()) return status;
  return FromProto(response);
}

absl::Status Client::Drain(std::optional<std::chrono::milliseconds> timeout) {
  v1::DrainRequest request;
  if (timeout) ToProto(*timeout, request.mutable_timeout());
  v1::DrainResponse response;
  // The answer comes when the running jobs are done.
  CallSite site = connection_->admin_site();
  // Unset: only the server knows its time. A connection that is lost is noticed all the same.
  site.timeout += timeout.value_or(kLongestDrain);
  return connection_->Call(site, connection_->AdminServer(), &Server::Drain, request, &response);
}

absl::StatusOr<bool> Client::Healthy(const std::string& service) {
  return CheckHealth(connection_->channel.get(), connection_->site(), service);
}

}  // namespace astrolabe::client
