// One event of a job -> the bytes of SolveResponse or WatchJobResponse (both: Event as field 1), without
// copying the event's body.
#ifndef ASTROLABE_DAEMON_SERVER_EVENT_ENVELOPE_H_
#define ASTROLABE_DAEMON_SERVER_EVENT_ENVELOPE_H_

#include <grpcpp/support/byte_buffer.h>

#include "daemon/jobs/job_service.h"

namespace astrolabe::server {

// The body is shared with the buffer, which holds a reference until gRPC has sent it.
grpc::ByteBuffer WrapEvent(const jobs::EncodedEvent& event);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_EVENT_ENVELOPE_H_
