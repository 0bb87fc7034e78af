// A deliberate data race in a handler of a gRPC callback server. The thread sanitizer preset must see it
// in spite of its suppressions; the test that runs this program fails when no race is reported.
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "astrolabe/v1/server.grpc.pb.h"

namespace {

int unprotected = 0;  // the planted race

class Racy final : public astrolabe::v1::ServerService::CallbackService {
  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext* context,
                                          const astrolabe::v1::GetServerInfoRequest*,
                                          astrolabe::v1::GetServerInfoResponse* response) override {
    for (int i = 0; i < 100; ++i) ++unprotected;
    response->set_pid(unprotected);
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

}  // namespace

int main() {
  const std::string address = "unix:/tmp/astro-race-" + std::to_string(::getpid());
  Racy service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  std::vector<std::thread> clients;
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&] {
      grpc::ChannelArguments own;
      own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
      auto stub = astrolabe::v1::ServerService::NewStub(
          grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), own));
      for (int i = 0; i < 200; ++i) {
        grpc::ClientContext context;
        astrolabe::v1::GetServerInfoResponse response;
        (void)stub->GetServerInfo(&context, {}, &response);
      }
    });
  }
  for (std::thread& client : clients) client.join();
  server->Shutdown();
}
