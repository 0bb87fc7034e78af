// One watcher's position in an EventStore: which logged event it gets next, and which gap it is told of.
//
// Invariant: what a cursor hands out is ascending in sequence, and every sequence it passes over is either a node
// batch the watcher did not want or inside a Gap it was told of. No locks, no time.
#ifndef ASTROLABE_DAEMON_JOBS_WATCH_CURSOR_H_
#define ASTROLABE_DAEMON_JOBS_WATCH_CURSOR_H_

#include <cstdint>
#include <optional>
#include <variant>

#include "astrolabe/v1/event.pb.h"
#include "daemon/jobs/event_store.h"

namespace astrolabe::jobs {

class WatchCursor {
 public:
  // `from` 0: the beginning. A `from` behind a stored Result becomes the Result's, so that every watch ends with it.
  WatchCursor(const EventStore& store, int64_t from, bool with_nodes);

  // The next entry (valid until the store changes), a Gap, or nothing yet. Moves on.
  std::variant<std::monostate, const Entry*, v1::Gap> Take(const EventStore& store);
  // Something is there to take.
  bool HasNext(const EventStore& store) const { return !done_ && store.NextFrom(next_, with_nodes_) != nullptr; }

  // Node batches logged so far that it has not taken become a Gap(BLOCK_TIMEOUT); envelopes are still delivered.
  void SkipNodes(const EventStore& store);

  int64_t next() const { return next_; }
  bool with_nodes() const { return with_nodes_; }
  bool started() const { return started_; }  // it has handed out something, or began in the middle
  bool done() const { return done_; }        // the Result was taken

 private:
  std::optional<v1::Gap> Missing(const Entry& entry) const;
  v1::Gap TakeSkipped(const EventStore& store, const Entry& first);
  void MoveBehind(const Entry& entry);

  const bool with_nodes_;
  int64_t next_;
  int64_t envelopes_seen_;             // envelopes before next_
  std::optional<int64_t> nodes_seen_;  // node events before next_, when known
  int64_t evicted_at_start_;
  int64_t skip_through_ = 0;
  int64_t nodes_skipped_ = 0;  // node events up to skip_through_
  bool started_;
  bool done_ = false;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_WATCH_CURSOR_H_
