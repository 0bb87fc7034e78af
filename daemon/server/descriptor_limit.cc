#include "daemon/server/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <climits>
#include <string>

namespace astrolabe::server {
namespace {

constexpr int kPerWorker = 5;     // frames, its output and errors, pidfd, wake-up
constexpr int kFiles = 48;        // journal, copies of plugins, tables, /proc, and a worker that is being started
constexpr int kForRefusals = 16;  // clients that are being told
constexpr int kAtStart = 64;      // log, locks, listeners, and gRPC's own
constexpr int kFewest = 16;       // connections that a server should be able to have

}  // namespace

int RaiseDescriptorLimit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return INT_MAX;
  rlimit raised = limit;
  raised.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur, INT_MAX));
}

Result<DescriptorPlan> PlanDescriptors(int limit, int max_workers) {
  DescriptorPlan plan;
  plan.close = limit - kFiles - kPerWorker * max_workers;
  plan.full = plan.close - kForRefusals;
  if (const int missing = kAtStart + kFewest - plan.full; missing > 0) {
    return MakeError(ErrorCode::kFailedPrecondition, "DESCRIPTOR_LIMIT",
                     "a limit of " + std::to_string(limit) + " open files is too low for " +
                         std::to_string(max_workers) + " workers: it must be at least " +
                         std::to_string(limit + missing) +
                         " (ulimit -n, or LimitNOFILE= of the service), or --slots lower");
  }
  return plan;
}

}  // namespace astrolabe::server
