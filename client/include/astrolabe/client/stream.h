// The events of one job, as they come.
//
//   absl::StatusOr<EventStream> stream = client.Solve(request);
//   if (!stream.ok()) return stream.status();
//   for (const Event& event : *stream) {
//     if (const auto* nodes = event.As<NodeBatch>()) Draw(*nodes);
//   }
//   absl::StatusOr<Result> result = stream->Wait();
#ifndef ASTROLABE_CLIENT_STREAM_H_
#define ASTROLABE_CLIENT_STREAM_H_

#include <functional>
#include <iterator>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "astrolabe/client/event.h"
#include "astrolabe/client/export.h"

namespace astrolabe::client {

// What EventStream::Run calls, on its caller's thread, in the order of the stream. Unset ones are skipped.
struct EventHandlers {
  std::function<void(const Event&, const JobAccepted&)> accepted;
  std::function<void(const Event&, const StateChanged&)> state;
  std::function<void(const Event&, const Preparing&)> preparing;
  std::function<void(const Event&, const Progress&)> progress;
  std::function<void(const Event&, const NodeBatch&)> nodes;
  std::function<void(const Event&, const Iteration&)> iteration;
  std::function<void(const Event&, const Improvement&)> improvement;
  std::function<void(const Event&, const LogLine&)> log;
  std::function<void(const Event&, const Gap&)> gap;
  std::function<void(const Event&, const Heartbeat&)> heartbeat;
  std::function<void(const Event&)> any;  // every event, before the particular one
};

// Owns the call; keeps the connection alive. Destroying it before the end ends the call: that cancels the job of a
// Solve without `detach`, and never that of a WatchJob. Cancel() and Abort() may be called from any thread; all other
// members belong to one thread at a time.
class ASTROLABE_CLIENT_EXPORT EventStream {
 public:
  class ASTROLABE_CLIENT_HIDDEN Impl;
  explicit EventStream(std::unique_ptr<Impl> impl);
  EventStream(EventStream&&) noexcept;
  EventStream& operator=(EventStream&&) noexcept;
  ~EventStream();

  // "jobs/<id>".
  const std::string& job() const;

  // Blocks until the next event. False at the end; then status() says why. Reuses the memory of *event.
  bool Next(Event* event);

  // OK when the stream ended with its Result; unspecified before the end. Otherwise what went wrong with the call.
  // How the search ended is not an error: see Result::outcome.
  absl::Status status() const;

  // Reads the rest. The job's Result, also when it was read already; else status().
  absl::StatusOr<Result> Wait();

  // Reads the rest, calling the handlers.
  absl::StatusOr<Result> Run(const EventHandlers& handlers);

  // Asks the server to stop the job. Returns when the server has taken note; the Result, with the best found so far,
  // still comes through the stream. Idempotent.
  absl::Status Cancel();

  // Ends the call at once, without a Result: Next returns false, status() is CANCELLED.
  void Abort();

  // Single-pass. The event is valid until the iterator moves on.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Event;
    using difference_type = std::ptrdiff_t;
    using pointer = const Event*;
    using reference = const Event&;

    Iterator() = default;
    explicit Iterator(EventStream* stream) : stream_(stream), event_(std::make_shared<Event>()) { ++*this; }
    reference operator*() const { return *event_; }
    pointer operator->() const { return event_.get(); }
    Iterator& operator++() {
      if (!stream_->Next(event_.get())) stream_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.stream_ == b.stream_; }

   private:
    EventStream* stream_ = nullptr;
    std::shared_ptr<Event> event_;
  };

  // Reads the first event. Call once.
  Iterator begin() { return Iterator(this); }
  Iterator end() { return Iterator(); }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_STREAM_H_
