// Which plugin is a thread executing right now? Asked of a thread that does not stop, so that the kill
// that follows is blamed on the library that did not return and not on the problem it was called from.
#ifndef ASTROLABE_DAEMON_WORKER_WHEREABOUTS_H_
#define ASTROLABE_DAEMON_WORKER_WHEREABOUTS_H_

#include <pthread.h>

namespace astrolabe::worker {

// Installs the handler of the signal that asks (SIGURG, by default ignored). Before any plugin is loaded.
void InstallWhereabouts();

// Null: in no plugin, or no answer within 10 ms (the plugin took the handler away). One caller at a time;
// not the asked thread itself. The answer is immortal.
const char* PluginOfThread(pthread_t thread);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_WHEREABOUTS_H_
