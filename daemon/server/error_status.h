// astrolabe::Error -> grpc::Status with google.rpc details (grpc-status-details-bin).
#ifndef ASTROLABE_DAEMON_SERVER_ERROR_STATUS_H_
#define ASTROLABE_DAEMON_SERVER_ERROR_STATUS_H_

#include <grpcpp/support/status.h>

#include "daemon/base/result.h"

namespace astrolabe::server {

inline constexpr char kErrorDomain[] = "astrolabe";

grpc::StatusCode ToGrpcCode(ErrorCode code);

// The code of the same name; the message; details BadRequest (all violations), ErrorInfo (when a reason is
// set) and RetryInfo (when trying again makes sense). Texts are made valid UTF-8 and the whole is kept below
// the 8 KiB that gRPC peers accept as metadata: violations beyond that are counted in a last one.
grpc::Status ToGrpcStatus(const Error& error);

// OK, or the error's status.
grpc::Status ToGrpcStatus(const Status& status);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_ERROR_STATUS_H_
