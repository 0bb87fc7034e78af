// What an algorithm is given and what it gives back. Limits, clocks, progress and replay are the
// runner's: an algorithm asks Runner::MayExpand before it expands and knows nothing else of them.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ALGORITHM_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ALGORITHM_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daemon/engine/domain.h"
#include "daemon/engine/params.h"
#include "daemon/engine/search.h"
#include "daemon/engine/structures/memory_account.h"

namespace astrolabe::engine {

class Runner;

// For the last operator that a problem is told of: or-ed to it. Without the pruning of parents that is no operator, so
// that the problem lists the one that takes the last back as well.
constexpr Op LastOpMask(bool parent_pruning) { return parent_pruning ? 0 : kNoOp; }

// One search, fixed while it runs.
struct Task {
  const StateSpace& space;
  const Evaluator& evaluator;  // all heuristics of the request, combined
  // The evaluator is a plugin's own, weight 1: a kernel may be given it.
  bool single = false;
  // The claims of the heuristics and their weights together promise h <= true remaining cost.
  bool admissible = false;
  Solvable solvable = Solvable::kUnknown;
  std::optional<Cost> max_cost;
  Tier tier = Tier::kAuto;
  NodeSink* sink = nullptr;
  const Params& params;
  MemoryAccount& memory;
  uint64_t seed = 0;
  // Where the algorithm needs it: start and goal swapped, and all heuristics for that.
  const StateSpace* reversed = nullptr;
  const Evaluator* reversed_evaluator = nullptr;
  // One evaluator a thread, the first is `evaluator`; more than one only where the algorithm uses threads.
  std::span<const Evaluator* const> thread_evaluators;
  ThreadStarter* thread_starter = nullptr;  // not null when there are several
};

enum class SearchEnd {
  kSolved,     // solution() is valid after Extract
  kStuck,      // local search: climbed as often as it may, without a solution
  kExhausted,  // all that can be reached was searched, but for what max_cost cut
  kStopped,    // the runner said so
  kBroken,     // a plugin broke its contract; the runner has the text
  kRefused,    // this instance is not for this algorithm; the runner has the text
};

struct Solution {
  std::vector<Op> path;
  Cost cost = 0;
  // The path may cost less than `cost`, never more.
  bool may_be_cheaper = false;
};

// Why a climb ended without a solution.
enum class StuckBy {
  kLocalOptimum,  // the algorithm has no step to take
  kSteps,         // the steps of a climb were used up
  kSchedule,      // the algorithm's own schedule was
};

// What a local search has come to, at any time.
struct LocalAnswer {
  std::vector<std::byte> state;               // the best one met; empty: none
  Cost objective = kInfinity;                 // of `state`
  bool solution = false;                      // `state` is one: a goal, or as good as the target
  StuckBy stuck_by = StuckBy::kLocalOptimum;  // the last climb, where it was
  LocalStatistics statistics;
};

// What an algorithm promises of the cost of its solution.
struct Guarantee {
  enum Kind { kNothing, kBounded, kLeast };
  Kind kind = kLeast;            // kBounded: by the lower bound it has reported
  bool needs_admissible = true;  // else it holds, and its lower bounds do, whatever the heuristics are
  bool uses_heuristics = true;   // else none was asked, and none is held against the solution
};

// Sizes at this moment.
struct Gauges {
  int64_t open = 0;
  int64_t max_open = 0;
  int64_t stored = 0;
  Cost best_h = -1;  // smallest h of a node met; negative: not known
};

class Algorithm {
 public:
  virtual ~Algorithm() = default;
  // Called once. May throw std::bad_alloc; the object stays valid.
  virtual SearchEnd Search(Runner& runner) = 0;
  // After kSolved, and from inside Runner::NewSolution. False: a plugin broke its contract, the runner has the text.
  virtual bool Extract(Runner& runner, Solution& solution) = 0;
  // Called at any time, from the runner.
  virtual Gauges Observe() const = 0;
  virtual Tier tier() const { return Tier::kGeneric; }
  virtual Guarantee guarantee() const { return {}; }
  // Of a local search, which has states for solutions and no paths: called in the place of Extract, however it ended.
  // Throws std::bad_alloc.
  virtual std::optional<LocalAnswer> local_answer() const { return std::nullopt; }
  // Of a search that counts them.
  virtual int64_t solution_count() const { return 0; }
  // What people should know of this search's result besides, in whole sentences; empty: nothing.
  virtual std::string note() const { return ""; }
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_ALGORITHM_H_
