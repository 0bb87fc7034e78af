// What a job has logged: two logs under one dense sequence.
//
// Envelopes (accepted, states, iterations, improvements, result) are kept as long as the job; when they exceed their
// bound the dispensable ones are thinned, oldest first: of improvements the first, the best and the last stay.
// Node batches are evicted oldest first. Storage only: no locks, no watchers, no time.
#ifndef ASTROLABE_DAEMON_JOBS_EVENT_STORE_H_
#define ASTROLABE_DAEMON_JOBS_EVENT_STORE_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "daemon/jobs/event_codec.h"

namespace astrolabe::jobs {

enum class EntryKind {
  kLasting,      // accepted, state
  kThinnable,    // preparing, iteration, log, queue positions
  kImprovement,  // thinnable but for the first, best and last
  kNodes,
  kResult,
};

struct Entry {
  int64_t sequence = 0;
  EntryKind kind = EntryKind::kLasting;
  std::string head;
  std::shared_ptr<const std::string> body;
  // Envelopes and node events logged before it: tells how much is missing in front of it.
  int64_t envelopes_before = 0;
  int64_t nodes_before = 0;
  int64_t nodes = 0;     // events in this batch
  int64_t cost = 0;      // of an improvement
  bool skipped = false;  // some watcher will never get it (counted as dropped already)

  bool is_nodes() const { return kind == EntryKind::kNodes; }
  int64_t bytes() const;
};

class EventStore {
 public:
  explicit EventStore(std::string job, int64_t envelope_limit_bytes = 4 << 20)
      : job_(std::move(job)), envelope_limit_(envelope_limit_bytes) {}

  // Both return the new entry; it stays valid until the next change. Nothing may follow a kResult.
  const Entry& AppendEnvelope(EntryKind kind, const Payload& payload, std::chrono::nanoseconds elapsed,
                              int64_t cost = 0);
  const Entry& AppendNodes(int64_t count, std::string batch, std::chrono::nanoseconds elapsed);

  // As if all below `sequence` had been logged and evicted. Before the first append.
  void ContinueFrom(int64_t sequence);

  bool continued() const { return continued_; }

  // The entry with the smallest sequence >= `sequence` (envelopes alone if !with_nodes); null: none yet.
  const Entry* NextFrom(int64_t sequence, bool with_nodes) const;
  // Envelopes / node events logged before `sequence`; node events: empty when that can no longer be known.
  int64_t EnvelopesBefore(int64_t sequence) const;
  std::optional<int64_t> NodesBefore(int64_t sequence) const;

  // Evicts the oldest node batch if its sequence is below `keep_from` and it is not the only one. Its events
  // count as dropped unless its sequence is below `delivered_before`: all who wanted it have it.
  bool EvictOldestNodes(int64_t keep_from, int64_t delivered_before = 0);
  // Counts the kept node events in [from, through] as dropped, each once.
  void MarkSkipped(int64_t from, int64_t through);

  const std::string& job() const { return job_; }
  bool closed() const { return closed_; }
  int64_t last_sequence() const { return next_ - 1; }
  // Of the newest node batch evicted; 0: none.
  int64_t evicted_through() const { return evicted_through_; }
  int64_t envelope_bytes() const { return envelope_bytes_; }
  int64_t node_bytes() const { return node_bytes_; }
  int64_t nodes_logged() const { return nodes_logged_; }
  int64_t nodes_dropped() const { return nodes_dropped_; }

 private:
  Entry NewEntry(EntryKind kind, const Payload& payload, std::chrono::nanoseconds elapsed);
  void ThinEnvelopes();

  const std::string job_;
  const int64_t envelope_limit_;
  std::deque<Entry> envelopes_;  // ascending sequences, as in nodes_
  std::deque<Entry> nodes_;
  int64_t next_ = 1;
  bool continued_ = false;
  int64_t envelopes_logged_ = 0;
  int64_t nodes_logged_ = 0;
  int64_t nodes_dropped_ = 0;
  int64_t envelope_bytes_ = 0;
  int64_t node_bytes_ = 0;
  int64_t evicted_through_ = 0;
  bool closed_ = false;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_EVENT_STORE_H_
