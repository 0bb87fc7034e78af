// Collects all faults of a request and makes one Error of them.
#ifndef ASTROLABE_DAEMON_JOBS_FAULT_LIST_H_
#define ASTROLABE_DAEMON_JOBS_FAULT_LIST_H_

#include <string>
#include <vector>

#include "daemon/base/result.h"

namespace astrolabe::jobs {

class FaultList {
 public:
  // `reason` is UPPER_SNAKE_CASE. `field` is a path such as "spec.heuristics[0].params.x".
  void Add(ErrorCode code, std::string reason, std::string field, std::string description);
  void Invalid(std::string field, std::string description) {
    Add(ErrorCode::kInvalidArgument, "INVALID_FIELD", std::move(field), std::move(description));
  }
  bool empty() const { return faults_.empty(); }

  // The code all faults share, else kInvalidArgument; the reason they share, else "INVALID_SPEC". The message holds
  // every fault (the first 10 when there are more), `violations` all of them. Not for an empty list.
  Error ToError() const;

 private:
  struct Fault {
    ErrorCode code;
    std::string reason;
    FieldViolation violation;
  };
  std::vector<Fault> faults_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_FAULT_LIST_H_
