#include "daemon/server/event_stream.h"

#include <cassert>
#include <utility>

#include "daemon/server/error_status.h"
#include "daemon/server/event_envelope.h"
#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {

using Next = jobs::Watch::Next;

EventStream::EventStream(ServiceContext* context, std::unique_ptr<jobs::Watch> watch,
                         std::function<void()> on_abandoned)
    : context_(context), watch_(std::move(watch)), on_abandoned_(std::move(on_abandoned)) {}

EventStream* EventStream::Start(ServiceContext* context, std::unique_ptr<jobs::Watch> watch,
                                std::function<void()> on_abandoned) {
  auto* stream = new EventStream(context, std::move(watch), std::move(on_abandoned));
  context->counters.streams.fetch_add(1, std::memory_order_relaxed);
  context->activity.Touch();
  stream->watch_->SetNotify([stream] { stream->Pump(); });
  grpc::Status refusal;
  if (context->streams.Join(stream, &refusal)) {
    stream->Pump();
  } else {
    stream->Abort(refusal);
  }
  return stream;
}

void EventStream::Pump() {
  std::unique_lock lock(mutex_);
  wake_ = true;
  while (wake_ && state_ == State::kIdle) {
    wake_ = false;
    state_ = State::kPolling;
    lock.unlock();
    const Next next = PollAhead();
    lock.lock();
    if (const std::optional<grpc::Status> end = EndRequested()) {
      state_ = State::kFinishing;
      lock.unlock();
      return FinishOnce(*end);
    }
    switch (next) {
      case Next::kWait:
        state_ = State::kIdle;
        break;
      case Next::kError:
        state_ = State::kFinishing;
        lock.unlock();
        return FinishOnce(ToGrpcStatus(*failed_));
      case Next::kEvent:
        // The last write needs no OnWriteDone: it carries the status.
        state_ = ahead_->last ? State::kFinishing : State::kWriting;
        if (ahead_->last) on_abandoned_ = nullptr;
        lock.unlock();
        return Write();
    }
  }
}

Next EventStream::PollAhead() {
  if (ahead_.has_value()) return Next::kEvent;
  if (failed_.has_value()) return Next::kError;
  jobs::EncodedEvent event;
  Error error;
  const Next next = watch_->Poll(&event, &error);
  if (next == Next::kEvent) ahead_ = std::move(event);
  if (next == Next::kError) failed_ = std::move(error);
  return next;
}

// In state kWriting or, with the last event, kFinishing: no other thread is here. After the call into
// gRPC the object may be gone.
void EventStream::Write() {
  const bool last = ahead_->last;
  buffer_ = WrapEvent(*std::exchange(ahead_, std::nullopt));
  context_->counters.events.fetch_add(1, std::memory_order_relaxed);
  context_->counters.bytes.fetch_add(static_cast<int64_t>(buffer_.Length()), std::memory_order_relaxed);
  if (last) {
    const TsanHandOver hand_over(this);
    return StartWriteAndFinish(&buffer_, grpc::WriteOptions(), grpc::Status::OK);
  }
  grpc::WriteOptions options;
  // With more at hand the transport need not flush yet. Never so with the first write: it carries the headers,
  // and gRPC leaves headers of a buffered message unsent without completing the write (seen with 1.51).
  const bool more = PollAhead() != Next::kWait;
  if (more && headers_sent_) options.set_buffer_hint();
  headers_sent_ = true;
  const TsanHandOver hand_over(this);
  StartWrite(&buffer_, options);
}

void EventStream::OnWriteDone(bool ok) {
  const TsanCallback callback(this);
  {
    std::unique_lock lock(mutex_);
    assert(state_ == State::kWriting);
    std::optional<grpc::Status> end = EndRequested();
    if (!ok && !end.has_value()) end = grpc::Status(grpc::StatusCode::CANCELLED, "the client is gone");
    if (end.has_value()) {
      state_ = State::kFinishing;
      lock.unlock();
      return FinishOnce(*end);
    }
    state_ = State::kIdle;
  }
  Pump();
}

void EventStream::OnCancel() {
  const TsanCallback callback(this);
  std::function<void()> abandoned;
  bool finish = false;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    abandoned = std::exchange(on_abandoned_, nullptr);
    finish = state_ == State::kIdle;
    if (finish) state_ = State::kFinishing;
  }
  if (abandoned) abandoned();
  if (finish) FinishOnce(grpc::Status::CANCELLED);
}

void EventStream::Abort(const grpc::Status& status) {
  bool finish = false;
  {
    const std::lock_guard lock(mutex_);
    if (!aborted_.has_value()) aborted_ = status;
    finish = state_ == State::kIdle;
    if (finish) state_ = State::kFinishing;
  }
  if (finish) FinishOnce(status);
}

void EventStream::OnDone() {
  TsanAcquire(this);
  watch_->Close();
  // A stream that broke without OnCancel is abandoned all the same. Nobody else is here any more.
  if (const auto abandoned = std::exchange(on_abandoned_, nullptr)) abandoned();
  context_->activity.Touch();
  context_->streams.Leave(this);
  delete this;
}

void EventStream::FinishOnce(const grpc::Status& status) {
  const TsanHandOver hand_over(this);
  Finish(status);
}

std::optional<grpc::Status> EventStream::EndRequested() const {
  if (aborted_.has_value()) return aborted_;
  if (cancelled_) return grpc::Status::CANCELLED;
  return std::nullopt;
}

}  // namespace astrolabe::server
