#include "daemon/server/live_streams.h"

namespace astrolabe::server {

void LiveStreams::AbortAll(const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  closed_status_ = status;
  // Under the lock, so that Leave waits: Abort never blocks and never comes back here.
  for (LiveStream* stream : streams_) stream->Abort(status);
}

bool LiveStreams::WaitUntilEmpty(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_until(lock, deadline, [&] { return streams_.empty(); });
}

size_t LiveStreams::size() const {
  const std::lock_guard lock(mutex_);
  return streams_.size();
}

bool LiveStreams::Join(LiveStream* stream, grpc::Status* refusal) {
  const std::lock_guard lock(mutex_);
  streams_.insert(stream);
  if (closed_) *refusal = closed_status_;
  return !closed_;
}

void LiveStreams::Leave(LiveStream* stream) {
  const std::lock_guard lock(mutex_);
  streams_.erase(stream);
  if (streams_.empty()) emptied_.notify_all();
}

}  // namespace astrolabe::server
