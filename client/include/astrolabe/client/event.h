// What a watcher of a job receives. The fields are those of astrolabe.v1.Event.
#ifndef ASTROLABE_CLIENT_EVENT_H_
#define ASTROLABE_CLIENT_EVENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "astrolabe/client/export.h"
#include "astrolabe/client/job.h"
#include "astrolabe/client/result.h"

namespace astrolabe::client {

enum class JobState {
  kUnspecified = 0,
  kQueued = 1,
  kPreparing = 2,
  kSearching = 3,
  kFinishing = 4,
  kDone = 5,
};

// First event of a stream that starts at the beginning. Defaults are filled in.
struct JobAccepted {
  int32_t queue_position = 0;  // 1 = next; 0: it starts at once
  AlgorithmUse algorithm;
  std::vector<HeuristicUse> heuristics;
  Limits limits;
  friend bool operator==(const JobAccepted&, const JobAccepted&) = default;
};

struct StateChanged {
  JobState state = JobState::kUnspecified;
  int32_t queue_position = 0;
  friend bool operator==(const StateChanged&, const StateChanged&) = default;
};

// Long preparation, for example a heuristic that builds its tables.
struct Preparing {
  std::string heuristic;
  std::string what;
  double fraction = 0;  // 0..1; negative: unknown
  friend bool operator==(const Preparing&, const Preparing&) = default;
};

// Conflated: only the latest is sent. Counters never go down.
struct Progress {
  int64_t expanded = 0;
  int64_t generated = 0;
  double expanded_per_second = 0;
  double generated_per_second = 0;
  int64_t open = 0;
  int64_t stored = 0;
  int64_t f_bound = 0;
  int64_t best_h = 0;  // negative: none yet
  std::optional<int64_t> incumbent;
  int64_t memory_bytes = 0;
  JobState state = JobState::kUnspecified;
  friend bool operator==(const Progress&, const Progress&) = default;
};

// One event of the search. `state` and `text` point into their NodeBatch's storage: valid as long as the batch or
// a copy of it lives.
struct NodeEvent {
  NodeKind kind = NodeKind::kUnspecified;
  uint32_t op = 0;
  uint64_t node = 0;    // stable within one job; 0 is never a node
  uint64_t parent = 0;  // 0: none
  int64_t g = 0;
  int64_t h = 0;
  int64_t depth = 0;
  std::string_view state;    // raw bytes, in the problem's layout (ProblemInfo::state_layout)
  std::string_view text;     // rendered, with NodeDetail::kText
  std::string_view op_name;  // the operator or step in words, with NodeDetail::kText; empty: none led here
  friend bool operator==(const NodeEvent&, const NodeEvent&) = default;
};

struct NodeBatch {
  int64_t first_ordinal = 0;  // counts recorded kinds before sampling, from 0
  int64_t count = 0;
  int64_t seen = 0;  // of the wanted kinds so far, sampled out ones included
  std::vector<NodeEvent> nodes;
  // Owns the bytes behind the views. Copies of the batch share it.
  std::shared_ptr<const std::string> storage;
};

// A better solution was found.
struct Improvement {
  int64_t cost = 0;
  std::optional<int64_t> lower_bound;
  double bound_factor = 0;
  int64_t length = 0;
  friend bool operator==(const Improvement&, const Improvement&) = default;
};

enum class LogLevel { kUnspecified = 0, kDebug = 1, kInfo = 2, kWarning = 3, kError = 4 };

struct LogLine {
  LogLevel level = LogLevel::kUnspecified;
  std::string source;  // plugin id, "engine", "stdout" or "stderr"
  std::string text;
  friend bool operator==(const LogLine&, const LogLine&) = default;
};

enum class GapReason { kUnspecified = 0, kSlowWatcher = 1, kEvicted = 2, kBlockTimeout = 3 };

// Events first..last (sequence numbers) were not delivered to this watcher.
struct Gap {
  int64_t first_sequence = 0;
  int64_t last_sequence = 0;
  int64_t node_events = 0;  // 0 if unknown
  GapReason reason = GapReason::kUnspecified;
  friend bool operator==(const Gap&, const Gap&) = default;
};

struct Heartbeat {
  int64_t last_sequence = 0;
  friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};

// An event of a kind that this library is too old to know has std::monostate.
using EventBody = std::variant<std::monostate, JobAccepted, StateChanged, Preparing, Progress, NodeBatch, Iteration,
                               Improvement, LogLine, Gap, Heartbeat, Result>;

struct Event {
  std::string job;       // "jobs/<id>"
  int64_t sequence = 0;  // dense over logged events, from 1. 0: not logged (progress, heartbeat, gap)
  Duration elapsed{0};   // since the job was accepted
  EventBody body;

  // The body if it is of kind T, else null: `if (const auto* progress = event.As<Progress>())`.
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&body);
  }
};

ASTROLABE_CLIENT_EXPORT std::string Name(JobState state);
ASTROLABE_CLIENT_EXPORT std::string Name(LogLevel level);
ASTROLABE_CLIENT_EXPORT std::string Name(GapReason reason);

// A job as GetJob and ListJobs tell it. ListJobs leaves out the instance and the path.
struct Job {
  std::string name;
  JobState state = JobState::kUnspecified;
  JobSpec spec;
  std::optional<Timestamp> create_time;
  std::optional<Timestamp> start_time;
  std::optional<Timestamp> end_time;
  std::optional<Result> result;  // set when done
  std::optional<Progress> progress;
  int32_t queue_position = 0;
  int64_t first_sequence = 0;  // oldest and newest that WatchJob can deliver
  int64_t last_sequence = 0;
  bool cancel_requested = false;
  std::string request_id;
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_EVENT_H_
