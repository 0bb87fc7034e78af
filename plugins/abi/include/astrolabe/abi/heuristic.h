/* A heuristic: estimates of the cost that remains. */
#ifndef ASTROLABE_ABI_HEURISTIC_H_
#define ASTROLABE_ABI_HEURISTIC_H_

#include "astrolabe/abi/host.h"
#include "astrolabe/abi/problem.h"
#include "astrolabe/abi/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ASTRO_CLAIM_ADMISSIBLE = 1u << 0, /* never above the true remaining cost */
  ASTRO_CLAIM_CONSISTENT = 1u << 1, /* h(s) <= cost(s, t) + h(t); implies admissible when h(goal) = 0 */
  ASTRO_CLAIM_PARITY = 1u << 2,     /* unit costs: h has the parity of the true remaining cost */
  ASTRO_CLAIM_PERFECT = 1u << 3     /* equal to the true remaining cost */
};

#define ASTRO_MAX_AUX_SIZE 256u

typedef struct astro_heuristic_info_v1 {
  uint32_t struct_size;
  uint32_t claims;
  uint32_t aux_size; /* bytes carried along a depth-first stack for incremental evaluation; 0..256 */
  uint32_t reserved;
  int64_t max_h;         /* largest value but for dead ends, if known; else 0 */
  uint64_t memory_bytes; /* of this heuristic object, shared read-only mappings left out */
} astro_heuristic_info_v1;

/* Operators of one heuristic class. Lifetime: create, build, then immutable; contexts are opened for
 * each search thread and closed before destroy. */
typedef struct astro_heuristic_v1 {
  uint32_t struct_size;
  uint32_t reserved;

  /* The layout (astro_problem_v1.state_layout) it reads; the host refuses any other. */
  astro_text state_layout;

  /* `problem` outlives the heuristic. ASTRO_REFUSED with a diagnostic when this instance cannot be
   * handled, saying what to use instead. [load] */
  astro_status (*create)(const astro_host_v1* host, const astro_problem_v1* problem_ops, const void* problem,
                         const astro_params* params, const astro_diagnostics* diagnostics, void** out);
  void (*destroy)(void* heuristic); /* [load] */
  /* Long work: tables. Null when there is none. [build] */
  astro_status (*build)(void* heuristic, const astro_diagnostics* diagnostics);
  /* Valid after build. [any] */
  void (*info)(const void* heuristic, astro_heuristic_info_v1* out);

  /* A context for one thread. Null function: the heuristic itself serves as context. [load] */
  void* (*open_context)(const void* heuristic, uint64_t seed);
  void (*close_context)(const void* heuristic, void* context); /* [load] */

  /* h of a state; ASTRO_DEAD_END when no goal can be reached. Mandatory. [search:ctx] */
  int64_t (*eval)(const void* context, const void* state);
  /* n states, `stride` bytes apart. Mandatory (the SDK derives it). [search:ctx] */
  void (*eval_batch)(const void* context, uint64_t n, const void* states, uint64_t stride, int64_t* out_h);
  /* aux of a state from nothing. Null when aux_size is 0. [search:ctx] */
  void (*root_aux)(const void* context, const void* state, void* out_aux);
  /* h (and aux, aux_size apart) of the children that `ops` lead to, before they are built.
   * parent_aux is null when aux_size is 0. Null function: the host builds children and uses
   * eval_batch. [search:ctx] */
  void (*eval_ops)(const void* context, const void* parent, int64_t parent_h, const void* parent_aux,
                   const astro_op* ops, uint32_t n_ops, int64_t* out_h, void* out_aux);

  /* Why h is what it is, for people: components, one a line. Null: nothing to say. [load][sink] */
  void (*explain)(const void* heuristic, const void* state, const astro_sink* sink);

  /* Capability by id ("astro.heuristic.additive/1"), or null. Static. [any] */
  const void* (*get_extension)(astro_text id);
} astro_heuristic_v1;

/* Extension "astro.heuristic.additive/1": h is a sum over tiles of a term that depends on the tile
 * and its square alone. delta[(tile * n_squares + from) * n_squares + to] is the change of h when
 * `tile` moves from `from` to `to`. Tile 0 is the blank and moves for free. */
typedef struct astro_additive_table_v1 {
  uint32_t struct_size;
  uint32_t n_tiles; /* the blank included */
  uint32_t n_squares;
  uint32_t reserved;
  const int8_t* delta; /* owned by the heuristic; adjacent squares only are read */
} astro_additive_table_v1;

typedef struct astro_heuristic_additive_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  /* Nonzero and *out filled when this instance has such a table. [any] */
  int32_t (*table)(const void* heuristic, astro_additive_table_v1* out);
} astro_heuristic_additive_v1;
#define ASTRO_HEURISTIC_ADDITIVE_V1 "astro.heuristic.additive/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_HEURISTIC_H_ */
