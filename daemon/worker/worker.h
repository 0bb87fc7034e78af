// The worker process: Hello, then a probe on the only thread there is, or control loop and work thread.
#ifndef ASTROLABE_DAEMON_WORKER_WORKER_H_
#define ASTROLABE_DAEMON_WORKER_WORKER_H_

#include <string>

namespace astrolabe::worker {

// Serves the daemon at `fd` until it hangs up. Never returns: a process that has loaded plugins ends by
// _exit alone. `cache_dir` empty: no cache on disk.
[[noreturn]] void RunWorker(int fd, const std::string& cache_dir);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_WORKER_H_
