#include "daemon/jobs/job_table.h"

#include <iterator>

namespace astrolabe::jobs {

void JobTable::Add(JobPtr job) {
  by_name_[job->name] = job;
  ++active_by_owner_[job->owner];
  if (!job->request_id.empty()) by_request_[{job->owner, job->request_id}] = job;
  by_order_[job->order] = std::move(job);
}

void JobTable::Remove(const Job& job) {
  const auto held = by_order_.find(job.order);
  if (held == by_order_.end()) return;
  const JobPtr keep = held->second;  // `job` must outlive the last erase
  if (const auto end = ends_.find(keep->order); end != ends_.end()) {
    finished_.erase(end->second.sequence);
    expiries_.erase({end->second.expiry, keep->order});
    ends_.erase(end);
  } else {
    Deactivate(keep->owner);
  }
  if (!keep->request_id.empty()) by_request_.erase({keep->owner, keep->request_id});
  by_name_.erase(keep->name);
  by_order_.erase(held);
}

void JobTable::Deactivate(const std::string& owner) {
  const auto found = active_by_owner_.find(owner);
  if (--found->second == 0) active_by_owner_.erase(found);
}

JobPtr JobTable::Find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? nullptr : found->second;
}

JobPtr JobTable::FindByRequest(const std::string& owner, const std::string& request_id) const {
  const auto found = by_request_.find({owner, request_id});
  return found == by_request_.end() ? nullptr : found->second;
}

void JobTable::Newest(int64_t before, const std::function<bool(const JobPtr&)>& take) const {
  auto at = before > 0 ? by_order_.lower_bound(before) : by_order_.end();
  while (at != by_order_.begin()) {
    --at;
    if (!take(at->second)) return;
  }
}

std::vector<JobPtr> JobTable::All() const {
  std::vector<JobPtr> all;
  all.reserve(by_order_.size());
  for (const auto& [order, job] : by_order_) all.push_back(job);
  return all;
}

void JobTable::MarkFinished(const JobPtr& job, TimePoint expiry) {
  if (by_order_.count(job->order) == 0 || ends_.count(job->order) != 0) return;
  Deactivate(job->owner);
  const End end{next_end_++, expiry};
  ends_[job->order] = end;
  finished_[end.sequence] = job;
  expiries_[{expiry, job->order}] = job;
}

void JobTable::Postpone(const JobPtr& job, TimePoint expiry) {
  const auto end = ends_.find(job->order);
  if (end == ends_.end()) return;
  expiries_.erase({end->second.expiry, job->order});
  end->second.expiry = expiry;
  expiries_[{expiry, job->order}] = job;
}

JobPtr JobTable::OldestFinished(const std::function<bool(const Job&)>& wanted) const {
  for (const auto& [sequence, job] : finished_) {
    if (wanted(*job)) return job;
  }
  return nullptr;
}

std::optional<TimePoint> JobTable::NextExpiry() const {
  if (expiries_.empty()) return std::nullopt;
  return expiries_.begin()->first.first;
}

std::vector<JobPtr> JobTable::Expired(TimePoint now) const {
  std::vector<JobPtr> expired;
  for (const auto& [key, job] : expiries_) {
    if (key.first > now) break;
    expired.push_back(job);
  }
  return expired;
}

}  // namespace astrolabe::jobs
