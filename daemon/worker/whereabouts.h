// Which plugin are the threads of a job executing right now? Asked when it does not stop, so that the kill that follows
// is blamed on the library that did not return and not on the problem it was called from.
#ifndef ASTROLABE_DAEMON_WORKER_WHEREABOUTS_H_
#define ASTROLABE_DAEMON_WORKER_WHEREABOUTS_H_

#include <pthread.h>

namespace astrolabe::worker {

// Installs the handler of the signal that asks (SIGURG, by default ignored). Before any plugin is loaded.
void InstallWhereabouts();

// The calling thread runs plugins beside `work_thread`, as long as this lives.
class HelperThread {
 public:
  HelperThread();
  ~HelperThread();
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;
};

// Of `work_thread` or a helper: of whichever is in a plugin; those that have stopped are in none. Null: nobody is, or
// no answer within 10 ms (the plugin took the handler away). One caller at a time, none of those threads. The answer
// is immortal.
const char* PluginThatRuns(pthread_t work_thread);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_WHEREABOUTS_H_
