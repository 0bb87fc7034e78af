// The threads of a parallel search.
#ifndef ASTROLABE_DAEMON_WORKER_SEARCH_THREADS_H_
#define ASTROLABE_DAEMON_WORKER_SEARCH_THREADS_H_

#include "daemon/engine/search.h"

namespace astrolabe::worker {

// Starts pthreads with stacks of kHelperStackSize, on which a crash of a plugin is told as on the job's own thread.
// None outlives Run. One Run at a time.
class SearchThreadStarter final : public engine::ThreadStarter {
 public:
  bool Run(int count, const std::function<void(int)>& body) override;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_SEARCH_THREADS_H_
