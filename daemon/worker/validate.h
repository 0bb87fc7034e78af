// A Validate request: parse, describe, say whether it can be solved; nothing is searched.
#ifndef ASTROLABE_DAEMON_WORKER_VALIDATE_H_
#define ASTROLABE_DAEMON_WORKER_VALIDATE_H_

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/worker/worker_context.h"

namespace astrolabe::worker {

// Sends ValidateDone as the last frame.
void RunValidate(const WorkerContext& worker, const internal::v1::Validate& request);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_VALIDATE_H_
