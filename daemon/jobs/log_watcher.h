// EventLog's side of one Watch.
#ifndef ASTROLABE_DAEMON_JOBS_LOG_WATCHER_H_
#define ASTROLABE_DAEMON_JOBS_LOG_WATCHER_H_

#include <chrono>
#include <memory>
#include <optional>

#include "daemon/jobs/event_log.h"

namespace astrolabe::jobs {

// Guarded by the log's mutex, but for the notifier, which has its own.
struct EventLog::Watcher : std::enable_shared_from_this<EventLog::Watcher> {
  Watcher(const EventStore& store, int64_t from, bool with_nodes) : cursor(store, from, with_nodes) {}

  void Wake(Outbox* out) {
    armed = false;
    out->Add([notifier = notifier] { notifier->Call(); });
  }

  const std::shared_ptr<Notifier> notifier = std::make_shared<Notifier>();
  WatchCursor cursor;
  bool attached = true;
  bool block = false;      // the search waits for it
  bool armed = false;      // the last Poll said kWait and nobody was woken since
  bool caught_up = false;  // the last Poll found nothing, and nothing was logged since
  TimePoint stalled_since;
  TimePoint last_sent;
  std::chrono::milliseconds progress_interval{1000};
  TimePoint next_progress;
  uint64_t progress_seen = 0;
  std::optional<TimerQueue::Id> timer;
  TimePoint timer_at = TimePoint::max();
};

// What the adapters hold.
class LogWatch : public Watch {
 public:
  LogWatch(std::shared_ptr<EventLog> log, std::shared_ptr<EventLog::Watcher> watcher)
      : log_(std::move(log)), watcher_(std::move(watcher)) {}
  ~LogWatch() override { Close(); }

  Next Poll(EncodedEvent* out, Error* error) override;
  void SetNotify(std::function<void()> ready) override;
  void Close() override;

 private:
  const std::shared_ptr<EventLog> log_;
  const std::shared_ptr<EventLog::Watcher> watcher_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_LOG_WATCHER_H_
