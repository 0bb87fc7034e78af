/* Extension "astro.problem.facts/1": what a problem can say of a state beyond what every problem answers, each under a
 * name: the twin of a board, how many tiles are out of place. For people and for checks of other programs. */
#ifndef ASTROLABE_ABI_FACTS_H_
#define ASTROLABE_ABI_FACTS_H_

#include "astrolabe/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes facts, one a call; copies them. Valid only during the call it was passed to. */
typedef struct astro_fact_sink {
  void* ctx;
  /* `name`: one word, snake_case, at most 64 bytes. `value`: text, perhaps of several lines. The host may leave out
   * what is too large. */
  void (*fact)(void* ctx, astro_text name, astro_text value);
} astro_fact_sink;

typedef struct astro_problem_facts_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  /* Tells the facts of `state`, in a fixed order, a name once. Fast: nothing is searched. [any][sink] */
  void (*facts)(const void* problem, const void* state, const astro_fact_sink* sink);
} astro_problem_facts_v1;
#define ASTRO_PROBLEM_FACTS_V1 "astro.problem.facts/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_FACTS_H_ */
