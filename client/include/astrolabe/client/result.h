// How a job ended and what it proved. The fields are those of astrolabe.v1.Result.
#ifndef ASTROLABE_CLIENT_RESULT_H_
#define ASTROLABE_CLIENT_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "astrolabe/client/export.h"
#include "astrolabe/client/job.h"

namespace astrolabe::client {

enum class Outcome {
  kUnspecified = 0,
  kSolved = 1,
  kUnsolvable = 2,
  kExhaustedLocal = 3,  // local search stopped in a local optimum
  kLimitReached = 4,    // Result::limit says which
  kCancelled = 5,
  kRejected = 6,      // Result::violations
  kPluginFailed = 7,  // Result::plugin_failure
  kInterrupted = 8,   // the server drained or died
};

enum class LimitKind {
  kNone = 0,
  kWallTime = 1,
  kExpansions = 2,
  kGenerated = 3,
  kMemory = 4,
  kCost = 5,
  kQueueTimeout = 6,
};

enum class Proof {
  kUnspecified = 0,
  kNone = 1,
  kOptimal = 2,
  kBounded = 3,              // cost <= bound_factor * optimal cost
  kFeasible = 4,             // a solution, nothing said about its quality
  kUnsolvableTheory = 5,     // for example by permutation parity
  kUnsolvableExhausted = 6,  // the whole reachable space was searched
};

// One fault of the instance, a parameter, a heuristic or the algorithm.
struct Violation {
  std::string field;   // "instance", "goal", "params.goal", "heuristics[0]" ...
  int32_t line = 0;    // 1-based; 0: no position
  int32_t column = 0;  // 1-based, in bytes
  std::string message;
  std::string expected;
  std::string hint;
  friend bool operator==(const Violation&, const Violation&) = default;
};

struct PluginFailure {
  std::string plugin;
  std::string stage;
  int32_t signal = 0;  // 0: none
  std::string signal_name;
  std::string code;
  std::string function;
  std::string message;
  friend bool operator==(const PluginFailure&, const PluginFailure&) = default;
};

// A claim of a heuristic that the found path refutes.
struct ClaimRefuted {
  std::string heuristic;
  std::string claim;
  std::string state;
  int64_t h = 0;
  int64_t remaining_cost = 0;
  friend bool operator==(const ClaimRefuted&, const ClaimRefuted&) = default;
};

struct Iteration {
  int64_t bound = 0;
  int64_t expanded = 0;
  int64_t generated = 0;
  Duration time{0};
  friend bool operator==(const Iteration&, const Iteration&) = default;
};

// Local search: what its climbs came to. A climb goes from a start, or a restart, to where it ended.
struct LocalStatistics {
  int64_t climbs = 0;  // one that was cut off is neither solved nor stuck
  int64_t solved = 0;
  int64_t stuck = 0;
  int64_t steps = 0;  // of all climbs, of the solved, of the stuck
  int64_t steps_solved = 0;
  int64_t steps_stuck = 0;
  int64_t sideways_steps = 0;   // that left the objective as it was
  int64_t worsening_steps = 0;  // to a larger objective
  friend bool operator==(const LocalStatistics&, const LocalStatistics&) = default;
};

struct Statistics {
  int64_t expanded = 0;
  int64_t generated = 0;  // children, cut ones included, plus 1 for the root
  int64_t reopened = 0;
  int64_t duplicates = 0;
  int64_t max_open = 0;
  int64_t stored = 0;
  int64_t peak_memory_bytes = 0;
  double bytes_per_node = 0;
  Duration prepare_time{0};
  Duration search_time{0};
  Duration extract_time{0};
  std::vector<Iteration> iterations;
  Duration queue_time{0};
  int64_t initial_h = 0;                 // of local search: the objective of the first state
  std::optional<LocalStatistics> local;  // of local search
  friend bool operator==(const Statistics&, const Statistics&) = default;
};

struct Path {
  std::vector<uint32_t> ops;          // empty when too large to be inline
  std::vector<std::string> op_names;  // aligned with ops; only for small paths
  std::vector<std::string> states;    // start and goal included; only for small paths
  int64_t length = 0;                 // moves, also when ops is left out
  bool truncated = false;             // something was left out: Client::ListPathSteps has it
  friend bool operator==(const Path&, const Path&) = default;
};

struct PluginUsed {
  std::string id;
  std::string version;
  std::string sha256;
  int64_t generation = 0;
  friend bool operator==(const PluginUsed&, const PluginUsed&) = default;
};

// A file of the plugin cache: a table that a heuristic computes once (cache.h).
struct CacheFileUsed {
  std::string id;
  std::string description;
  int64_t size_bytes = 0;
  bool made = false;       // by this job; false: it was there
  bool in_memory = false;  // it could not be written to the cache
  Duration make_time{0};
  friend bool operator==(const CacheFileUsed&, const CacheFileUsed&) = default;
};

struct Provenance {
  std::vector<PluginUsed> plugins;
  uint64_t seed = 0;
  int32_t threads = 0;
  EngineTier tier = EngineTier::kDefault;
  std::string server_version;
  std::string algorithm;
  std::vector<std::string> heuristics;
  std::string instance_fingerprint;
  std::vector<CacheFileUsed> cache_files;  // in the order of first use
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

struct EventCounts {
  int64_t recorded = 0;
  int64_t sampled_out = 0;
  int64_t dropped = 0;
  friend bool operator==(const EventCounts&, const EventCounts&) = default;
};

struct Result {
  Outcome outcome = Outcome::kUnspecified;
  LimitKind limit = LimitKind::kNone;
  Proof proof = Proof::kUnspecified;
  double bound_factor = 0;             // for Proof::kBounded
  std::optional<int64_t> cost;         // in units of 1/cost_scale. Unset: no solution
  std::optional<int64_t> lower_bound;  // proven. Unset: nothing is known
  int64_t cost_scale = 1;
  int64_t solution_count = 0;  // when counting was asked for
  Path path;
  std::string initial_state;
  std::string final_state;
  // The path was replayed and ends in a goal; of local search, the objective was computed anew from final_state.
  bool verified = false;
  std::vector<Violation> violations;
  std::optional<PluginFailure> plugin_failure;
  std::vector<ClaimRefuted> refuted_claims;
  Statistics statistics;
  Provenance provenance;
  EventCounts events;
  std::string explanation;  // one sentence: why it ended so
  std::vector<std::string> notes;
  // Of the returned solution; -1: it is proven that there is none. Unset: no solution, and nothing is proven.
  std::optional<int64_t> moves;
  std::optional<int64_t> objective;  // of local search: of final_state, in units of 1/cost_scale
  std::string objective_name;        // what it is called: "conflicts", or "objective"
  friend bool operator==(const Result&, const Result&) = default;
};

// Names as in the proto without their prefix ("LIMIT_REACHED").
ASTROLABE_CLIENT_EXPORT std::string Name(Outcome outcome);
ASTROLABE_CLIENT_EXPORT std::string Name(LimitKind limit);
ASTROLABE_CLIENT_EXPORT std::string Name(Proof proof);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_RESULT_H_
