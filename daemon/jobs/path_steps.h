// Pages of a found path, from what was kept of it.
#ifndef ASTROLABE_DAEMON_JOBS_PATH_STEPS_H_
#define ASTROLABE_DAEMON_JOBS_PATH_STEPS_H_

#include <memory>
#include <string>

#include "astrolabe/internal/v1/frames.pb.h"
#include "astrolabe/v1/solver.pb.h"
#include "daemon/base/result.h"

namespace astrolabe::jobs {

// `content` may be null. kFailedPrecondition when there is no path, it was not kept, or states were asked for and are
// not kept; kInvalidArgument for a bad page.
Result<v1::ListPathStepsResponse> PathSteps(const v1::ListPathStepsRequest& request, const v1::Result& result,
                                            const internal::v1::JobContent* content);

// A part of a job's content. kFailedPrecondition when there is none.
Result<std::shared_ptr<const std::string>> ContentPart(v1::ContentPart part, const v1::Result& result,
                                                       const std::shared_ptr<const internal::v1::JobContent>& content);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_PATH_STEPS_H_
