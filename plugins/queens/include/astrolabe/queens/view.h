/* Queens, state layout "queens/1": what heuristics read, in plain C.
 *
 * Columns are numbered from 0 from the left, rows from 0 from the top. A state is `queens` unsigned numbers of
 * cell_bytes each: the row of the queen in each column. The largest such number says that the column has no queen; only
 * the incremental formulation has such states, and there the columns are filled from the left.
 *
 * Operators of the complete formulation: column * queens + row, where that is below ASTRO_NO_OP. Of the incremental
 * one: the row of the queen that is placed in the first column without one.
 */
#ifndef ASTROLABE_QUEENS_VIEW_H_
#define ASTROLABE_QUEENS_VIEW_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QUEENS_LAYOUT "queens/1"

enum { QUEENS_COMPLETE = 0, QUEENS_INCREMENTAL = 1 };

/* What astro_problem_v1.domain_view returns. Lives as long as the problem. */
typedef struct queens_view_v1 {
  uint32_t struct_size;
  uint32_t formulation; /* QUEENS_* */
  uint32_t queens;      /* and rows, and columns; 1 .. 1000000 */
  uint32_t cell_bytes;  /* 1, 2 or 4 */
} queens_view_v1;

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_QUEENS_VIEW_H_ */
