// The reactor of VerifyCacheFiles: reads one file, sends what it is, reads the next.
#ifndef ASTROLABE_DAEMON_SERVER_VERIFY_STREAM_H_
#define ASTROLABE_DAEMON_SERVER_VERIFY_STREAM_H_

#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "astrolabe/v1/cache.pb.h"
#include "daemon/base/cache_file.h"
#include "daemon/server/cache_store.h"
#include "daemon/server/live_streams.h"
#include "daemon/server/service_context.h"
#include "daemon/server/task_thread.h"
#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {

// Deletes itself when done. Files are read on the task thread, so that streams take turns; at any time either a task is
// waiting or running, or a write is in flight, and whoever that is ends the stream. A client that leaves, and Abort,
// leave word: the reading stops within the time that one MiB takes.
class VerifyStream final : public grpc::ServerWriteReactor<v1::VerifyCacheFilesResponse>, public LiveStream {
 public:
  // Keys: which files, in order; nullopt: all. A file of `keys` that is not there ends the stream with NOT_FOUND; one
  // of all files that was removed meanwhile is passed over.
  static VerifyStream* Start(ServiceContext* context, CacheStore* store, TaskThread* thread,
                             std::optional<std::vector<CacheKey>> keys);

  void Abort(const grpc::Status& status) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  VerifyStream(ServiceContext* context, CacheStore* store, TaskThread* thread,
               std::optional<std::vector<CacheKey>> keys);
  void Schedule();
  // On the task thread.
  void Next();
  std::optional<grpc::Status> ListAll();
  void End(const grpc::Status& status);

  ServiceContext* const context_;
  CacheStore* const store_;
  TaskThread* const thread_;
  const bool named_;
  std::optional<std::vector<CacheKey>> keys_;
  size_t next_ = 0;
  v1::VerifyCacheFilesResponse response_;

  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::optional<grpc::Status> aborted_;
};

// A stream that ends at once with an error.
class FailedVerifyStream final : public grpc::ServerWriteReactor<v1::VerifyCacheFilesResponse> {
 public:
  explicit FailedVerifyStream(const grpc::Status& status) {
    const TsanHandOver hand_over(this);
    Finish(status);
  }
  void OnDone() override {
    TsanAcquire(this);
    delete this;
  }
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_VERIFY_STREAM_H_
