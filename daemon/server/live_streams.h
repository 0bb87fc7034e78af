// The streams that are open now. A stream joins when it is made and leaves when gRPC is done with it.
//
// Shutdown of the server waits for every stream; this table is how those that would otherwise stay
// (a watcher of a silent job, a client that does not read) are told to end.
#ifndef ASTROLABE_DAEMON_SERVER_LIVE_STREAMS_H_
#define ASTROLABE_DAEMON_SERVER_LIVE_STREAMS_H_

#include <grpcpp/support/status.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <unordered_set>

namespace astrolabe::server {

class LiveStream {
 public:
  virtual ~LiveStream() = default;
  // Ends the stream with `status` as soon as no write is in flight. Returns at once. Any thread.
  virtual void Abort(const grpc::Status& status) = 0;
};

// Thread-safe. Outlives every stream in it.
class LiveStreams {
 public:
  // From now on streams that join are aborted at once as well.
  void AbortAll(const grpc::Status& status);
  // True when none was left at the deadline.
  bool WaitUntilEmpty(std::chrono::steady_clock::time_point deadline);
  size_t size() const;

  // False after AbortAll: the stream must end itself with `refusal`. It has joined all the same.
  bool Join(LiveStream* stream, grpc::Status* refusal);
  // No call of Abort runs or starts after it returns.
  void Leave(LiveStream* stream);

 private:
  mutable std::mutex mutex_;
  std::condition_variable emptied_;
  std::unordered_set<LiveStream*> streams_;
  bool closed_ = false;
  grpc::Status closed_status_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_LIVE_STREAMS_H_
