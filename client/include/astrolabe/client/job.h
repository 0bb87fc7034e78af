// What a job is asked to do. The fields are those of astrolabe.v1.JobSpec; a default-constructed value leaves
// the choice to the server.
#ifndef ASTROLABE_CLIENT_JOB_H_
#define ASTROLABE_CLIENT_JOB_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "astrolabe/client/export.h"

namespace astrolabe::client {

using Duration = std::chrono::nanoseconds;
using Timestamp = std::chrono::system_clock::time_point;

// A parameter, typed as its ParamSpec in the catalogue says.
using ParamValue = std::variant<bool, int64_t, double, std::string>;
using Params = std::map<std::string, ParamValue>;

// A non-negative rational number; weights of heuristics are exact.
struct Rational {
  int64_t numerator = 1;
  int64_t denominator = 1;
  friend bool operator==(const Rational&, const Rational&) = default;
};

struct HeuristicUse {
  std::string id;
  Params params;
  // h is floor(weight * value). Unset: 1.
  std::optional<Rational> weight;
  friend bool operator==(const HeuristicUse&, const HeuristicUse&) = default;
};

enum class Combine { kDefault = 0, kMax = 1, kSum = 2 };

struct AlgorithmUse {
  std::string id;  // empty: the problem's default
  Params params;
  friend bool operator==(const AlgorithmUse&, const AlgorithmUse&) = default;
};

// 0 or unset: the server's default, which may be "none".
struct Limits {
  Duration wall_time{0};
  int64_t max_expansions = 0;
  int64_t max_generated = 0;
  int64_t max_memory_bytes = 0;
  std::optional<int64_t> max_cost;  // in units of 1/cost_scale
  Duration queue_timeout{0};
  friend bool operator==(const Limits&, const Limits&) = default;
};

enum class NodeKind {
  kUnspecified = 0,
  kSource = 1,
  kExpanding = 2,
  kGenerating = 3,
  kUpdating = 4,
  kReopening = 5,
  kClosing = 6,
  kPruned = 7,
  kDeadEnd = 8,
  kGoal = 9,
  kRestart = 10,
};

// Each level includes the ones above it.
enum class NodeDetail { kDefault = 0, kIds = 1, kCosts = 2, kState = 3, kText = 4 };

// What is recorded for watchers; fixed when the job is created.
struct EventOptions {
  std::vector<NodeKind> kinds;               // empty: no node events. Any: the generic engine tier is used
  NodeDetail detail = NodeDetail::kDefault;  // default: kState
  int64_t sample_every = 0;                  // 0 or 1: all
  int64_t sample_max_per_second = 0;         // 0: no such bound
  int64_t max_total = 0;                     // 0: no bound
  friend bool operator==(const EventOptions&, const EventOptions&) = default;
};

enum class EngineTier { kDefault = 0, kGeneric = 1, kKernel = 2, kAdditive = 3 };

struct JobSpec {
  std::string problem;
  // The instance in the problem's own syntax. Bytes that are not UTF-8 are sent as they are.
  std::string instance;
  Params params;
  std::vector<HeuristicUse> heuristics;  // empty: the problem's default
  Combine combine = Combine::kDefault;   // default: kMax
  AlgorithmUse algorithm;
  Limits limits;
  uint64_t seed = 0;
  int32_t threads = 0;  // 0: 1
  EventOptions events;
  std::map<std::string, std::string> labels;
  int32_t priority = 0;  // -100..100, higher first
  EngineTier tier = EngineTier::kDefault;
  friend bool operator==(const JobSpec&, const JobSpec&) = default;
};

enum class Overflow {
  kDefault = 0,  // kBlock in Solve, kDrop in WatchJob
  kBlock = 1,    // lossless: the search waits for this watcher
  kDrop = 2,     // the search never waits; losses are told by Gap events
};

// How one watcher wants its stream.
struct WatchOptions {
  bool nodes = true;  // false: leave out node batches
  Overflow overflow = Overflow::kDefault;
  std::chrono::milliseconds progress_interval{0};  // 0: 1 s. Smallest: 50 ms
};

struct SolveRequest {
  JobSpec spec;
  WatchOptions watch;
  // True: the job goes on when the stream ends early.
  bool detach = false;
  // When the server is to stop the job, counted from the call. 0: never.
  std::chrono::milliseconds deadline{0};
};

struct CreateJobRequest {
  JobSpec spec;
  std::string request_id;      // idempotency key; empty: none
  bool validate_only = false;  // check everything, create nothing
};

// What UpdateJob changes; what is 0 or unset stays as it is.
struct JobUpdate {
  Limits limits;
  std::optional<int32_t> priority;
};

// Names as in the proto without their prefix ("EXPANDING"); "UNKNOWN(17)" for values of a newer server.
ASTROLABE_CLIENT_EXPORT std::string Name(NodeKind kind);
ASTROLABE_CLIENT_EXPORT std::string Name(EngineTier tier);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_JOB_H_
