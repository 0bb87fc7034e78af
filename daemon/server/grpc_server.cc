#include "daemon/server/grpc_server.h"

#include <grpcpp/ext/channelz_service_plugin.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>

#include <mutex>
#include <utility>

#include "daemon/server/listening_socket.h"

namespace astrolabe::server {
namespace {

constexpr int kMinPingIntervalMs = 10'000;

void InitGrpcOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  });
}

void SetArguments(const GrpcServerOptions& options, grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(static_cast<int>(options.max_request_bytes));
  if (options.receive_quota != nullptr) builder->SetResourceQuota(*options.receive_quota);
  // The server's half of the keepalive pair: clients ping every 30 s, calls or not.
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kMinPingIntervalMs);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  // Reflection and channelz alone are synchronous: a thread or two are enough for them.
  builder->SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
  builder->SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MIN_POLLERS, 1);
  builder->SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MAX_POLLERS, 2);
}

}  // namespace

Result<std::unique_ptr<GrpcServer>> GrpcServer::Start(const GrpcServerOptions& options) {
  InitGrpcOnce();
  Result<Listening> listening = Listen(options.listen);
  if (!listening.ok()) return std::move(listening).error();
  grpc::ServerBuilder builder;
  std::unique_ptr<Connections> connections = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, grpc::InsecureServerCredentials());
  SetArguments(options, &builder);
  for (const NamedService& service : options.services) builder.RegisterService(service.service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    return MakeError(ErrorCode::kFailedPrecondition, "GRPC", "gRPC does not start at " + options.listen);
  }
  std::unique_ptr<GrpcServer> out(new GrpcServer(std::move(server), std::move(connections), listening->port));
  grpc::HealthCheckServiceInterface* health = out->server_->GetHealthCheckService();
  for (const NamedService& service : options.services) health->SetServingStatus(service.name, false);
  out->SetServing(false);
  out->acceptor_ = std::make_unique<Acceptor>(
      std::move(listening->sockets), options.connections,
      [to = out->connections_.get()](Fd connection) { GiveToGrpc(std::move(connection), to); });
  return out;
}

GrpcServer::~GrpcServer() { Shutdown(std::chrono::system_clock::now()); }

void GrpcServer::SetServing(bool serving) { server_->GetHealthCheckService()->SetServingStatus(serving); }

void GrpcServer::Shutdown(std::chrono::system_clock::time_point deadline) {
  acceptor_.reset();
  server_->Shutdown(deadline);
}

void GiveToGrpc(Fd connection, grpc::experimental::ExternalConnectionAcceptor* server) {
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters parameters;
  parameters.fd = connection.Release();
  server->HandleNewConnection(&parameters);
}

void OfferChannelz() {
  static std::once_flag once;
  std::call_once(once, [] { grpc::channelz::experimental::InitChannelzService(); });
}

}  // namespace astrolabe::server
