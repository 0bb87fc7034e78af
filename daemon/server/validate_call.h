// ValidateInstance: answered by a worker, cancelled when the client leaves.
#ifndef ASTROLABE_DAEMON_SERVER_VALIDATE_CALL_H_
#define ASTROLABE_DAEMON_SERVER_VALIDATE_CALL_H_

#include <grpcpp/support/server_callback.h>

#include "astrolabe/v1/solver.pb.h"
#include "daemon/jobs/job_service.h"

namespace astrolabe::server {

// `response` lives until the call is finished (gRPC sees to it).
grpc::ServerUnaryReactor* StartValidate(jobs::JobService* jobs, const v1::InstanceRef& instance,
                                        v1::ValidateInstanceResponse* response);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_VALIDATE_CALL_H_
