// The parts of a JobSpec that no manifest decides: limits, events, labels, numbers.
#ifndef ASTROLABE_DAEMON_JOBS_LIMIT_CHECK_H_
#define ASTROLABE_DAEMON_JOBS_LIMIT_CHECK_H_

#include <string>

#include "astrolabe/v1/solver.pb.h"
#include "astrolabe/v1/spec.pb.h"
#include "daemon/jobs/fault_list.h"

namespace astrolabe::jobs {

inline constexpr int kMinPriority = -100;
inline constexpr int kMaxPriority = 100;
inline constexpr int kMaxLabels = 64;
inline constexpr int kMaxLabelKey = 63;
inline constexpr int kMaxLabelValue = 256;

// Nothing negative. `field` is the path of the message.
void CheckLimits(const v1::Limits& limits, const std::string& field, FaultList* faults);
// Unset and 0 become the server's.
void FillLimits(const v1::Limits& defaults, v1::Limits* limits);
void CheckPriority(int priority, const std::string& field, FaultList* faults);
// Kinds known and not repeated, detail STATE when unset; nothing negative.
void CheckEvents(const std::string& field, v1::EventOptions* events, FaultList* faults);
void CheckLabels(const v1::JobSpec& spec, FaultList* faults);
void CheckWatch(const v1::WatchOptions& options, FaultList* faults);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_LIMIT_CHECK_H_
