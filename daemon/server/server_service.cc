#include "daemon/server/server_service.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <random>

#include "daemon/server/unary.h"

namespace astrolabe::server {
namespace {

constexpr int64_t kMaxResponseBytes = 1 << 20;
constexpr const char* kFeatures[] = {"solve",      "jobs",         "watch",
                                     "catalog",    "plugins",      "validate_instance",
                                     "path_steps", "read_content", "evaluate_states"};
constexpr int64_t kMaxDrainSeconds = 24 * 3600;

void SetTimestamp(std::chrono::system_clock::time_point time, google::protobuf::Timestamp* out) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  out->set_seconds(ns / 1'000'000'000);
  out->set_nanos(static_cast<int32_t>(ns % 1'000'000'000));
}

}  // namespace

std::string MakeInstanceId() {
  std::array<unsigned char, 16> bytes;
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    std::random_device device;
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(device());
  }
  std::string id;
  for (const unsigned char byte : bytes) {
    static constexpr char kHex[] = "0123456789abcdef";
    id += kHex[byte >> 4];
    id += kHex[byte & 15];
  }
  return id;
}

grpc::ServerUnaryReactor* ServerService::GetServerInfo(grpc::CallbackServerContext* context,
                                                       const v1::GetServerInfoRequest*,
                                                       v1::GetServerInfoResponse* response) {
  context_->activity.Touch();
  response->set_instance_id(identity_.instance_id);
  response->set_version(identity_.version);
  response->set_abi_major(pool_->hello().abi_major());
  response->set_abi_minor(pool_->hello().abi_minor());
  response->set_max_request_bytes(identity_.max_request_bytes);
  response->set_max_response_bytes(kMaxResponseBytes);
  *response->mutable_default_limits() = context_->settings.default_limits();
  const jobs::JobsLoad load = jobs_->load();
  const workers::PoolLoad workers = pool_->load();
  v1::ServerLoad* out = response->mutable_load();
  out->set_running(load.running);
  out->set_queued(load.queued);
  out->set_slots(identity_.slots);
  out->set_queue_limit(identity_.queue_limit);
  out->set_workers(workers.idle + workers.leased);
  SetTimestamp(identity_.start_time, response->mutable_start_time());
  response->set_draining(jobs_->draining());
  response->set_pid(::getpid());
  for (const char* feature : kFeatures) response->add_features(feature);
  return Answer(context, grpc::Status::OK);
}

grpc::ServerUnaryReactor* ServerService::Drain(grpc::CallbackServerContext* context, const v1::DrainRequest* request,
                                               v1::DrainResponse*) {
  context_->activity.Touch();
  if (drain_.thread == nullptr) {
    return Answer(context, ToGrpcStatus(MakeError(ErrorCode::kPermissionDenied, "ADMIN_ONLY",
                                                  "draining is done on the admin listener only: " + admin_hint_)));
  }
  std::chrono::milliseconds timeout = context_->settings.drain_time();
  if (request->has_timeout()) {
    const int64_t seconds = request->timeout().seconds();
    const int32_t nanos = request->timeout().nanos();
    if (seconds < 0 || nanos < 0 || nanos >= 1'000'000'000 || seconds > kMaxDrainSeconds) {
      Error error = MakeError(ErrorCode::kInvalidArgument, "INVALID_FIELD", "timeout must be from 0 s to 24 h");
      error.violations.push_back({"timeout", "must be from 0 s to 24 h"});
      return Answer(context, ToGrpcStatus(error));
    }
    timeout = std::chrono::milliseconds(seconds * 1000 + nanos / 1'000'000);
  }
  auto* const answer = new DeferredAnswer();
  drain_.thread->Run([this, answer, timeout](bool may_run) {
    if (may_run) {
      if (drain_.on_drain) drain_.on_drain();
      jobs_->Drain(timeout);
    }
    // A server that is stopping drains anyway.
    answer->Give(grpc::Status::OK);
  });
  return answer;
}

}  // namespace astrolabe::server
