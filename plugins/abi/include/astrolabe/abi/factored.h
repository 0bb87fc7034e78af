/* Extension "astro.problem.factored/1": a state is a value for each of many variables, and a step of local search gives
 * one variable another value. Steps are named by variable and value, so nothing has the size of all steps: a million
 * queens have 10^12 of them. Such a problem may set max_ops to 0, and ops() then returns 0.
 *
 * Where variables * values is below ASTRO_NO_OP, the step that gives `variable` the value `value` is also the operator
 * variable * values + value: apply_in_place and render_op take it.
 */
#ifndef ASTROLABE_ABI_FACTORED_H_
#define ASTROLABE_ABI_FACTORED_H_

#include "astrolabe/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct astro_factored_info_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  uint32_t variables; /* numbered from 0; at least 1 */
  uint32_t values;    /* every variable takes each of 0 .. values - 1; at least 1 */
} astro_factored_info_v1;

typedef struct astro_problem_factored_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  /* Zero, and *out untouched: this instance is not of that form. Else fills the part of *out that lies inside
   * out->struct_size; the same whenever asked. [any] */
  int32_t (*info)(const void* problem, astro_factored_info_v1* out);
  /* The value of each variable in `state`: info.variables numbers. [any] */
  void (*values)(const void* problem, const void* state, uint32_t* out_values);
  /* The state in which the variables have these values; any combination is a state. [any] */
  void (*state)(const void* problem, const uint32_t* values, void* out_state);
  /* The step in words, as "moved column 5 to row 1". [any][sink] */
  void (*render_step)(const void* problem, uint32_t variable, uint32_t value, const astro_sink* sink);
} astro_problem_factored_v1;
#define ASTRO_PROBLEM_FACTORED_V1 "astro.problem.factored/1"

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_FACTORED_H_ */
