// What the process must be before it loads anything.
#ifndef ASTROLABE_DAEMON_WORKER_PROCESS_SETUP_H_
#define ASTROLABE_DAEMON_WORKER_PROCESS_SETUP_H_

#include <pthread.h>

#include <optional>

namespace astrolabe::worker {

// No core files, no new privileges, two malloc arenas, line-buffered output, default signal mask and
// dispositions, SIGPIPE ignored.
void SetUpProcess();

// Runs main(arg) on a new thread with a 64 MiB stack and a guard, alternate signal stack included.
// nullopt when the thread cannot be made.
std::optional<pthread_t> StartWorkThread(void (*main)(void* arg), void* arg);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PROCESS_SETUP_H_
