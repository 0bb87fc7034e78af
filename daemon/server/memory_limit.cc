#include "daemon/server/memory_limit.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>

#include "daemon/server/request_budget.h"
#include "daemon/server/resources.h"

namespace astrolabe::server {
namespace {

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
constexpr int64_t kMost = kUnlimited / 4;  // two of them add up
constexpr int64_t kOwn = 128 * kMiB;       // program, libraries, catalogue, connections
constexpr int64_t kPerSlot = 2 * kMiB;     // threads that serve a worker
constexpr size_t kThreadStack = 1 << 20;   // where addresses are few

int64_t SoftLimit(int resource) {
  rlimit limit = {};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return kUnlimited;
  return limit.rlim_cur > static_cast<rlim_t>(kUnlimited) ? kUnlimited : static_cast<int64_t>(limit.rlim_cur);
}

int64_t ProcessLimit() { return std::min(SoftLimit(RLIMIT_AS), SoftLimit(RLIMIT_DATA)); }

std::string MiB(int64_t bytes) { return std::to_string((bytes + kMiB - 1) / kMiB) + " MiB"; }

// A request while it is received, looked at, and made into a message for a worker.
int64_t LeastForRequests(int64_t max_request_bytes) { return (2 + RequestBudget::kCopies + 2) * max_request_bytes; }

// A share of what there is, when nobody says how much; one request fits into it.
int64_t Default(int64_t room, int64_t max_request_bytes) {
  return std::clamp(room / 4, std::min(max_request_bytes, kUsualBudgetBytes), kUsualBudgetBytes);
}

}  // namespace

MemoryLimit DaemonMemory(const std::string& root) {
  const int64_t machine = AvailableMemoryBytes(root);
  const int64_t shared = machine - DefaultJobMemory(machine, 1);
  const int64_t process = ProcessLimit();
  return process < shared ? MemoryLimit{process, true} : MemoryLimit{shared, false};
}

void SpareAddresses() {
  if (ProcessLimit() == kUnlimited) return;
  ::mallopt(M_ARENA_MAX, 1);
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  ::pthread_attr_setstacksize(&attributes, kThreadStack);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

Result<MemoryPlan> PlanMemory(const MemoryLimit& limit, const MemoryWishes& wishes) {
  const int64_t own = kOwn + wishes.slots * kPerSlot;
  const int64_t requests = LeastForRequests(wishes.max_request_bytes);
  const int64_t room = limit.bytes - own - requests;
  const int64_t given =
      std::min(wishes.event_budget_bytes.value_or(0), kMost) + std::min(wishes.queue_bytes.value_or(0), kMost);
  const int64_t usual = Default(room - given, wishes.max_request_bytes);
  MemoryPlan plan;
  plan.event_budget_bytes = std::min(wishes.event_budget_bytes.value_or(usual), kMost);
  plan.queue_bytes = std::min(wishes.queue_bytes.value_or(usual), kMost);
  const int64_t spare = room - plan.event_budget_bytes - plan.queue_bytes;
  if (spare < 0) {
    const std::string text = "a memory limit of " + MiB(limit.bytes) + " is too low for the daemon: it needs " +
                             MiB(limit.bytes - spare) + " (" + MiB(plan.event_budget_bytes) + " for --event-budget, " +
                             MiB(plan.queue_bytes) + " for --queue-size, " + MiB(requests) +
                             " for requests of --max-request-size, " + MiB(own) +
                             " of its own). Lower one of these options, or raise the limit";
    if (limit.of_process) {
      return MakeError(ErrorCode::kFailedPrecondition, "MEMORY_LIMIT", text + " (ulimit -v, ulimit -d)");
    }
    plan.warning = text + " of the container";
  }
  // Most of the rest is for what is being received: gRPC does not refuse what is too much, but ends calls, and those
  // that are open longest first.
  const int64_t more = std::max<int64_t>(spare, 0);
  plan.receive_bytes = 2 * wishes.max_request_bytes + more / 4 * 3;
  plan.request_bytes = RequestBudget::kCopies * wishes.max_request_bytes + more / 4;
  return plan;
}

}  // namespace astrolabe::server
