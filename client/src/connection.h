// What all copies of a Client, and its streams, share.
#ifndef ASTROLABE_CLIENT_SRC_CONNECTION_H_
#define ASTROLABE_CLIENT_SRC_CONNECTION_H_

#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "astrolabe/client/client.h"
#include "astrolabe/v1/cache.grpc.pb.h"
#include "astrolabe/v1/catalog.grpc.pb.h"
#include "astrolabe/v1/plugin.grpc.pb.h"
#include "astrolabe/v1/server.grpc.pb.h"
#include "astrolabe/v1/solver.grpc.pb.h"
#include "client/src/status.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"

namespace astrolabe::client {

struct Client::Connection {
  explicit Connection(ClientOptions client_options);

  // Thread-safe; made when first used: few clients change anything.
  v1::PluginService::Stub* AdminPlugins();
  v1::CacheService::Stub* AdminCache();
  v1::ServerService::Stub* AdminServer();

  CallSite site() const { return {options.address, options.timeout}; }
  CallSite admin_site() const { return {options.admin_address, options.timeout}; }

  // One call with the deadline of the options.
  template <typename Stub, typename Request, typename Response>
  absl::Status Call(const CallSite& where, Stub* stub,
                    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response* response) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + where.timeout);
    return FromGrpc((stub->*method)(&context, request, response), where);
  }

  const ClientOptions options;
  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<v1::SolverService::Stub> solver;
  const std::unique_ptr<v1::CatalogService::Stub> catalog;
  const std::unique_ptr<v1::PluginService::Stub> plugins;
  const std::unique_ptr<v1::CacheService::Stub> cache;
  const std::unique_ptr<v1::ServerService::Stub> server;
  ServerInfo info;  // set by Connect, constant after it

 private:
  std::once_flag admin_once_;
  std::unique_ptr<v1::PluginService::Stub> admin_plugins_;
  std::unique_ptr<v1::CacheService::Stub> admin_cache_;
  std::unique_ptr<v1::ServerService::Stub> admin_server_;
  void MakeAdmin();
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONNECTION_H_
