// An Evaluate request: what heuristics say of given states, and where their operators lead; nothing is searched.
#ifndef ASTROLABE_DAEMON_WORKER_EVALUATE_H_
#define ASTROLABE_DAEMON_WORKER_EVALUATE_H_

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/worker/worker_context.h"

namespace astrolabe::worker {

// Sends EvaluateDone as the last frame.
void RunEvaluate(const WorkerContext& worker, const internal::v1::Evaluate& request);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_EVALUATE_H_
