// Answers every call of the connections it is given with one error, and closes them soon. For clients for which there
// is no room: a connection that was merely closed would not tell them why.
#ifndef ASTROLABE_DAEMON_SERVER_REFUSING_SERVER_H_
#define ASTROLABE_DAEMON_SERVER_REFUSING_SERVER_H_

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <memory>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"

namespace astrolabe::server {

class RefusingServer {
 public:
  static Result<std::unique_ptr<RefusingServer>> Start(const Error& error);
  ~RefusingServer();

  // Thread-safe.
  void Take(Fd connection);

 private:
  class Refusal;
  explicit RefusingServer(const Error& error);

  const std::unique_ptr<grpc::CallbackGenericService> service_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_REFUSING_SERVER_H_
