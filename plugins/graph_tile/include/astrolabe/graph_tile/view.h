/* Sliding tiles on a graph, state layout "graph_tile/1": what heuristics read, in plain C.
 *
 * Cells are numbered from 0. Tiles are 1 .. cells - 1; the blank is 0.
 *
 * An arc is one way in which the BLANK may go from a cell to a neighbour; the tile of that neighbour goes the other
 * way. Arcs are numbered cell by cell, those of one cell by target. No arc leads from a cell to itself, and no two
 * have the same ends. An operator is the number of an arc.
 *
 * A state is:
 *   PACKED  up to 16 cells: one uint64_t, the tile on cell c in bits 4c .. 4c + 3; higher bits zero.
 *   BYTES   up to 256 cells: `cells` unsigned bytes, the tile on each cell, then one byte, the cell of the blank.
 *   WORDS   above: the same in uint16_t.
 */
#ifndef ASTROLABE_GRAPH_TILE_VIEW_H_
#define ASTROLABE_GRAPH_TILE_VIEW_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRAPH_TILE_LAYOUT "graph_tile/1"

enum { GRAPH_TILE_PACKED = 1, GRAPH_TILE_BYTES = 2, GRAPH_TILE_WORDS = 3 };

/* What astro_problem_v1.domain_view returns. Lives as long as the problem. */
typedef struct graph_tile_view_v1 {
  uint32_t struct_size;
  uint32_t layout;     /* GRAPH_TILE_PACKED, ... */
  uint32_t state_size; /* bytes */
  uint32_t cells;
  uint32_t arcs;
  uint32_t symmetric;        /* 1: every arc has one that goes back */
  const uint16_t* start;     /* tile on each cell of the start */
  const uint16_t* goal;      /* tile on each cell of the goal */
  const uint16_t* goal_cell; /* cell of each tile in the goal; [0] is the blank's */
  const uint32_t* first;     /* cells + 1 numbers: the arcs of cell c are first[c] .. first[c + 1] - 1 */
  const uint16_t* source;    /* of each arc: where the blank is before the move */
  const uint16_t* target;    /* of each arc: where the blank is after it */
} graph_tile_view_v1;

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_GRAPH_TILE_VIEW_H_ */
