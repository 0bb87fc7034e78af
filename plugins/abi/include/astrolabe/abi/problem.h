/* A problem: a state space with a start and goals.
 *
 * A state is `state_size` bytes, the same for the whole instance: trivially copyable, position
 * independent and canonical (equal states have equal bytes, padding zero). The host hashes, compares,
 * stores and sends states without asking.
 */
#ifndef ASTROLABE_ABI_PROBLEM_H_
#define ASTROLABE_ABI_PROBLEM_H_

#include "astrolabe/abi/host.h"
#include "astrolabe/abi/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ASTRO_SOLVABLE_YES = 1, ASTRO_SOLVABLE_NO = 2, ASTRO_SOLVABLE_UNKNOWN = 3 };

enum {
  ASTRO_PROBLEM_UNIT_COST = 1u << 0,    /* every operator costs 1 (cost_scale units) */
  ASTRO_PROBLEM_UNDIRECTED = 1u << 1,   /* every operator has an inverse of the same cost */
  ASTRO_PROBLEM_ZERO_COSTS = 1u << 2,   /* some operator may cost 0 */
  ASTRO_PROBLEM_NO_GOAL_TEST = 1u << 3, /* complete states are judged by an objective only */
  ASTRO_PROBLEM_PRUNES_LAST = 1u << 4,  /* ops() leaves out the inverse of last_op */
  /* All states of this instance fit in memory, as those of a graph that was read do, and many paths lead to each:
   * depth-first searches remember the states they met, or they would visit every path. */
  ASTRO_PROBLEM_FEW_STATES = 1u << 5,
  ASTRO_PROBLEM_TREE = 1u << 6, /* no two paths from the initial state lead to the same state */
  /* The instance names no start: initial_state writes any one state, the same every time, and local search begins with
   * random_state of the job's seed. */
  ASTRO_PROBLEM_NO_START = 1u << 7,
  /* Every state has the same operators in the same order, and ops() leaves none out for last_op: local search reads
   * them once. */
  ASTRO_PROBLEM_SAME_OPS = 1u << 8
};

typedef struct astro_problem_info_v1 {
  uint32_t struct_size;
  uint32_t flags;
  uint32_t state_size;  /* bytes, 1 .. 16 MiB */
  uint32_t state_align; /* power of two, at most 64; the host keeps states aligned so */
  uint32_t max_ops;     /* most operators of any state; 0: not bounded by a useful number (factored) */
  uint32_t reserved;
  int64_t cost_scale;  /* units of cost in 1; at least 1 */
  int64_t max_op_cost; /* largest cost of an operator, in units */
  int64_t max_cost;    /* largest cost of any shortest solution, if known; else 0 */
} astro_problem_info_v1;

/* Operators of one problem class. `problem` is what parse made; immutable, shared by all threads. */
typedef struct astro_problem_v1 {
  uint32_t struct_size;
  uint32_t reserved;

  /* Identifies the bytes of a state and of domain_view, with a version: "sliding_tile/1". */
  astro_text state_layout;

  /* Parses an instance. On ASTRO_INVALID and ASTRO_REFUSED every fault was reported; *out is
   * untouched. The text is valid only during the call; `host` until destroy. [load] */
  astro_status (*parse)(const astro_host_v1* host, astro_text instance, const astro_params* params,
                        const astro_diagnostics* diagnostics, void** out);
  void (*destroy)(void* problem); /* [load] */

  /* Fills the part of *out that lies inside out->struct_size. [any] */
  void (*info)(const void* problem, astro_problem_info_v1* out);

  /* A plain struct that heuristics of this domain read, in the layout that state_layout names; null if
   * there is none. Lives as long as the problem. [any] */
  const void* (*domain_view)(const void* problem);

  void (*initial_state)(const void* problem, void* out_state); /* [any] */
  /* Nonzero when the goal is one explicit state, written to out_state. [any] */
  int32_t (*goal_state)(const void* problem, void* out_state);
  int32_t (*is_goal)(const void* problem, const void* state); /* [any] */

  /* Writes the operators of `state` in their fixed order, at most max_ops, and their costs;
   * returns how many. out_costs may be null. last_op is the operator that led here, or ASTRO_NO_OP:
   * a problem with PRUNES_LAST leaves out its inverse. [any] */
  uint32_t (*ops)(const void* problem, const void* state, astro_op last_op, astro_op* out_ops, int64_t* out_costs);
  /* out_state = state after op. op is one that ops() gave for this state. The two do not overlap. [any] */
  void (*apply)(const void* problem, const void* state, astro_op op, void* out_state);
  /* Checks and applies any op: ASTRO_INVALID (state unchanged) when it is not possible here. Used to
   * replay paths, so it must not trust the engine. out_cost may be null. [any] */
  astro_status (*apply_in_place)(const void* problem, void* state, astro_op op, int64_t* out_cost);
  /* Equals ops followed by apply of each in order; children are written `state_stride` apart. [any] */
  uint32_t (*expand)(const void* problem, const void* state, astro_op last_op, astro_op* out_ops, int64_t* out_costs,
                     void* out_states, uint64_t state_stride);

  /* The operator that undoes `op`, or ASTRO_NO_OP. [any] */
  astro_op (*inverse_op)(const void* problem, astro_op op);

  void (*render_state)(const void* problem, const void* state, const astro_sink* sink); /* [any][sink] */
  astro_status (*parse_state)(const void* problem, astro_text text, const astro_diagnostics* diagnostics,
                              void* out_state); /* [load] */
  /* One word, for example "UP". [any][sink] */
  void (*render_op)(const void* problem, astro_op op, const astro_sink* sink);

  /* The instance in the problem's canonical text: parse of it gives an equal problem. [load][sink] */
  void (*canonical_text)(const void* problem, const astro_sink* sink);
  /* One line for people: "3 x 3 board, 8 tiles". [load][sink] */
  void (*describe)(const void* problem, const astro_sink* sink);
  /* 32 bytes that identify the instance, whatever its spelling. [any] */
  void (*fingerprint)(const void* problem, uint8_t out[32]);

  /* Can the goal be reached? Fast: by theory, not by search. The reason in words goes to the sink.
   * [load][sink] */
  uint32_t (*solvable)(const void* problem, const astro_sink* reason);

  /* Capability by id ("astro.problem.ida/1"), or null. Static, one for all instances. [any] */
  const void* (*get_extension)(astro_text id);
} astro_problem_v1;

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_PROBLEM_H_ */
