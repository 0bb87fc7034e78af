/* Extension "astro.heuristic.local/1": an objective over the variables of a factored problem (factored.h) that follows
 * one state step by step, with counters of any size. Smaller is better. It is what lets local search scale: without it
 * the host makes the state of each neighbour and calls eval.
 *
 * A trail follows one state for one thread. The host opens it, binds it to a state, asks for the change that steps
 * would make, takes some of them, and may bind it anew at any time.
 */
#ifndef ASTROLABE_ABI_LOCAL_H_
#define ASTROLABE_ABI_LOCAL_H_

#include "astrolabe/abi/factored.h"
#include "astrolabe/abi/heuristic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct astro_heuristic_local_v1 {
  uint32_t struct_size;
  uint32_t reserved;

  /* Memory for one trail, of the host's budget. Null: that is used up. [load] */
  void* (*open_trail)(const void* heuristic);
  void (*close_trail)(const void* heuristic, void* trail); /* [load] */

  /* The objective is that of these values from now on: one for each variable. Called once a restart; allocates nothing.
   * Precedes all that follows. [search:ctx] */
  void (*bind)(void* trail, const uint32_t* values);
  /* The objective now; equal to eval of the state. [search:ctx] */
  int64_t (*objective)(const void* trail);
  /* The change of the objective if `variable` took `value`; 0 for the value it has. [search:ctx] */
  int64_t (*delta)(const void* trail, uint32_t variable, uint32_t value);
  /* The same for all values of `count` variables from `first` on:
   * out[(variable - first) * values + value]. [search:ctx] */
  void (*deltas)(const void* trail, uint32_t first, uint32_t count, int64_t* out);
  /* `variable` takes `value`. [search:ctx] */
  void (*commit)(void* trail, uint32_t variable, uint32_t value);
  /* Nonzero: the variable has a part in what makes the objective larger than 0, so that giving it another value may be
   * of use. Null function: any may have. [search:ctx] */
  int32_t (*in_conflict)(const void* trail, uint32_t variable);

  /* The change of the objective for each of n values of one variable, out[i] as delta(variable, values[i]): counters of
   * any size can ask the memory for all of them before they look at one. Null function: delta is asked one by one.
   * [search:ctx] */
  void (*sample)(const void* trail, uint32_t variable, uint32_t n, const uint32_t* values, int64_t* out);
} astro_heuristic_local_v1;
#define ASTRO_HEURISTIC_LOCAL_V1 "astro.heuristic.local/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_LOCAL_H_ */
