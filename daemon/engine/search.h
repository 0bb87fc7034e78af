// The engine's front: one request in, one result out. worker/ calls it; nothing else does.
#ifndef ASTROLABE_DAEMON_ENGINE_SEARCH_H_
#define ASTROLABE_DAEMON_ENGINE_SEARCH_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/engine/domain.h"

namespace astrolabe::engine {

enum class Outcome {  // values equal astrolabe.v1.Outcome, compared by a test
  kSolved = 1,
  kUnsolvable = 2,
  kExhaustedLocal = 3,
  kLimitReached = 4,
  kCancelled = 5,
  kRejected = 6,
  kPluginFailed = 7,
  kInterrupted = 8,
};

enum class LimitKind {  // values equal astrolabe.v1.LimitKind
  kNone = 0,
  kWallTime = 1,
  kExpansions = 2,
  kGenerated = 3,
  kMemory = 4,
  kCost = 5,
  kQueueTimeout = 6,
};

enum class Proof {  // values equal astrolabe.v1.Proof
  kNone = 1,
  kOptimal = 2,
  kBounded = 3,
  kFeasible = 4,
  kUnsolvableTheory = 5,
  kUnsolvableExhausted = 6,
};

enum class Tier { kAuto = 0, kGeneric = 1, kKernel = 2, kAdditive = 3 };  // values equal astrolabe.v1.EngineTier

enum class NodeKind {  // values equal astrolabe.v1.NodeKind
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

enum class Combine { kMax, kSum };

using ParamValue = std::variant<bool, int64_t, double, std::string>;

enum class ParamType { kBool = 1, kInt = 2, kDouble = 3, kString = 4 };

struct ParamSpec {
  std::string name;
  ParamType type = ParamType::kInt;
  std::optional<ParamValue> default_value;
  std::optional<ParamValue> min;
  std::optional<ParamValue> max;
  std::string doc;
  std::vector<std::string> choices;
};

// A row of the algorithm catalogue.
class Params;
struct Violation;

struct AlgorithmDescription {
  std::string id;
  std::string summary;
  std::string doc;
  bool optimal = false;
  bool needs_heuristic = false;
  bool counts_operators = false;  // not their costs: no max_cost where these differ
  bool needs_reversed = false;    // the space with start and goal swapped
  bool uses_threads = false;      // more than one, if asked
  bool needs_construct = false;   // a space that constructs solutions; keeps no max_cost, tells no node events
  bool takes_path = false;        // constructed, as it is: asks for no operators of a state, and no start that is named
  bool local = false;             // local search: its solutions are states, without a path; keeps no max_cost
  bool needs_factored = false;    // states that are values of variables
  bool counts_solutions = false;  // all of them; the path is that of the first. Keeps no max_cost
  // What is wrong with parameters beside one another, each of which is right; null: nothing can be.
  void (*check_params)(const Params& params, std::vector<Violation>& violations) = nullptr;
  std::vector<ParamSpec> params;
};

// All algorithms of this engine, in a fixed order.
std::span<const AlgorithmDescription> Algorithms();

struct NodeRecord {
  NodeKind kind = NodeKind::kExpanding;
  uint64_t node = 0;    // stable within the search, never 0
  uint64_t parent = 0;  // 0: none
  Op op = kNoOp;
  Cost g = 0;
  Cost h = 0;
  int64_t depth = 0;
  const void* state = nullptr;
  const FactoredStep* step = nullptr;  // that led here, of local search on values of variables; null: none
};

// Takes node events. Called on the search thread; may block (back-pressure), returns false when the
// search should stop at its next check.
class NodeSink {
 public:
  virtual ~NodeSink() = default;
  virtual bool Record(const NodeRecord& record) = 0;
  // Kinds wanted, bit 1 << kind.
  uint32_t wanted = 0;
};

struct Progress {
  int64_t expanded = 0;
  int64_t generated = 0;
  double expanded_per_second = 0;
  double generated_per_second = 0;
  int64_t open = 0;
  int64_t stored = 0;
  Cost f_bound = 0;
  Cost best_h = -1;
  std::optional<Cost> incumbent;
  int64_t memory_bytes = 0;
};

struct IterationStats {
  Cost bound = 0;
  int64_t expanded = 0;
  int64_t generated = 0;
  std::chrono::nanoseconds time{0};
};

struct Improvement {
  Cost cost = 0;
  std::optional<Cost> lower_bound;
  double bound_factor = 0;
  int64_t length = 0;
};

// Hears of a running search, on the search thread.
class SearchObserver {
 public:
  virtual ~SearchObserver() = default;
  virtual void OnProgress(const Progress&) {}
  virtual void OnIteration(const IterationStats&) {}
  virtual void OnImprovement(const Improvement&) {}
  virtual void OnFinishing() {}  // the search is over, the path is being rebuilt and replayed
};

enum class StopCause : int { kNone = 0, kCancel = 1, kInterrupt = 2, kWallTime = 3 };

// Set from any thread, read by the search at least every 10 ms.
class StopToken {
 public:
  // The first cause wins.
  void Request(StopCause cause) {
    int none = 0;
    cause_.compare_exchange_strong(none, static_cast<int>(cause), std::memory_order_relaxed);
  }
  StopCause cause() const { return static_cast<StopCause>(cause_.load(std::memory_order_relaxed)); }
  void Reset() { cause_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<int> cause_{0};
};

struct SearchLimits {  // 0: no limit
  std::optional<std::chrono::steady_clock::time_point> deadline;
  int64_t max_expansions = 0;
  int64_t max_generated = 0;
  // For the engine's own stores; the worker has taken off what the plugins use.
  int64_t max_memory_bytes = 0;
  std::optional<Cost> max_cost;
};

struct EvaluatorUse {
  const Evaluator* evaluator = nullptr;
  int64_t weight_numerator = 1;
  int64_t weight_denominator = 1;
};

// Starts threads that plugins may be called on.
class ThreadStarter {
 public:
  virtual ~ThreadStarter() = default;
  // Runs body(0) to body(count - 1), each on a thread of its own, the caller's among them, and returns when all have
  // returned. False: not all threads could be started; nothing was run then. body does not throw.
  virtual bool Run(int count, const std::function<void(int)>& body) = 0;
};

struct SearchRequest {
  const StateSpace* space = nullptr;
  std::vector<EvaluatorUse> evaluators;  // empty: h = 0
  // For algorithms that need it: the space with start and goal swapped and every operator turned round, its
  // calls().forward_op set, and the same heuristics made for it. Null: there is none, `no_reversed` may say why.
  const StateSpace* reversed = nullptr;  // for an algorithm that does not need it: null
  std::vector<EvaluatorUse> reversed_evaluators;
  std::string no_reversed;
  // With threads > 1: `evaluators` once more for each thread but the first, and who starts them.
  std::vector<std::vector<EvaluatorUse>> thread_evaluators;
  ThreadStarter* thread_starter = nullptr;
  Combine combine = Combine::kMax;
  std::string algorithm;
  std::map<std::string, ParamValue> params;
  SearchLimits limits;
  uint64_t seed = 0;
  int threads = 1;
  Tier tier = Tier::kAuto;
  NodeSink* sink = nullptr;  // null: record nothing
  std::chrono::milliseconds progress_interval{1000};
};

struct ClaimRefuted {
  std::string heuristic;
  std::string claim;
  std::string state;
  Cost h = 0;
  Cost remaining_cost = 0;
};

struct Violation {
  std::string field;
  std::string message;
  std::string expected;
  std::string hint;
};

// What the climbs of a local search came to; as astrolabe.v1.LocalStatistics.
struct LocalStatistics {
  int64_t climbs = 0;  // those that were cut off are neither solved nor stuck
  int64_t solved = 0;
  int64_t stuck = 0;
  int64_t steps = 0;
  int64_t steps_solved = 0;
  int64_t steps_stuck = 0;
  int64_t sideways_steps = 0;
  int64_t worsening_steps = 0;
};

struct SearchStatistics {
  int64_t expanded = 0;
  int64_t generated = 0;  // + 1 for the root
  int64_t reopened = 0;
  int64_t duplicates = 0;
  int64_t max_open = 0;
  int64_t stored = 0;
  int64_t peak_memory_bytes = 0;  // of the engine's stores
  Cost initial_h = 0;
  std::chrono::nanoseconds search_time{0};
  std::chrono::nanoseconds extract_time{0};
  std::vector<IterationStats> iterations;
  std::optional<LocalStatistics> local;  // of local search
};

struct SearchResult {
  Outcome outcome = Outcome::kSolved;
  LimitKind limit = LimitKind::kNone;
  Proof proof = Proof::kNone;
  double bound_factor = 0;
  std::optional<Cost> cost;
  std::optional<Cost> lower_bound;
  std::vector<Op> path;
  bool has_path = false;  // an empty path can be a solution
  // The last state of the path, as bytes; of local search, the best state.
  std::vector<std::byte> final_state;
  std::optional<Cost> objective;  // of local search: of final_state, computed anew
  std::string objective_name;     // what it is called
  int64_t solution_count = 0;     // of a search that counts solutions
  bool verified = false;
  Tier tier = Tier::kGeneric;
  SearchStatistics statistics;
  std::vector<ClaimRefuted> refuted_claims;
  std::vector<Violation> violations;  // with kRejected
  std::string explanation;            // one sentence for people
  // With kPluginFailed: what contract was broken (for example a path that cannot be replayed).
  std::string contract_violation;
  std::string broken_heuristic;  // of several, the one that broke it, where that is known
  // The memory of the search. Whoever waits for the answer is told first: giving a gigabyte back takes some 70 ms. May
  // outlive the request and all it points to.
  std::shared_ptr<const void> remains;
};

// Runs one search on the calling thread, start to end: solvability, search, replay, check of claims.
// Never throws; std::bad_alloc becomes kLimitReached(kMemory). `stop` outlives the call.
SearchResult RunSearch(const SearchRequest& request, SearchObserver& observer, const StopToken& stop);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_SEARCH_H_
