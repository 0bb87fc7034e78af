// A CheckPath request: replays a path that comes piece by piece; nothing is searched.
#ifndef ASTROLABE_DAEMON_WORKER_CHECK_PATH_H_
#define ASTROLABE_DAEMON_WORKER_CHECK_PATH_H_

#include <functional>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/worker/worker_context.h"

namespace astrolabe::worker {

// Waits for the next piece, which the daemon was asked for.
using NextPathPiece = std::function<internal::v1::PathPiece()>;

// Asks for pieces until the last one or the first violation, and sends CheckPathDone as the last frame. Holds one piece
// at a time.
void RunCheckPath(const WorkerContext& worker, const internal::v1::CheckPath& request, const NextPathPiece& next);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_CHECK_PATH_H_
