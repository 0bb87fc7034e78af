// Jobs that wait for slots: by priority, then first in, first out. Bounded by count; its bytes are told.
// No lock of its own: the service's mutex guards it.
#ifndef ASTROLABE_DAEMON_JOBS_JOB_QUEUE_H_
#define ASTROLABE_DAEMON_JOBS_JOB_QUEUE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "daemon/jobs/job.h"

namespace astrolabe::jobs {

class JobQueue {
 public:
  explicit JobQueue(int limit) : limit_(limit) {}

  // Whether one more job may wait.
  bool HasPlace() const { return size() < limit_; }
  void Push(JobPtr job, int64_t bytes);
  // Takes a job out, wherever it is. Returns false when it is not in here.
  bool Remove(const Job& job);
  // The next; null when empty.
  JobPtr front() const { return jobs_.empty() ? nullptr : jobs_.begin()->second.job; }
  // 1 = next; 0: not in here.
  int Position(const Job& job) const;
  // Puts it where its new priority belongs, behind those that came before it with the same.
  void Reorder(const Job& job);
  void ForEach(const std::function<void(const JobPtr& job, int position)>& visit) const;

  bool empty() const { return jobs_.empty(); }
  int size() const { return static_cast<int>(jobs_.size()); }
  int64_t bytes() const { return bytes_; }

 private:
  struct Waiting {
    JobPtr job;
    int64_t bytes = 0;
  };
  using Key = std::pair<int, int64_t>;  // -priority, order

  std::map<Key, Waiting>::const_iterator Find(const Job& job) const;

  const int limit_;
  int64_t bytes_ = 0;
  std::map<Key, Waiting> jobs_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOB_QUEUE_H_
