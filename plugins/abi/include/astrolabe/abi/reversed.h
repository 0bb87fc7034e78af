/* Extension "astro.problem.reversed/1": the problem with start and goal swapped and every operator turned round. With
 * it a search can work from the goal too: the heuristics are created once more, on the reversed problem, and so
 * estimate the cost from the start of the problem itself. */
#ifndef ASTROLABE_ABI_REVERSED_H_
#define ASTROLABE_ABI_REVERSED_H_

#include "astrolabe/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct astro_problem_reversed_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  /* Makes the reversed problem, an object of the same astro_problem_v1, to be ended by its destroy. It does not need
   * `problem` any more. Its states have the same bytes; its initial state is the goal; its one goal is the initial
   * state of `problem`; it has an operator from s to p for every operator of `problem` from p to s, at the same cost.
   * ASTRO_REFUSED, with the reason as a diagnostic, when there is no such problem (several goals, for example); *out is
   * untouched then. `host` is valid until destroy. [load] */
  astro_status (*reverse)(const void* problem, const astro_host_v1* host, const astro_diagnostics* diagnostics,
                          void** out);
  /* `op` is an operator of the reversed problem at `state`, leading to p. Returns the operator of the problem itself
   * that leads from p to `state` at the same cost. [any] */
  astro_op (*forward_op)(const void* reversed, const void* state, astro_op op);
} astro_problem_reversed_v1;
#define ASTRO_PROBLEM_REVERSED_V1 "astro.problem.reversed/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_REVERSED_H_ */
