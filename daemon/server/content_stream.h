// The reactor of ReadContent: cuts a content into chunks, one write in flight.
#ifndef ASTROLABE_DAEMON_SERVER_CONTENT_STREAM_H_
#define ASTROLABE_DAEMON_SERVER_CONTENT_STREAM_H_

#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "astrolabe/v1/solver.pb.h"
#include "daemon/server/live_streams.h"
#include "daemon/server/service_context.h"
#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {

inline constexpr size_t kContentChunkBytes = 256u << 10;

// Deletes itself when done. An empty content is a stream without chunks.
class ContentStream final : public grpc::ServerWriteReactor<v1::ReadContentResponse>, public LiveStream {
 public:
  static ContentStream* Start(ServiceContext* context, std::shared_ptr<const std::string> content);

  void Abort(const grpc::Status& status) override;
  void OnWriteDone(bool ok) override;
  void OnDone() override;

 private:
  ContentStream(ServiceContext* context, std::shared_ptr<const std::string> content);
  // Writes the next chunk, or finishes. No write is in flight.
  void Next();

  ServiceContext* const context_;
  const std::shared_ptr<const std::string> content_;
  std::mutex mutex_;
  std::optional<grpc::Status> aborted_;
  size_t offset_ = 0;
  v1::ReadContentResponse response_;
};

// A stream that ends at once with an error.
class FailedContentStream final : public grpc::ServerWriteReactor<v1::ReadContentResponse> {
 public:
  explicit FailedContentStream(const grpc::Status& status) {
    const TsanHandOver hand_over(this);
    Finish(status);
  }
  void OnDone() override {
    TsanAcquire(this);
    delete this;
  }
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_CONTENT_STREAM_H_
