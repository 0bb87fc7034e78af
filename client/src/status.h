// From a gRPC status, and its google.rpc details, to the absl::Status that users of the library see.
#ifndef ASTROLABE_CLIENT_SRC_STATUS_H_
#define ASTROLABE_CLIENT_SRC_STATUS_H_

#include <chrono>
#include <string>

#include "absl/status/status.h"

namespace grpc {
class Status;
}

namespace astrolabe::client {

// What the call was, for messages about faults that gRPC reports itself.
struct CallSite {
  std::string address;
  std::chrono::milliseconds timeout{0};  // 0: none was set
};

// The message names every wrong field; details become payloads for errors.h.
absl::Status FromGrpc(const grpc::Status& status, const CallSite& site);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_STATUS_H_
