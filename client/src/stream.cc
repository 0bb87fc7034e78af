#include "astrolabe/client/stream.h"

#include <utility>

#include "client/src/byte_buffer.h"
#include "client/src/convert_event.h"
#include "client/src/node_batch.h"
#include "client/src/stream_impl.h"

namespace astrolabe::client {
namespace {

// Calls the handler for the body's kind, if there is one.
struct Dispatch {
  const EventHandlers& handlers;
  const Event& event;

  void operator()(const std::monostate&) const {}
  void operator()(const JobAccepted& body) const { Call(handlers.accepted, body); }
  void operator()(const StateChanged& body) const { Call(handlers.state, body); }
  void operator()(const Preparing& body) const { Call(handlers.preparing, body); }
  void operator()(const Progress& body) const { Call(handlers.progress, body); }
  void operator()(const NodeBatch& body) const { Call(handlers.nodes, body); }
  void operator()(const Iteration& body) const { Call(handlers.iteration, body); }
  void operator()(const Improvement& body) const { Call(handlers.improvement, body); }
  void operator()(const LogLine& body) const { Call(handlers.log, body); }
  void operator()(const Gap& body) const { Call(handlers.gap, body); }
  void operator()(const Heartbeat& body) const { Call(handlers.heartbeat, body); }
  void operator()(const Result&) const {}  // what Run returns

  template <typename Handler, typename Body>
  void Call(const Handler& handler, const Body& body) const {
    if (handler) handler(event, body);
  }
};

}  // namespace

EventStream::Impl::~Impl() {
  if (finished_) return;
  context_.TryCancel();
  grpc::ByteBuffer buffer;
  while (reader_->Read(&buffer)) {
  }
  reader_->Finish();
}

absl::Status EventStream::Impl::ReadFirst() {
  Event event;
  if (!Read(&event)) return status_;
  job_ = event.job;
  first_ = std::move(event);
  return absl::OkStatus();
}

bool EventStream::Impl::Next(Event* event) {
  if (first_) {
    *event = std::move(*first_);
    first_.reset();
    return true;
  }
  return Read(event);
}

bool EventStream::Impl::Read(Event* event) {
  if (finished_) return false;
  grpc::ByteBuffer buffer;
  if (!reader_->Read(&buffer)) {
    Finish();
    return false;
  }
  if (!Decode(buffer, event)) {
    context_.TryCancel();
    Finish();
    status_ = absl::InternalError("the server sent an event that is not valid");
    return false;
  }
  if (const auto* result = event->As<Result>()) result_ = *result;
  return true;
}

bool EventStream::Impl::Decode(const grpc::ByteBuffer& buffer, Event* event) {
  const auto message = std::make_shared<const std::string>(ToString(buffer));
  if (DecodeNodesResponse(message, event)) return true;
  // WatchJobResponse has the same fields.
  v1::SolveResponse response;
  if (!response.ParseFromString(*message)) return false;
  *event = FromProto(response.event());
  return true;
}

void EventStream::Impl::Finish() {
  finished_ = true;
  grpc::ByteBuffer rest;
  while (reader_->Read(&rest)) {
  }
  status_ = FromGrpc(reader_->Finish(), site_);
  // Whatever happens to the connection after the Result does not matter any more.
  if (result_) {
    status_ = absl::OkStatus();
  } else if (status_.ok()) {
    status_ = absl::InternalError("the server ended the stream without a result");
  }
}

absl::Status EventStream::Impl::Cancel() {
  v1::CancelJobRequest request;
  request.set_name(job_);
  v1::CancelJobResponse response;
  return connection_->Call(connection_->site(), connection_->solver.get(), &v1::SolverService::Stub::CancelJob, request,
                           &response);
}

EventStream::EventStream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EventStream::EventStream(EventStream&&) noexcept = default;
EventStream& EventStream::operator=(EventStream&&) noexcept = default;
EventStream::~EventStream() = default;

const std::string& EventStream::job() const { return impl_->job(); }
bool EventStream::Next(Event* event) { return impl_->Next(event); }
absl::Status EventStream::status() const { return impl_->status(); }
absl::Status EventStream::Cancel() { return impl_->Cancel(); }
void EventStream::Abort() { impl_->Abort(); }

absl::StatusOr<Result> EventStream::Wait() { return Run({}); }

absl::StatusOr<Result> EventStream::Run(const EventHandlers& handlers) {
  Event event;
  while (Next(&event)) {
    if (handlers.any) handlers.any(event);
    std::visit(Dispatch{handlers, event}, event.body);
  }
  if (!status().ok()) return status();
  return *impl_->result();
}

}  // namespace astrolabe::client
