#include "daemon/server/server_service.h"

#include <grpcpp/generic/generic_stub.h>
#include <unistd.h>

#include <set>

#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

// grpc.health.v1 by hand: field 1 of the request is the service, field 1 of the answer the status.
std::string Health(const std::shared_ptr<grpc::Channel>& channel, const std::string& service) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  std::string message;
  if (!service.empty()) message = std::string("\x0a") + static_cast<char>(service.size()) + service;
  const grpc::Slice slice(message);
  const grpc::ByteBuffer request(&slice, 1);
  const auto call = stub.PrepareUnaryCall(&context, "/grpc.health.v1.Health/Check", request, &queue);
  grpc::ByteBuffer response;
  grpc::Status status;
  call->StartCall();
  call->Finish(&response, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  if (!status.ok()) return std::to_string(status.error_code());
  std::vector<grpc::Slice> slices;
  EXPECT_TRUE(response.Dump(&slices).ok());
  std::string bytes;
  for (const auto& s : slices) bytes.append(reinterpret_cast<const char*>(s.begin()), s.size());
  return bytes == "\x08\x01" ? "SERVING" : bytes == "\x08\x02" ? "NOT_SERVING" : "?" + bytes;
}

TEST(ServerInfo, TellsWhoTheServerIsAndHowBusy) {
  Harness h;
  v1::Limits limits;
  limits.set_max_memory_bytes(55);
  h.context.settings.Set(limits, std::chrono::seconds(1));
  grpc::ClientContext context;
  v1::GetServerInfoResponse info;
  ASSERT_TRUE(
      v1::ServerService::NewStub(h.UserChannel())->GetServerInfo(&context, v1::GetServerInfoRequest(), &info).ok());
  EXPECT_EQ(info.instance_id(), "abc");
  EXPECT_EQ(info.version(), "9.8.7");
  EXPECT_EQ(info.abi_major(), 1);
  EXPECT_EQ(info.abi_minor(), 4);
  EXPECT_EQ(info.max_request_bytes(), 1 << 20);
  EXPECT_EQ(info.max_response_bytes(), 1 << 20);
  EXPECT_EQ(info.default_limits().max_memory_bytes(), 55);
  EXPECT_EQ(info.load().running(), 3);
  EXPECT_EQ(info.load().queued(), 4);
  EXPECT_EQ(info.load().slots(), 6);
  EXPECT_EQ(info.load().queue_limit(), 77);
  EXPECT_EQ(info.load().workers(), 5);
  EXPECT_EQ(info.pid(), ::getpid());
  EXPECT_GT(info.start_time().seconds(), 1'600'000'000);
  EXPECT_FALSE(info.draining());
  EXPECT_GT(info.features_size(), 3);
}

TEST(ServerInfo, InstanceIdsAreHexAndDiffer) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.insert(MakeInstanceId());
  EXPECT_EQ(ids.size(), 100u);
  EXPECT_EQ(ids.begin()->size(), 32u);
  EXPECT_EQ(ids.begin()->find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(Drain, IsForAdminsTakesTheGivenTimeAndTurnsHealth) {
  Harness h;
  h.context.settings.Set({}, std::chrono::milliseconds(4321));
  v1::DrainRequest request;
  v1::DrainResponse response;
  grpc::ClientContext user_context;
  EXPECT_EQ(v1::ServerService::NewStub(h.UserChannel())->Drain(&user_context, request, &response).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(Health(h.UserChannel(), ""), "SERVING");

  const auto admin = v1::ServerService::NewStub(h.AdminChannel());
  grpc::ClientContext first;
  ASSERT_TRUE(admin->Drain(&first, request, &response).ok());
  request.mutable_timeout()->set_seconds(7);
  request.mutable_timeout()->set_nanos(500'000'000);
  grpc::ClientContext second;
  ASSERT_TRUE(admin->Drain(&second, request, &response).ok());
  request.mutable_timeout()->set_seconds(-1);
  grpc::ClientContext third;
  EXPECT_EQ(admin->Drain(&third, request, &response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(h.jobs.seen().drains,
            (std::vector<std::chrono::milliseconds>{std::chrono::milliseconds(4321), std::chrono::milliseconds(7500)}));

  EXPECT_EQ(Health(h.UserChannel(), ""), "NOT_SERVING");
  EXPECT_EQ(Health(h.UserChannel(), "astrolabe.v1.SolverService"), "NOT_SERVING");
  EXPECT_EQ(Health(h.AdminChannel(), ""), "SERVING");
}

TEST(Health, IsKnownForEveryServiceAndForTheWhole) {
  Harness h;
  for (const char* service :
       {"", "astrolabe.v1.SolverService", "astrolabe.v1.CatalogService", "astrolabe.v1.PluginService",
        "astrolabe.v1.CacheService", "astrolabe.v1.ServerService"}) {
    EXPECT_EQ(Health(h.UserChannel(), service), "SERVING") << service;
  }
  EXPECT_EQ(Health(h.UserChannel(), "no.such.Service"), "5");
  EXPECT_EQ(Health(h.AdminChannel(), "astrolabe.v1.SolverService"), "5");
}

// grpc.reflection by hand: list_services is field 7 of the request.
TEST(Reflection, ListsTheServicesThoughSolveIsRaw) {
  Harness h;
  grpc::GenericStub stub(h.UserChannel());
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto call =
      stub.PrepareCall(&context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  void* tag = nullptr;
  bool ok = false;
  call->StartCall(nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok) && ok);
  const grpc::Slice slice(std::string("\x3a\x01*"));
  call->WriteLast(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok) && ok);
  grpc::ByteBuffer response;
  call->Read(&response, nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok) && ok);
  grpc::Status status;
  call->Finish(&status, nullptr);
  queue.Next(&tag, &ok);
  std::vector<grpc::Slice> slices;
  ASSERT_TRUE(response.Dump(&slices).ok());
  std::string bytes;
  for (const auto& s : slices) bytes.append(reinterpret_cast<const char*>(s.begin()), s.size());
  for (const char* service : {"astrolabe.v1.SolverService", "astrolabe.v1.CatalogService", "grpc.health.v1.Health"}) {
    EXPECT_NE(bytes.find(service), std::string::npos) << service;
  }
}

TEST(GrpcServer, ATakenPortIsAnError) {
  auto first = GrpcServer::Start({"127.0.0.1:0", {}, 4096});
  ASSERT_TRUE(first.ok());
  ASSERT_GT((*first)->port(), 0);
  auto second = GrpcServer::Start({"127.0.0.1:" + std::to_string((*first)->port()), {}, 4096});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace astrolabe::server
