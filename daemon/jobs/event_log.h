// The event log of one job and its watchers.
//
// Nouns: the *store* keeps what is logged; a *watcher* has a cursor on it; *credit* is how many node bytes the
// worker may still send.
// Invariants:
// (1) one mutex guards all of a log, it is a leaf (only the timer queue's is taken under it), and nothing is called
//     out under it: whom to wake and what credit to give goes to the caller's Outbox;
// (2) node bytes that were received and not given back as credit never exceed the window by more than one batch, and
//     a batch is given back when every BLOCK watcher has taken it (at once without one): lossless and bounded;
// (3) a batch that a BLOCK watcher has yet to take is never evicted; a DROP watcher holds nothing back;
// (4) after the Result nothing is logged; a watcher gets it exactly once, last.
// Watches keep their log alive: it may outlast its job and its service.
#ifndef ASTROLABE_DAEMON_JOBS_EVENT_LOG_H_
#define ASTROLABE_DAEMON_JOBS_EVENT_LOG_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "astrolabe/v1/solver.pb.h"
#include "daemon/base/result.h"
#include "daemon/jobs/budget.h"
#include "daemon/jobs/event_store.h"
#include "daemon/jobs/job_service.h"
#include "daemon/jobs/outbox.h"
#include "daemon/jobs/timer_queue.h"
#include "daemon/jobs/watch_cursor.h"

namespace astrolabe::jobs {

struct LogOptions {
  int64_t node_bytes = 16ll << 20;   // node batches kept
  int64_t window_bytes = 4ll << 20;  // credit: node bytes on their way to BLOCK watchers
  std::chrono::milliseconds heartbeat{15000};
  std::chrono::milliseconds block_timeout{30000};
};

// Who may send node bytes. Called without locks; must not block.
class CreditSink {
 public:
  virtual ~CreditSink() = default;
  virtual void ReturnCredit(int64_t bytes) = 0;
};

class EventLog : public std::enable_shared_from_this<EventLog> {
 public:
  EventLog(std::string job, const LogOptions& options, std::shared_ptr<TimerQueue> timers,
           std::shared_ptr<Budget> budget);
  ~EventLog();

  // All appends are ignored after Close. `cost` is an improvement's.
  void Append(EntryKind kind, const Payload& payload, Outbox* out, int64_t cost = 0);
  // False: the worker sent far more than its credit allows; nothing was logged.
  [[nodiscard]] bool AppendNodes(int64_t first_ordinal, int64_t count, std::string batch, Outbox* out);
  // The latest replaces the ones before; each watcher gets it at its own interval.
  void SetProgress(const Payload& progress, Outbox* out);
  // Fills in result->events and logs it, as the last event. Ignored when closed.
  void Close(v1::Result* result, Outbox* out);

  // Instead of all appends, for a job that a daemon before has run: the Result as it was logged then, under the same
  // sequence. What came before it is gone.
  void Restore(const v1::Result& result, int64_t sequence, std::chrono::nanoseconds elapsed);

  void SetCreditSink(std::weak_ptr<CreditSink> sink);
  int64_t window_bytes() const { return options_.window_bytes; }

  // A reader from sequence `from` (0: the oldest kept). kOutOfRange (oldest and newest in the metadata) when node
  // batches a BLOCK watcher asks for are gone, or `from` is in the future.
  Result<std::unique_ptr<Watch>> Attach(int64_t from, const v1::WatchOptions& options, v1::Overflow unspecified);

  // Its bytes no longer count in the budget: the job is forgotten and nobody reads it.
  void Forget();

  struct Facts {
    int64_t first_sequence = 1;  // the oldest from which nothing was evicted
    int64_t last_sequence = 0;
    int64_t bytes = 0;
    int watchers = 0;
    std::optional<TimePoint> delivered;  // when a watcher took the Result
  };
  Facts facts() const;

 private:
  friend class LogWatch;
  struct Watcher;
  struct Progress {
    Payload payload;
    std::chrono::nanoseconds elapsed{0};
    uint64_t version = 0;
  };

  Watch::Next Poll(Watcher* watcher, EncodedEvent* event);
  void Detach(Watcher* watcher);
  void OnTimer(const std::shared_ptr<Watcher>& watcher);

  // All below with mu_ held.
  bool TakeProgress(Watcher* watcher, TimePoint now, EncodedEvent* event);
  bool TakeLogged(Watcher* watcher, Outbox* out, EncodedEvent* event);
  EncodedEvent Unlogged(const Payload& payload, std::chrono::nanoseconds elapsed) const;
  bool ProgressPending(const Watcher& watcher) const;
  void WakeAll(Outbox* out);
  void Demote(Watcher* watcher, Outbox* out);
  void SetTimer(Watcher* watcher);
  // The lowest sequence a BLOCK watcher has yet to take.
  int64_t BlockedFrom() const;
  // Sequences below it have reached every watcher that wants node events; 0: there is no such watcher.
  int64_t DeliveredBefore() const;
  void Settle(Outbox* out);
  std::chrono::nanoseconds Elapsed() const { return timers_->now() - accepted_; }

  const LogOptions options_;
  const std::shared_ptr<TimerQueue> timers_;
  const std::shared_ptr<Budget> budget_;
  const TimePoint accepted_;

  mutable std::mutex mu_;
  // All below guarded by mu_.
  EventStore store_;
  Charge charge_;
  Progress progress_;
  std::vector<std::shared_ptr<Watcher>> watchers_;
  std::weak_ptr<CreditSink> sink_;
  std::deque<std::pair<int64_t, int64_t>> uncredited_;  // sequence, bytes
  int64_t uncredited_bytes_ = 0;
  int64_t pending_credit_ = 0;  // passed by all, not yet given back: small ones are gathered
  int64_t ordinals_seen_ = 0;
  std::optional<TimePoint> delivered_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_EVENT_LOG_H_
