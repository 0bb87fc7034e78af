#include "daemon/server/path_call.h"

#include <string>
#include <utility>

#include "daemon/server/error_status.h"
#include "daemon/server/parse_request.h"
#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {
namespace {

std::optional<Error> FaultOf(const v1::ValidatePathRequest& request, bool first) {
  if (request.has_instance() != first) {
    return InvalidField("instance", first ? "must be in the first message" : "may only be in the first message");
  }
  if (request.ops_size() > 0 && request.op_names_size() > 0) {
    return InvalidField("op_names", "a message has moves as numbers or as words, not both");
  }
  return std::nullopt;
}

Error NoFirstMessage() {
  return MakeError(ErrorCode::kFailedPrecondition, "PATH_TIMEOUT",
                   "no message came within " + std::to_string(PathCall::kFirstMessageLimit.count()) +
                       " s; open the call when the path is at hand");
}

}  // namespace

PathCall* PathCall::Start(ServiceContext* context, jobs::JobService* jobs, grpc::ByteBuffer* response) {
  auto* call = new PathCall(context, jobs, response);
  const SharedPtr shared = call->shared_;
  shared->open = call;
  context->activity.Touch();
  call->first_message_timer_ = context->timers->Schedule(context->timers->now() + kFirstMessageLimit,
                                                         [shared] { End(shared, ToGrpcStatus(NoFirstMessage())); });
  call->Read();
  grpc::Status refusal;
  if (!context->streams.Join(call, &refusal)) End(shared, refusal);
  return call;
}

void PathCall::Read() {
  const TsanHandOver hand_over(this);
  StartRead(&buffer_);
}

void PathCall::Pump(const SharedPtr& shared, const std::function<void(Shared&)>& note) {
  // Whatever is dropped here dies after the lock.
  std::shared_ptr<jobs::PathFeed> feed;
  std::optional<Ending> ending;
  PathCall* call = nullptr;
  {
    std::unique_lock lock(shared->mutex);
    note(*shared);
    if (shared->open == nullptr) {
      feed = std::move(shared->feed);
      return;
    }
    if (shared->busy) return;
    shared->busy = true;
    call = shared->open;
    while (!shared->ending) {
      if (!shared->wanted || !shared->piece || shared->feed == nullptr) {
        shared->busy = false;
        return;
      }
      shared->wanted = false;
      v1::ValidatePathRequest piece = *std::exchange(shared->piece, std::nullopt);
      const bool last = shared->last;
      feed = shared->feed;
      lock.unlock();
      feed->Send(std::move(piece), last);
      if (!last) call->Read();
      lock.lock();
    }
    ending = std::move(shared->ending);
    feed = std::move(shared->feed);
    shared->open = nullptr;
  }
  call->FinishWith(*ending);
}

void PathCall::End(const SharedPtr& shared, grpc::Status status, v1::ValidatePathResponse response) {
  Pump(shared, [&](Shared& state) {
    if (!state.ending) state.ending = Ending{std::move(status), std::move(response)};
  });
}

void PathCall::FinishWith(const Ending& ending) {
  *response_ = ToBytes(ending.response);
  const TsanHandOver hand_over(this);
  Finish(ending.status);
}

void PathCall::Begin(const v1::InstanceRef& instance) {
  auto wanted = [shared = shared_] { Pump(shared, [](Shared& state) { state.wanted = true; }); };
  auto done = [shared = shared_](Result<v1::ValidatePathResponse> result) {
    if (result.ok()) return End(shared, grpc::Status::OK, std::move(*result));
    End(shared, ToGrpcStatus(result.error()));
  };
  auto feed = jobs_->ValidatePath(instance, std::move(wanted), std::move(done));
  Pump(shared_, [&](Shared& state) { state.feed = std::move(feed); });
}

void PathCall::OnReadDone(bool ok) {
  const TsanCallback callback(this);
  const bool first = !std::exchange(begun_, true);
  if (first) context_->timers->Cancel(first_message_timer_);  // when it goes off just now, it is the end all the same
  if (!ok && first) return End(shared_, ToGrpcStatus(InvalidField("instance", "must be in the first message")));
  v1::ValidatePathRequest piece;
  if (ok) {
    const auto take = [&](v1::ValidatePathRequest message,
                          RequestBudget::Share share) -> Result<v1::ValidatePathRequest> {
      if (first) share_ = std::move(share);
      return message;
    };
    Result<v1::ValidatePathRequest> request = UseRequest<v1::ValidatePathRequest>(buffer_, &context_->requests, take);
    if (!request.ok()) return End(shared_, ToGrpcStatus(request.error()));
    if (const auto fault = FaultOf(*request, first)) return End(shared_, ToGrpcStatus(*fault));
    piece = std::move(*request);
  }
  buffer_.Clear();
  const v1::InstanceRef instance = std::move(*piece.mutable_instance());
  Pump(shared_, [&](Shared& state) {
    state.piece = std::move(piece);
    state.last = !ok;
  });
  if (first) Begin(instance);
}

void PathCall::OnCancel() {
  const TsanCallback callback(this);
  End(shared_, grpc::Status::CANCELLED);
}

void PathCall::Abort(const grpc::Status& status) { End(shared_, status); }

void PathCall::OnDone() {
  TsanAcquire(this);
  context_->activity.Touch();
  context_->streams.Leave(this);
  delete this;
}

}  // namespace astrolabe::server
