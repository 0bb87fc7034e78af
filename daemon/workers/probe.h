// Probing: a plugin is loaded for the first time in a worker that is thrown away afterwards.
#ifndef ASTROLABE_DAEMON_WORKERS_PROBE_H_
#define ASTROLABE_DAEMON_WORKERS_PROBE_H_

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/workers/worker_pool.h"

namespace astrolabe::workers {

struct ProbeSetup {
  int binary_fd = -1;
  // Readable when the probe should be given up.
  int stop_fd = -1;
  std::vector<std::string> environment;
  std::chrono::milliseconds timeout{5000};
};

// Blocks, at most the timeout and the end of the process. The outcome's code is empty, a code of
// ProbeDone, PROBE_CRASHED, PROBE_TIMEOUT, EXITED, THREW, CONTRACT_VIOLATION or INIT_FAILED.
ProbeOutcome RunProbe(const ProbeSetup& setup, const PluginFile& plugin, std::string_view manifest);

}  // namespace astrolabe::workers

#endif  // ASTROLABE_DAEMON_WORKERS_PROBE_H_
