#include "daemon/server/verify_stream.h"

#include <utility>

#include "daemon/server/cache_convert.h"
#include "daemon/server/error_status.h"

namespace astrolabe::server {

VerifyStream::VerifyStream(ServiceContext* context, CacheStore* store, TaskThread* thread,
                           std::optional<std::vector<CacheKey>> keys)
    : context_(context), store_(store), thread_(thread), named_(keys.has_value()), keys_(std::move(keys)) {}

VerifyStream* VerifyStream::Start(ServiceContext* context, CacheStore* store, TaskThread* thread,
                                  std::optional<std::vector<CacheKey>> keys) {
  auto* stream = new VerifyStream(context, store, thread, std::move(keys));
  grpc::Status refusal;
  if (!context->streams.Join(stream, &refusal)) stream->Abort(refusal);
  stream->Schedule();
  return stream;
}

void VerifyStream::Abort(const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  if (!aborted_.has_value()) aborted_ = status;
  stop_ = true;
}

void VerifyStream::OnCancel() { Abort(grpc::Status::CANCELLED); }

void VerifyStream::Schedule() {
  thread_->Run([this](bool may_run) {
    if (!may_run) return End({grpc::StatusCode::UNAVAILABLE, "the server is stopping"});
    Next();
  });
}

std::optional<grpc::Status> VerifyStream::ListAll() {
  const Result<std::vector<CacheEntry>> entries = store_->List();
  if (!entries.ok()) return ToGrpcStatus(entries.error());
  keys_.emplace();
  for (const CacheEntry& entry : *entries) {
    if (entry.state != CacheState::kRemoved) keys_->push_back(entry.file.key);
  }
  return std::nullopt;
}

void VerifyStream::Next() {
  if (!keys_) {
    if (const std::optional<grpc::Status> failed = ListAll()) return End(*failed);
  }
  while (next_ < keys_->size()) {
    const Result<CacheEntry> entry = store_->Check((*keys_)[next_++], [this] { return stop_.load(); });
    if (stop_) break;
    if (!entry.ok()) {
      if (!named_ && entry.error().code == ErrorCode::kNotFound) continue;
      return End(ToGrpcStatus(entry.error()));
    }
    *response_.mutable_file() = ToProto(*entry);
    context_->activity.Touch();
    const TsanHandOver hand_over(this);
    return StartWrite(&response_);
  }
  End(grpc::Status::OK);
}

void VerifyStream::End(const grpc::Status& status) {
  std::optional<grpc::Status> aborted;
  {
    const std::lock_guard lock(mutex_);
    aborted = aborted_;
  }
  const TsanHandOver hand_over(this);
  Finish(aborted.value_or(status));
}

void VerifyStream::OnWriteDone(bool ok) {
  const TsanCallback callback(this);
  if (!ok) return End(grpc::Status::CANCELLED);
  Schedule();
}

void VerifyStream::OnDone() {
  TsanAcquire(this);
  context_->activity.Touch();
  context_->streams.Leave(this);
  delete this;
}

}  // namespace astrolabe::server
