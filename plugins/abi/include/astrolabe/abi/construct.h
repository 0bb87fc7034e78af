/* Extension "astro.problem.construct/1": a solution by a method of the problem's own, without search, in polynomial
 * time. It need not be short. With it an instance can be solved that is far too large for any search. */
#ifndef ASTROLABE_ABI_CONSTRUCT_H_
#define ASTROLABE_ABI_CONSTRUCT_H_

#include "astrolabe/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the operators of a path, piece by piece. Valid only during the call it was passed to. */
typedef struct astro_op_sink {
  void* ctx;
  /* Copies `count` operators that follow those before. Nonzero: the host wants no more (a limit, a cancel); write
   * nothing further and return ASTRO_CANCELLED soon. */
  int32_t (*write)(void* ctx, const astro_op* ops, uint64_t count);
} astro_op_sink;

typedef struct astro_problem_construct_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  /* Writes operators that lead from the initial state to a goal, the same ones every time. The host replays them, so a
   * wrong path is found out. Memory: a few copies of a state, not the path; so it writes at least every 10 ms, which is
   * also how it hears of a stop. ASTRO_REFUSED, with the reason as a diagnostic, when there is no solution or none
   * that this method can make; what was written before is dropped. [any][sink] */
  astro_status (*construct)(const void* problem, const astro_op_sink* sink, const astro_diagnostics* diagnostics);
} astro_problem_construct_v1;
#define ASTRO_PROBLEM_CONSTRUCT_V1 "astro.problem.construct/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_CONSTRUCT_H_ */
