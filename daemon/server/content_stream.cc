#include "daemon/server/content_stream.h"

#include <algorithm>
#include <utility>

#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {

ContentStream::ContentStream(ServiceContext* context, std::shared_ptr<const std::string> content)
    : context_(context), content_(std::move(content)) {}

ContentStream* ContentStream::Start(ServiceContext* context, std::shared_ptr<const std::string> content) {
  auto* stream = new ContentStream(context, std::move(content));
  grpc::Status refusal;
  if (!context->streams.Join(stream, &refusal)) stream->Abort(refusal);
  stream->Next();
  return stream;
}

// A chunk is always being written, so it is enough to leave word: the end comes with its OnWriteDone.
void ContentStream::Abort(const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  if (!aborted_.has_value()) aborted_ = status;
}

void ContentStream::Next() {
  std::optional<grpc::Status> end;
  {
    const std::lock_guard lock(mutex_);
    end = aborted_;
  }
  if (!end.has_value() && offset_ == content_->size()) end = grpc::Status::OK;
  if (end.has_value()) {
    const TsanHandOver hand_over(this);
    return Finish(*end);
  }
  const size_t size = std::min(kContentChunkBytes, content_->size() - offset_);
  response_.set_chunk(content_->data() + offset_, size);
  offset_ += size;
  context_->counters.bytes.fetch_add(static_cast<int64_t>(size), std::memory_order_relaxed);
  const bool last = offset_ == content_->size();
  const TsanHandOver hand_over(this);
  if (last) {
    StartWriteAndFinish(&response_, grpc::WriteOptions(), grpc::Status::OK);
  } else {
    StartWrite(&response_);
  }
}

void ContentStream::OnWriteDone(bool ok) {
  const TsanCallback callback(this);
  if (!ok) {
    const TsanHandOver hand_over(this);
    return Finish(grpc::Status::CANCELLED);
  }
  Next();
}

void ContentStream::OnDone() {
  TsanAcquire(this);
  context_->activity.Touch();
  context_->streams.Leave(this);
  delete this;
}

}  // namespace astrolabe::server
