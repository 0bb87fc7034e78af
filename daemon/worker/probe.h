// A Probe: load one plugin in a throw-away worker, look at it, report. Single-threaded, under alarm(5).
#ifndef ASTROLABE_DAEMON_WORKER_PROBE_H_
#define ASTROLABE_DAEMON_WORKER_PROBE_H_

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/worker/worker_context.h"

namespace astrolabe::worker {

inline constexpr unsigned kProbeSeconds = 5;

// Sends ProbeDone as the last frame. The process must not be used for anything else afterwards.
void RunProbe(const WorkerContext& worker, const internal::v1::Probe& request);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PROBE_H_
