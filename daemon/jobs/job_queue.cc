#include "daemon/jobs/job_queue.h"

#include <algorithm>
#include <iterator>

namespace astrolabe::jobs {

void JobQueue::Push(JobPtr job, int64_t bytes) {
  bytes_ += bytes;
  const Key key(-job->priority, job->order);
  jobs_.emplace(key, Waiting{std::move(job), bytes});
}

std::map<JobQueue::Key, JobQueue::Waiting>::const_iterator JobQueue::Find(const Job& job) const {
  const auto found = jobs_.find(Key(-job.priority, job.order));
  if (found != jobs_.end()) return found;
  // Its priority was changed since: look for the job itself.
  return std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& entry) { return entry.second.job.get() == &job; });
}

bool JobQueue::Remove(const Job& job) {
  const auto found = Find(job);
  if (found == jobs_.end()) return false;
  bytes_ -= found->second.bytes;
  jobs_.erase(found);
  return true;
}

int JobQueue::Position(const Job& job) const {
  const auto found = Find(job);
  return found == jobs_.end() ? 0 : static_cast<int>(std::distance(jobs_.begin(), found)) + 1;
}

void JobQueue::Reorder(const Job& job) {
  const auto found = Find(job);
  if (found == jobs_.end()) return;
  Waiting waiting = found->second;
  jobs_.erase(found);
  jobs_.emplace(Key(-job.priority, job.order), std::move(waiting));
}

void JobQueue::ForEach(const std::function<void(const JobPtr& job, int position)>& visit) const {
  int position = 0;
  for (const auto& [key, waiting] : jobs_) visit(waiting.job, ++position);
}

}  // namespace astrolabe::jobs
