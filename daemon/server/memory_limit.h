// How the memory that limits leave to this process is shared out: event logs, waiting specs, requests.
#ifndef ASTROLABE_DAEMON_SERVER_MEMORY_LIMIT_H_
#define ASTROLABE_DAEMON_SERVER_MEMORY_LIMIT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "daemon/base/result.h"

namespace astrolabe::server {

struct MemoryLimit {
  int64_t bytes = 0;        // that are the daemon's
  bool of_process = false;  // RLIMIT_AS or RLIMIT_DATA: the process does not get one byte more
};

// Of a limit of the process, all of it; of the machine or container, what jobs do not get by default (resources.h).
MemoryLimit DaemonMemory(const std::string& root = "");

// Before any thread is started. Where addresses are limited, a thread gets a small stack and all share one heap: what
// the C library reserves for each otherwise would be most of the limit.
void SpareAddresses();

// What the options ask for; unset: as much as fits, at most the usual.
struct MemoryWishes {
  std::optional<int64_t> event_budget_bytes;
  std::optional<int64_t> queue_bytes;
  int64_t max_request_bytes = 0;
  int slots = 1;
};

struct MemoryPlan {
  int64_t event_budget_bytes = 0;
  int64_t queue_bytes = 0;
  int64_t receive_bytes = 0;  // of messages that gRPC is receiving
  int64_t request_bytes = 0;  // of those that are looked at
  std::string warning;        // not empty: it does not fit, and the limit is not one of the process
};

inline constexpr int64_t kUsualBudgetBytes = 256ll << 20;

// kFailedPrecondition when it does not fit into a limit of the process: with what is needed, and what to lower.
Result<MemoryPlan> PlanMemory(const MemoryLimit& limit, const MemoryWishes& wishes);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_MEMORY_LIMIT_H_
