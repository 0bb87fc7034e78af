// grpc.health.v1.Health/Check, by hand: two fields are not worth a generated file that other libraries bring as well.
#ifndef ASTROLABE_CLIENT_SRC_HEALTH_H_
#define ASTROLABE_CLIENT_SRC_HEALTH_H_

#include <string>

#include "absl/status/statusor.h"
#include "client/src/status.h"
#include "grpcpp/channel.h"

namespace astrolabe::client {

absl::StatusOr<bool> CheckHealth(grpc::Channel* channel, const CallSite& site, const std::string& service);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_HEALTH_H_
