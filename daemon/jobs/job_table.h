// All jobs the service knows, in their orders: by name, by creation, by end, by expiry.
// No lock of its own: the service's mutex guards it.
#ifndef ASTROLABE_DAEMON_JOBS_JOB_TABLE_H_
#define ASTROLABE_DAEMON_JOBS_JOB_TABLE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "daemon/jobs/job.h"

namespace astrolabe::jobs {

class JobTable {
 public:
  void Add(JobPtr job);
  // Forgets it everywhere. Watches go on with its log.
  void Remove(const Job& job);

  JobPtr Find(std::string_view name) const;
  JobPtr FindByRequest(const std::string& owner, const std::string& request_id) const;
  // Newest first, those created before `before` (an order; 0: all), until `take` says no.
  void Newest(int64_t before, const std::function<bool(const JobPtr&)>& take) const;
  std::vector<JobPtr> All() const;

  // From here on the job may be evicted, and expires at `expiry`.
  void MarkFinished(const JobPtr& job, TimePoint expiry);
  void Postpone(const JobPtr& job, TimePoint expiry);
  // Finished the longest ago; null: none.
  JobPtr OldestFinished(const std::function<bool(const Job&)>& wanted) const;
  std::optional<TimePoint> NextExpiry() const;
  std::vector<JobPtr> Expired(TimePoint now) const;

  int size() const { return static_cast<int>(by_order_.size()); }
  int active() const { return size() - static_cast<int>(finished_.size()); }
  // Of one owner.
  int active(const std::string& owner) const {
    const auto found = active_by_owner_.find(owner);
    return found == active_by_owner_.end() ? 0 : found->second;
  }

 private:
  void Deactivate(const std::string& owner);

  using Request = std::pair<std::string, std::string>;
  struct End {
    int64_t sequence = 0;
    TimePoint expiry;
  };

  std::unordered_map<std::string, JobPtr> by_name_;
  std::map<int64_t, JobPtr> by_order_;
  std::map<Request, JobPtr> by_request_;
  std::unordered_map<int64_t, End> ends_;  // by order, of finished jobs
  std::map<int64_t, JobPtr> finished_;     // by sequence of ending
  std::map<std::pair<TimePoint, int64_t>, JobPtr> expiries_;
  std::map<std::string, int> active_by_owner_;  // without those that have none
  int64_t next_end_ = 1;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOB_TABLE_H_
