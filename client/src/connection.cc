#include "client/src/connection.h"

#include <utility>

#include "grpc/grpc.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/channel_arguments.h"

namespace astrolabe::client {
namespace {

ClientOptions Complete(ClientOptions options) {
  if (options.admin_address.empty()) options.admin_address = options.address + ".admin";
  return options;
}

// Taken once and never given back: whoever destroys the last object of gRPC waits for its threads, for 10 s if one of
// them helped with a large message just before.
void KeepGrpc() {
  static const bool kept = [] {
    ::grpc_init();
    return true;
  }();
  static_cast<void>(kept);
}

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address) {
  KeepGrpc();
  grpc::ChannelArguments arguments;
  // A pair with the server's settings: it allows a ping every 10 s.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // A server that has just been started must not be waited for because an earlier one did not answer.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5'000);
  arguments.SetMaxReceiveMessageSize(64 << 20);
  arguments.SetMaxSendMessageSize(-1);
  if (address.starts_with("unix:")) arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

Client::Connection::Connection(ClientOptions client_options)
    : options(Complete(std::move(client_options))),
      channel(MakeChannel(options.address)),
      solver(v1::SolverService::NewStub(channel)),
      catalog(v1::CatalogService::NewStub(channel)),
      plugins(v1::PluginService::NewStub(channel)),
      cache(v1::CacheService::NewStub(channel)),
      server(v1::ServerService::NewStub(channel)) {}

void Client::Connection::MakeAdmin() {
  std::call_once(admin_once_, [this] {
    const auto admin = MakeChannel(options.admin_address);
    admin_plugins_ = v1::PluginService::NewStub(admin);
    admin_cache_ = v1::CacheService::NewStub(admin);
    admin_server_ = v1::ServerService::NewStub(admin);
  });
}

v1::PluginService::Stub* Client::Connection::AdminPlugins() {
  MakeAdmin();
  return admin_plugins_.get();
}

v1::CacheService::Stub* Client::Connection::AdminCache() {
  MakeAdmin();
  return admin_cache_.get();
}

v1::ServerService::Stub* Client::Connection::AdminServer() {
  MakeAdmin();
  return admin_server_.get();
}

}  // namespace astrolabe::client
