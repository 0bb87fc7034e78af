// What the engine knows of a problem and of heuristics: the only door through which it sees a plugin.
// worker/ implements it over the C ABI; engine tests implement it directly.
//
// Hot calls are plain function pointers with the shapes of the ABI (plugins/abi), so that an adapter
// only copies them: one indirect call per expansion, no second hop. Cold calls are virtual.
#ifndef ASTROLABE_DAEMON_ENGINE_DOMAIN_H_
#define ASTROLABE_DAEMON_ENGINE_DOMAIN_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace astrolabe::engine {

using Op = uint32_t;
inline constexpr Op kNoOp = std::numeric_limits<Op>::max();
// Costs and h: exact integers >= 0 in units of 1/cost_scale.
using Cost = int64_t;
inline constexpr Cost kInfinity = std::numeric_limits<Cost>::max();  // as h: a dead end
inline constexpr size_t kMaxAuxSize = 256;

struct SpaceInfo {
  size_t state_size = 0;   // bytes
  size_t state_align = 1;  // power of two <= 64
  uint32_t max_ops = 0;
  Cost cost_scale = 1;
  Cost max_op_cost = 1;
  bool unit_cost = false;
  bool undirected = false;
  bool zero_costs = false;
  bool prunes_last = false;
  bool few_states = false;    // all fit in memory, and many paths lead to each
  bool tree = false;          // no two paths lead to the same state
  bool no_start = false;      // local search begins with a random state
  bool same_ops = false;      // every state has the same operators, in the same order
  bool no_goal_test = false;  // states are judged by the objective of local search alone
};

// States that are a value for each variable (ABI extension astro.problem.factored/1).
struct FactoredInfo {
  uint32_t variables = 0;
  uint32_t values = 0;  // of each variable
};
// One variable takes another value.
struct FactoredStep {
  uint32_t variable = 0;
  uint32_t value = 0;
};

// Hot functions of a problem; contracts as in astrolabe/abi/problem.h. Thread-safe.
struct SpaceCalls {
  const void* problem = nullptr;
  uint32_t (*ops)(const void* problem, const void* state, Op last_op, Op* out_ops, Cost* out_costs) = nullptr;
  void (*apply)(const void* problem, const void* state, Op op, void* out_state) = nullptr;
  uint32_t (*expand)(const void* problem, const void* state, Op last_op, Op* out_ops, Cost* out_costs, void* out_states,
                     uint64_t state_stride) = nullptr;
  int32_t (*is_goal)(const void* problem, const void* state) = nullptr;
  Op (*inverse_op)(const void* problem, Op op) = nullptr;
  // Of a reversed space: the operator of the space itself that leads from the result of `op` back to `state`.
  Op (*forward_op)(const void* problem, const void* state, Op op) = nullptr;
};

enum class Solvable { kYes, kNo, kUnknown };

struct SolvableAnswer {
  Solvable solvable = Solvable::kUnknown;
  std::string reason;
};

class Evaluator;

// One iteration of depth-first search in the problem's own kernel (ABI extension astro.problem.ida/1).
struct KernelControl {
  uint64_t expand_limit = 0;
  uint64_t generate_limit = 0;
};
// Called when a limit is reached: false stops the kernel, else new limits are set.
class KernelPoll {
 public:
  virtual ~KernelPoll() = default;
  virtual bool Poll(KernelControl& control, uint64_t expanded, uint64_t generated) = 0;
};
// How a kernel gets h, and whether it must visit the nodes in the defined order: counts can only be limited then.
enum class KernelMode { kEvaluate, kTable, kTableAnyOrder };

// Where a kernel begins: the initial state, or several nodes of one iteration, which are searched as if one came after
// the other.
struct KernelRoots {
  uint32_t count = 1;
  const void* states = nullptr;
  size_t stride = 0;  // bytes between states
  const Cost* h = nullptr;
  const Cost* g = nullptr;
  const Op* last_op = nullptr;
  const void* aux = nullptr;  // aux_size apart; null when that is 0

  bool is_initial() const { return count == 1 && g[0] == 0 && last_op[0] == kNoOp; }
};

struct KernelIteration {
  enum class End { kExhausted, kFound, kStopped, kTooDeep };
  End end = End::kExhausted;
  uint64_t expanded = 0;
  uint64_t generated = 0;  // the roots are not counted
  Cost next_bound = kInfinity;
  bool used_additive = false;
  uint32_t found_root = 0;  // with kFound: where the path begins
  std::vector<Op> path;
  Cost path_cost = 0;  // with the root's g
};

// Takes the operators of a path, piece by piece. Called on the thread that asked for the path.
class OpSink {
 public:
  virtual ~OpSink() = default;
  // False: no more is wanted.
  virtual bool Take(std::span<const Op> ops) = 0;
};

// A lower bound of the cost from any state to a target; contracts as in astrolabe/abi/distance.h. `meter` belongs to
// one thread.
struct DistanceCalls {
  void* meter = nullptr;
  void (*bind)(void* meter, const void* target) = nullptr;
  Cost (*eval)(const void* meter, const void* state) = nullptr;
  void (*eval_ops)(const void* meter, const void* parent, Cost parent_h, const Op* ops, uint32_t n_ops,
                   Cost* out_h) = nullptr;
};
// Owns the memory behind its calls.
class Distance {
 public:
  virtual ~Distance() = default;
  const DistanceCalls& calls() const { return calls_; }

