// Processor time, for tests of "soon": unlike wall time it does not depend on what else the machine does.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_CPU_TIME_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_CPU_TIME_H_

#include <time.h>

#include <chrono>

namespace astrolabe::engine::testing {

// Of all threads of this process since it began.
inline std::chrono::nanoseconds ProcessCpuTime() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_CPU_TIME_H_
