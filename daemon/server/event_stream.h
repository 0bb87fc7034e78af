// The reactor of Solve and WatchJob: pulls a jobs::Watch and writes what it gives, one write in flight.
//
// It owns itself: OnDone deletes it. Invariants: (1) at most one thread polls the watch, at most one write
// is in flight, never both; (2) Finish (or StartWriteAndFinish) is called exactly once; (3) no callback
// blocks; (4) after Finish nothing but OnDone touches the object, but for notifications, which see that
// it is over; OnDone closes the watch first, so none runs when the object goes.
#ifndef ASTROLABE_DAEMON_SERVER_EVENT_STREAM_H_
#define ASTROLABE_DAEMON_SERVER_EVENT_STREAM_H_

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "daemon/jobs/job_service.h"
#include "daemon/server/live_streams.h"
#include "daemon/server/service_context.h"
#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {

class EventStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer>, public LiveStream {
 public:
  // `on_abandoned` (may be empty) is called at most once, when the client left or the RPC's deadline passed
  // before the last event was handed to gRPC. Returns the reactor to give to gRPC.
  static EventStream* Start(ServiceContext* context, std::unique_ptr<jobs::Watch> watch,
                            std::function<void()> on_abandoned);

  void Abort(const grpc::Status& status) override;

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  enum class State { kIdle, kPolling, kWriting, kFinishing };

  EventStream(ServiceContext* context, std::unique_ptr<jobs::Watch> watch, std::function<void()> on_abandoned);

  // Polls and writes until there is nothing to do or a write is in flight.
  void Pump();
  // Fills ahead_ or failed_, unless one is filled already. Called by the one polling thread.
  jobs::Watch::Next PollAhead();
  void Write();
  void FinishOnce(const grpc::Status& status);
  // The status to end with at once, if somebody asked for that. mutex_ held.
  std::optional<grpc::Status> EndRequested() const;

  ServiceContext* const context_;
  const std::unique_ptr<jobs::Watch> watch_;

  std::mutex mutex_;
  State state_ = State::kIdle;
  bool wake_ = false;       // Poll may have something
  bool cancelled_ = false;  // the client is gone
  std::optional<grpc::Status> aborted_;
  std::function<void()> on_abandoned_;

  // Touched only by the thread that polls or writes.
  std::optional<jobs::EncodedEvent> ahead_;
  std::optional<Error> failed_;
  grpc::ByteBuffer buffer_;
  bool headers_sent_ = false;
};

// A stream that ends at once with an error.
class FailedStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  explicit FailedStream(const grpc::Status& status) {
    const TsanHandOver hand_over(this);
    Finish(status);
  }
  void OnDone() override {
    TsanAcquire(this);
    delete this;
  }
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_EVENT_STREAM_H_
