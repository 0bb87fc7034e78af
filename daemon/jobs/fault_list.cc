#include "daemon/jobs/fault_list.h"

#include <algorithm>
#include <cassert>

namespace astrolabe::jobs {

void FaultList::Add(ErrorCode code, std::string reason, std::string field, std::string description) {
  faults_.push_back({code, std::move(reason), {std::move(field), std::move(description)}});
}

Error FaultList::ToError() const {
  assert(!faults_.empty());
  constexpr size_t kMostInMessage = 10;
  const Fault& first = faults_.front();
  const bool one_code =
      std::all_of(faults_.begin(), faults_.end(), [&](const Fault& f) { return f.code == first.code; });
  const bool one_reason =
      std::all_of(faults_.begin(), faults_.end(), [&](const Fault& f) { return f.reason == first.reason; });
  Error error;
  error.code = one_code ? first.code : ErrorCode::kInvalidArgument;
  error.reason = one_reason ? first.reason : "INVALID_SPEC";
  if (faults_.size() > 1) error.message = std::to_string(faults_.size()) + " faults: ";
  for (size_t i = 0; i < faults_.size(); ++i) {
    const FieldViolation& violation = faults_[i].violation;
    error.violations.push_back(violation);
    if (i >= kMostInMessage) continue;
    if (i > 0) error.message += "; ";
    error.message += violation.field + ": " + violation.description;
  }
  if (faults_.size() > kMostInMessage) error.message += "; ...";
  return error;
}

}  // namespace astrolabe::jobs
