#include "daemon/server/grpc_server.h"

#include <grpcpp/ext/channelz_service_plugin.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include <mutex>
#include <utility>

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
  // Two daemons on one port must be an error, not a lottery.
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
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
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(options.listen, grpc::InsecureServerCredentials(), &port);
  SetArguments(options, &builder);
  for (const NamedService& service : options.services) builder.RegisterService(service.service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0) {
    return MakeError(ErrorCode::kFailedPrecondition, "ADDRESS_UNUSABLE",
                     "cannot listen at " + options.listen + ": another program has this address, or it is not ours");
  }
  std::unique_ptr<GrpcServer> out(new GrpcServer(std::move(server), port));
  grpc::HealthCheckServiceInterface* health = out->server_->GetHealthCheckService();
  for (const NamedService& service : options.services) health->SetServingStatus(service.name, false);
  out->SetServing(false);
  return out;
}

GrpcServer::~GrpcServer() { Shutdown(std::chrono::system_clock::now()); }

void GrpcServer::SetServing(bool serving) { server_->GetHealthCheckService()->SetServingStatus(serving); }

void GrpcServer::Shutdown(std::chrono::system_clock::time_point deadline) { server_->Shutdown(deadline); }

void OfferChannelz() {
  static std::once_flag once;
  std::call_once(once, [] { grpc::channelz::experimental::InitChannelzService(); });
}

}  // namespace astrolabe::server
