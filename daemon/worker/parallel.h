// parallel_for of the ABI: short-lived helper threads next to the caller.
#ifndef ASTROLABE_DAEMON_WORKER_PARALLEL_H_
#define ASTROLABE_DAEMON_WORKER_PARALLEL_H_

#include <cstddef>
#include <cstdint>

namespace astrolabe::worker {

// Stack of each helper. They are part of what a job may map.
inline constexpr size_t kHelperStackSize = 16 << 20;

// Runs task(arg, i) once for each i below count, on at most `threads` threads, the caller's included,
// and returns when all are done. Called from inside a task, or when no helper can be started, it runs on
// the calling thread alone.
void ParallelFor(int threads, uint64_t count, void (*task)(void* arg, uint64_t i), void* arg);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PARALLEL_H_
