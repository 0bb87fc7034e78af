/* Extension "astro.problem.distance/1": a lower bound of the cost between any two states, where heuristics know the
 * goals alone. With it a piece of a path can be searched anew between its ends. */
#ifndef ASTROLABE_ABI_DISTANCE_H_
#define ASTROLABE_ABI_DISTANCE_H_

#include "astrolabe/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct astro_problem_distance_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  /* A meter for one thread, without a target. The problem outlives it. Null: no memory. [any] */
  void* (*open)(const void* problem);
  void (*close)(void* meter); /* [any] */
  /* The target from now on; the state is copied. Targets that follow each other differ little: time for what differs,
   * besides that for reading the state once. [search:ctx] */
  void (*bind)(void* meter, const void* target);
  /* At most the cost of any path from `state` to the target, 0 for the target itself, and at most the cost of an
   * operator more than of the state that it leads to (consistent); ASTRO_DEAD_END when there is no path. bind was
   * called. [search:ctx] */
  int64_t (*eval)(const void* meter, const void* state);
  /* The same of the states that `ops` lead to from `parent`, whose own is parent_h. [search:ctx] */
  void (*eval_ops)(const void* meter, const void* parent, int64_t parent_h, const astro_op* ops, uint32_t n_ops,
                   int64_t* out_h);
} astro_problem_distance_v1;
#define ASTRO_PROBLEM_DISTANCE_V1 "astro.problem.distance/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_DISTANCE_H_ */
