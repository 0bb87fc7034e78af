// One gRPC server on one address, with health and reflection.
#ifndef ASTROLABE_DAEMON_SERVER_GRPC_SERVER_H_
#define ASTROLABE_DAEMON_SERVER_GRPC_SERVER_H_

#include <grpcpp/impl/service_type.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"
#include "daemon/server/acceptor.h"

namespace astrolabe::server {

struct NamedService {
  std::string name;  // "astrolabe.v1.SolverService", for health
  grpc::Service* service = nullptr;
};

struct GrpcServerOptions {
  std::string listen;  // "unix:PATH" or "HOST:PORT"
  std::vector<NamedService> services;
  int64_t max_request_bytes = 32ll << 20;
  ConnectionLimit connections = {};
  // Memory for what is being received. When it is used up, gRPC ends calls with RESOURCE_EXHAUSTED, whichever they are.
  // Null: no bound.
  const grpc::ResourceQuota* receive_quota = nullptr;
};

class GrpcServer {
 public:
  // The services outlive it. Health is NOT_SERVING until SetServing(true). kFailedPrecondition when the address
  // cannot be bound.
  static Result<std::unique_ptr<GrpcServer>> Start(const GrpcServerOptions& options);
  ~GrpcServer();

  // Of a TCP address, the port that was bound.
  int port() const { return port_; }
  // Health of every service and of the whole.
  void SetServing(bool serving);
  // No connection is taken any more. Calls in flight are cancelled at the deadline; returns when none is left.
  // Idempotent.
  void Shutdown(std::chrono::system_clock::time_point deadline);

 private:
  using Connections = grpc::experimental::ExternalConnectionAcceptor;
  GrpcServer(std::unique_ptr<grpc::Server> server, std::unique_ptr<Connections> connections, int port)
      : server_(std::move(server)), connections_(std::move(connections)), port_(port) {}

  const std::unique_ptr<grpc::Server> server_;
  const std::unique_ptr<Connections> connections_;
  const int port_;
  std::unique_ptr<Acceptor> acceptor_;
};

// Hands an accepted connection to a server of gRPC. Thread-safe.
void GiveToGrpc(Fd connection, grpc::experimental::ExternalConnectionAcceptor* server);

// Servers started from now on serve channelz as well. It shows the whole process: start the user's server before.
void OfferChannelz();

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_GRPC_SERVER_H_
