#include "daemon/server/refusing_server.h"

#include <grpcpp/security/server_credentials.h>

#include <chrono>
#include <utility>

#include "daemon/server/error_status.h"
#include "daemon/server/grpc_server.h"
#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {
namespace {

// A client that says nothing, or stays after its answer, must not keep others from getting theirs.
constexpr int kHandshakeMs = 1000;
constexpr int kMaxAgeMs = 500;
constexpr int kMaxAgeGraceMs = 100;

class RefusedCall final : public grpc::ServerGenericBidiReactor {
 public:
  explicit RefusedCall(const grpc::Status& status) {
    const TsanHandOver hand_over(this);
    Finish(status);
  }
  void OnDone() override {
    TsanAcquire(this);
    delete this;
  }
};

}  // namespace

class RefusingServer::Refusal final : public grpc::CallbackGenericService {
 public:
  explicit Refusal(grpc::Status status) : status_(std::move(status)) {}
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext*) override {
    return new RefusedCall(status_);
  }

 private:
  const grpc::Status status_;
};

RefusingServer::RefusingServer(const Error& error) : service_(std::make_unique<Refusal>(ToGrpcStatus(error))) {
  grpc::ServerBuilder builder;
  builder.RegisterCallbackGenericService(service_.get());
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, kMaxAgeMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, kMaxAgeGraceMs);
  // Not for its calls: for reflection, which every server of this process has.
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MAX_POLLERS, 1);
  connections_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, grpc::InsecureServerCredentials());
  server_ = builder.BuildAndStart();
}

Result<std::unique_ptr<RefusingServer>> RefusingServer::Start(const Error& error) {
  std::unique_ptr<RefusingServer> out(new RefusingServer(error));
  if (out->server_ != nullptr) return out;
  return MakeError(ErrorCode::kFailedPrecondition, "GRPC", "gRPC does not start");
}

RefusingServer::~RefusingServer() {
  if (server_) server_->Shutdown(std::chrono::system_clock::now());
}

void RefusingServer::Take(Fd connection) { GiveToGrpc(std::move(connection), connections_.get()); }

}  // namespace astrolabe::server
