/* Extension "astro.problem.random_state/1": random states, where local search begins and begins again. */
#ifndef ASTROLABE_ABI_RANDOM_STATE_H_
#define ASTROLABE_ABI_RANDOM_STATE_H_

#include "astrolabe/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct astro_problem_random_state_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  /* Writes a state drawn from all states, or from those that make sense as a start, each as likely as the others.
   * Depends on `seed` and the instance alone: the same bytes on any machine, so use no generator whose results are not
   * fixed by its definition. Called once a restart, perhaps a million times a second: allocates nothing. [any] */
  void (*random_state)(const void* problem, uint64_t seed, void* out_state);
} astro_problem_random_state_v1;
#define ASTRO_PROBLEM_RANDOM_STATE_V1 "astro.problem.random_state/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_RANDOM_STATE_H_ */
