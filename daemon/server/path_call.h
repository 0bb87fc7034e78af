// The reactor of ValidatePath: hands the client's messages to a worker, one at a time, and answers.
//
// It reads one message ahead of the worker; so gRPC holds the client back when the worker is slow. A client that sends
// no first message within kFirstMessageLimit is answered with the error of a path that took too long; from the first
// message on, the job service has the limit (PathRequest). It owns itself:
// OnDone deletes it. Invariants: (1) at most one read is in flight, and none while a message waits to be handed over;
// (2) Finish is called once, by the thread that is busy (Pump), so none uses the reactor after it; (3) no callback
// blocks; (4) what the job service calls back holds Shared and not the reactor: it may come late.
#ifndef ASTROLABE_DAEMON_SERVER_PATH_CALL_H_
#define ASTROLABE_DAEMON_SERVER_PATH_CALL_H_

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "daemon/base/result.h"
#include "daemon/jobs/job_service.h"
#include "daemon/jobs/timer_queue.h"
#include "daemon/server/live_streams.h"
#include "daemon/server/request_budget.h"
#include "daemon/server/service_context.h"

namespace astrolabe::server {

// Raw: a message that cannot be parsed must not look like the end of the path.
class PathCall final : public grpc::ServerReadReactor<grpc::ByteBuffer>, public LiveStream {
 public:
  static constexpr std::chrono::seconds kFirstMessageLimit{60};

  // All outlive the call. Returns the reactor to give to gRPC.
  static PathCall* Start(ServiceContext* context, jobs::JobService* jobs, grpc::ByteBuffer* response);

  void Abort(const grpc::Status& status) override;

  void OnReadDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  struct Ending {
    grpc::Status status;
    v1::ValidatePathResponse response;
  };
  struct Shared {
    std::mutex mutex;
    // All guarded by mutex.
    PathCall* open = nullptr;  // until Finish
    bool busy = false;         // a thread is in Pump
    bool wanted = false;       // the worker waits for a piece
    std::optional<v1::ValidatePathRequest> piece;
    bool last = false;  // it is the last one
    std::shared_ptr<jobs::PathFeed> feed;
    std::optional<Ending> ending;
  };
  using SharedPtr = std::shared_ptr<Shared>;

  PathCall(ServiceContext* context, jobs::JobService* jobs, grpc::ByteBuffer* response)
      : context_(context), jobs_(jobs), response_(response) {}

  // Changes the state by `note`, then does what there is to do, unless a thread is at it already. Any thread.
  static void Pump(const SharedPtr& shared, const std::function<void(Shared&)>& note);
  static void End(const SharedPtr& shared, grpc::Status status, v1::ValidatePathResponse response = {});

  void Begin(const v1::InstanceRef& instance);
  void Read();
  void FinishWith(const Ending& ending);

  ServiceContext* const context_;
  jobs::JobService* const jobs_;
  grpc::ByteBuffer* const response_;
  const SharedPtr shared_ = std::make_shared<Shared>();
  grpc::ByteBuffer buffer_;                   // of the read in flight
  bool begun_ = false;                        // touched by OnReadDone alone
  RequestBudget::Share share_;                // of the first message: its instance is kept; as above
  jobs::TimerQueue::Id first_message_timer_;  // set before the first read
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_PATH_CALL_H_