 protected:
  DistanceCalls calls_;
};

// How the construction of a path ended (ABI extension astro.problem.construct/1).
struct Construction {
  enum class End { kDone, kStopped, kRefused, kBroken };  // kStopped: the sink wanted no more
  End end = End::kRefused;
  std::string why;  // with kRefused and kBroken
};

class StateSpace {
 public:
  virtual ~StateSpace() = default;
  const SpaceInfo& info() const { return info_; }
  const SpaceCalls& calls() const { return calls_; }

  virtual void InitialState(void* out) const = 0;
  virtual bool GoalState(void* out) const = 0;
  virtual SolvableAnswer IsSolvable() const = 0;
  // Checks and applies; nullopt when op is impossible here (state unchanged). Else its cost.
  virtual std::optional<Cost> ApplyInPlace(void* state, Op op) const = 0;
  virtual std::string RenderState(const void* state) const = 0;

  // True when RunKernel may be called with this evaluator; `additive`: at table speed.
  virtual bool HasKernel(const Evaluator& evaluator) const = 0;
  virtual bool HasAdditiveKernel(const Evaluator& evaluator) const = 0;
  // Roots other than the initial state may be given.
  virtual bool KernelTakesRoots() const { return false; }
  // Precondition HasKernel. Path room: max_depth operators. Thread-safe, each call with an evaluator of its own.
  virtual KernelIteration RunKernel(const Evaluator& evaluator, KernelMode mode, const KernelRoots& roots, Cost bound,
                                    uint32_t max_depth, const KernelControl& limits, KernelPoll& poll) const = 0;

  // True when Construct may be called.
  virtual bool HasConstruct() const { return false; }
  // Writes a path from the initial state to a goal, without search. The path is not to be trusted. Throws what the sink
  // throws.
  virtual Construction Construct(OpSink&) const { return {}; }

  // Bounds the cost between two states, for one thread; lives no longer than the space. Null: nothing does. Throws
  // std::bad_alloc.
  virtual std::unique_ptr<Distance> OpenDistance() const { return nullptr; }

  // What the states consist of, if they are values of variables: then the three calls that follow may be made.
  virtual std::optional<FactoredInfo> Factored() const { return std::nullopt; }
  virtual void ValuesOf(const void*, uint32_t*) const {}
  virtual void StateOf(const uint32_t*, void*) const {}
  virtual std::string RenderStep(uint32_t, uint32_t) const { return ""; }

  // True when RandomState may be called: a state that depends on the seed alone.
  virtual bool HasRandomState() const { return false; }
  virtual void RandomState(uint64_t, void*) const {}

 protected:
  SpaceInfo info_;
  SpaceCalls calls_;
};

struct EvaluatorInfo {
  size_t aux_size = 0;
  bool admissible = false;
  bool consistent = false;
  bool parity = false;
  Cost max_h = 0;  // 0: unknown
};

// Hot functions of a heuristic; contracts as in astrolabe/abi/heuristic.h. `context` belongs to one thread.
struct EvaluatorCalls {
  const void* context = nullptr;
  Cost (*eval)(const void* context, const void* state) = nullptr;
  void (*eval_batch)(const void* context, uint64_t n, const void* states, uint64_t stride, Cost* out_h) = nullptr;
  void (*root_aux)(const void* context, const void* state, void* out_aux) = nullptr;
  // May be null: children are built and eval_batch is used.
  void (*eval_ops)(const void* context, const void* parent, Cost parent_h, const void* parent_aux, const Op* ops,
                   uint32_t n_ops, Cost* out_h, void* out_aux) = nullptr;
};

// Follows one state of a factored space step by step; contracts as in astrolabe/abi/local.h. `trail` belongs to one
// thread.
struct TrailCalls {
  void* trail = nullptr;
  void (*bind)(void* trail, const uint32_t* values) = nullptr;
  Cost (*objective)(const void* trail) = nullptr;
  Cost (*delta)(const void* trail, uint32_t variable, uint32_t value) = nullptr;
  void (*deltas)(const void* trail, uint32_t first, uint32_t count, Cost* out) = nullptr;
  void (*commit)(void* trail, uint32_t variable, uint32_t value) = nullptr;
  int32_t (*in_conflict)(const void* trail, uint32_t variable) = nullptr;  // may be null
  void (*sample)(const void* trail, uint32_t variable, uint32_t n, const uint32_t* values,
                 Cost* out) = nullptr;  // may be null
};
// Owns the memory behind its calls.
class Trail {
 public:
  virtual ~Trail() = default;
  const TrailCalls& calls() const { return calls_; }

 protected:
  TrailCalls calls_;
};

// A heuristic ready for one search thread. The worker makes one per thread.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  const EvaluatorInfo& info() const { return info_; }
  const EvaluatorCalls& calls() const { return calls_; }
  const std::string& id() const { return id_; }
  // What its value is called as the objective of local search.
  const std::string& objective_name() const { return objective_name_; }

  // True when OpenTrail may be called: the objective can follow a state of a factored space.
  virtual bool HasTrail() const { return false; }
  // Lives no longer than the evaluator. Null: no memory.
  virtual std::unique_ptr<Trail> OpenTrail() const { return nullptr; }

 protected:
  std::string id_;
  std::string objective_name_ = "objective";
  EvaluatorInfo info_;
  EvaluatorCalls calls_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_DOMAIN_H_
