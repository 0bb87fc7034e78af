// The call behind an EventStream. Messages are read as bytes, so that node batches are decoded by hand.
#ifndef ASTROLABE_CLIENT_SRC_STREAM_IMPL_H_
#define ASTROLABE_CLIENT_SRC_STREAM_IMPL_H_

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "astrolabe/client/stream.h"
#include "client/src/connection.h"
#include "grpcpp/client_context.h"
#include "grpcpp/impl/rpc_method.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/sync_stream.h"

namespace astrolabe::client {

class EventStream::Impl {
 public:
  // Starts the call. deadline 0: none. `method` is a literal.
  template <typename Request>
  Impl(std::shared_ptr<Client::Connection> connection, const char* method, const Request& request,
       std::chrono::milliseconds deadline)
      : connection_(std::move(connection)) {
    site_ = {connection_->options.address, deadline};
    if (deadline.count() != 0) context_.set_deadline(std::chrono::system_clock::now() + deadline);
    const grpc::internal::RpcMethod rpc(method, grpc::internal::RpcMethod::SERVER_STREAMING);
    reader_.reset(grpc::internal::ClientReaderFactory<grpc::ByteBuffer>::Create(connection_->channel.get(), rpc,
                                                                                &context_, request));
  }
  // Ends the call if it has not ended yet.
  ~Impl();

  // Waits for the first event, which the first Next() gives, or the error that the server answered instead.
  absl::Status ReadFirst();
  bool Next(Event* event);
  absl::Status Cancel();
  void Abort() { context_.TryCancel(); }

  const std::string& job() const { return job_; }
  const absl::Status& status() const { return status_; }
  const std::optional<Result>& result() const { return result_; }

 private:
  bool Read(Event* event);
  bool Decode(const grpc::ByteBuffer& buffer, Event* event);
  void Finish();

  std::shared_ptr<Client::Connection> connection_;
  CallSite site_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<grpc::ByteBuffer>> reader_;
  std::string job_;  // known, and never changed, from ReadFirst on
  std::optional<Event> first_;
  std::optional<Result> result_;
  absl::Status status_;
  bool finished_ = false;
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_STREAM_IMPL_H_
