// How many connections the limit of descriptors (RLIMIT_NOFILE) leaves room for.
#ifndef ASTROLABE_DAEMON_SERVER_DESCRIPTOR_LIMIT_H_
#define ASTROLABE_DAEMON_SERVER_DESCRIPTOR_LIMIT_H_

#include "daemon/base/result.h"

namespace astrolabe::server {

// Raises the soft limit to the hard one; the limit that holds then, at most INT_MAX.
int RaiseDescriptorLimit();

// The first descriptors that connections no longer get. Those above are kept for the daemon's own work: a server full
// of clients still starts workers and writes files.
struct DescriptorPlan {
  int full = 0;
  int close = 0;  // between: clients are told that there are too many
};

// kFailedPrecondition, with what to do, when the limit leaves hardly any connection.
Result<DescriptorPlan> PlanDescriptors(int limit, int max_workers);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_DESCRIPTOR_LIMIT_H_
