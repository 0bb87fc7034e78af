// A job as clients see it.
#ifndef ASTROLABE_DAEMON_JOBS_JOB_VIEW_H_
#define ASTROLABE_DAEMON_JOBS_JOB_VIEW_H_

#include <memory>

#include "astrolabe/v1/solver.pb.h"
#include "daemon/jobs/job.h"

namespace astrolabe::jobs {

// Taken quickly under the service's mutex, turned into a message after it.
class JobView {
 public:
  JobView(const Job& job, int queue_position);

  // All of it, but an instance above 256 KiB, and what would make the message larger than 1 MiB.
  v1::Job Full() const;
  // Without instance, path and long states.
  v1::Job Brief() const;

 private:
  v1::Job Common() const;

  v1::Job facts_;
  std::shared_ptr<const v1::JobSpec> spec_;
  std::shared_ptr<const v1::Result> result_;
  v1::Limits limits_;
  int priority_;
};

// All but the instance, without copying it.
v1::JobSpec WithoutInstance(const v1::JobSpec& spec);
// All but the path, and states above 1 KiB.
v1::Result WithoutPath(const v1::Result& result);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOB_VIEW_H_
