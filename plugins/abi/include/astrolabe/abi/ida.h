/* Extension "astro.problem.ida/1": the depth-first kernel of iterative deepening (Korf 1985), stamped
 * into the problem's library by the SDK so that operators are inlined. The host owns the search: one
 * call is one iteration from the given root, or the part of one below several roots, for one of several threads.
 *
 * Order and counts are those of the host's generic engine, node for node: children in the order of
 * ops(); a child is generated when it is considered, before its bound is checked; a node is tested for
 * the goal when it is entered and expanded when its operators are enumerated. */
#ifndef ASTROLABE_ABI_IDA_H_
#define ASTROLABE_ABI_IDA_H_

#include "astrolabe/abi/heuristic.h"
#include "astrolabe/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The host's hand on a running kernel. Before it expands a node, the kernel compares its count of
 * expanded nodes (of this call) with expand_limit, and before it generates a child its count of
 * generated ones with generate_limit; when a limit is reached it calls poll. So limits are exact. */
typedef struct astro_control_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  void* ctx;
  uint64_t expand_limit;
  uint64_t generate_limit;
  /* Nonzero: go on, with the new limits that poll set in *control; 0: stop at once. [search:ctx] */
  int32_t (*poll)(struct astro_control_v1* control, uint64_t expanded, uint64_t generated);
} astro_control_v1;

enum {
  ASTRO_IDA_EXHAUSTED = 1, /* no goal within the bound; next_bound is valid */
  ASTRO_IDA_FOUND = 2,     /* path is valid */
  ASTRO_IDA_STOPPED = 3,   /* poll said so */
  ASTRO_IDA_TOO_DEEP = 4   /* path_cap was too small */
};

/* Bits of astro_ida_v1.additive. */
enum {
  ASTRO_IDA_TABLE = 1u, /* use *table instead of eval_ops, if the problem can */
  /* With it: no count is limited. Nodes may be visited in any order and more than once, so long as the call ends with
   * the counts and the path of the defined order; poll is told counts of that order alone, which never go down, and is
   * called at least every few milliseconds whatever the limits in *control are. */
  ASTRO_IDA_ANY_ORDER = 2u
};

typedef struct astro_ida_v1 {
  uint32_t struct_size;
  uint32_t additive; /* in: bits above */
  /* in */
  const astro_heuristic_v1* heuristic;
  const void* context; /* of the heuristic */
  uint32_t aux_size;
  uint32_t path_cap; /* room in path, in operators */
  const astro_additive_table_v1* table;
  const void* root;
  int64_t root_h;
  const void* root_aux; /* null when aux_size is 0 */
  int64_t bound;        /* largest f that is entered */
  astro_control_v1* control;
  astro_op* path; /* from the root; owned by the caller */
  /* out */
  uint64_t expanded;
  uint64_t generated; /* children considered; the root is not counted */
  int64_t next_bound; /* smallest f above bound that was cut; ASTRO_DEAD_END: nothing was cut */
  uint32_t path_len;
  uint32_t used_additive; /* the table was used */
  int64_t path_cost;      /* from the initial state: with the root's g */
  /* Roots of subtrees, in place of root, root_h and root_aux, which are null and 0 then. They are nodes of the
   * iteration, f <= bound, none below another; the call ends with the counts and the path of a search of one after the
   * other. Only for kernels with ASTRO_IDA_TAKES_ROOTS; struct_size reaches to the end of root_auxs then. */
  /* in */
  uint32_t n_roots;    /* 0: root */
  uint32_t found_root; /* out, with ASTRO_IDA_FOUND: the path begins at this one */
  const void* roots;   /* aligned as the problem wants it, root_stride bytes apart */
  uint64_t root_stride;
  const int64_t* root_hs;
  const int64_t* root_gs;
  const astro_op* root_last_ops; /* that led to each, or ASTRO_NO_OP */
  const void* root_auxs;         /* aux_size bytes apart; null when aux_size is 0 */
} astro_ida_v1;

/* Bits of astro_problem_ida_v1.flags. */
enum {
  ASTRO_IDA_TAKES_ROOTS = 1u /* n_roots may be set. Without it the host searches on one thread */
};

typedef struct astro_problem_ida_v1 {
  uint32_t struct_size;
  uint32_t flags;
  /* [search:ctx] */
  int32_t (*run)(const void* problem, astro_ida_v1* call);
} astro_problem_ida_v1;
#define ASTRO_PROBLEM_IDA_V1 "astro.problem.ida/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_IDA_H_ */
