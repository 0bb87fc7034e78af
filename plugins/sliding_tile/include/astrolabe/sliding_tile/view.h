/* Sliding tiles, state layout "sliding_tile/1": what heuristics read, in plain C.
 *
 * Squares are numbered row by row from 0. Tiles are 1 .. cells - 1; the blank is 0.
 *
 * An operator is blank * 4 + direction: `blank` is the square of the blank before the move, and the
 * direction is the way the BLANK goes. So the tile that moves goes from the blank's new square to its
 * old one, and nobody has to look for the blank.
 *
 * A state is:
 *   PACKED  up to 16 cells: one uint64_t, the tile on square s in bits 4s .. 4s + 3; higher bits zero.
 *   BYTES   up to 256 cells: `cells` unsigned bytes, the tile on each square, then one byte, the square
 *           of the blank.
 *   WORDS   above: the same in uint16_t.
 */
#ifndef ASTROLABE_SLIDING_TILE_VIEW_H_
#define ASTROLABE_SLIDING_TILE_VIEW_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLIDING_TILE_LAYOUT "sliding_tile/1"

enum { SLIDING_TILE_UP = 0, SLIDING_TILE_LEFT = 1, SLIDING_TILE_RIGHT = 2, SLIDING_TILE_DOWN = 3 };

enum { SLIDING_TILE_PACKED = 1, SLIDING_TILE_BYTES = 2, SLIDING_TILE_WORDS = 3 };

/* What astro_problem_v1.domain_view returns. Lives as long as the problem. */
typedef struct sliding_tile_view_v1 {
  uint32_t struct_size;
  uint32_t layout;     /* SLIDING_TILE_PACKED, ... */
  uint32_t state_size; /* bytes */
  uint32_t rows;
  uint32_t cols;
  uint32_t cells; /* rows * cols */
  uint32_t start_blank;
  uint32_t goal_blank;
  const uint16_t* start;       /* tile on each square of the start */
  const uint16_t* goal;        /* tile on each square of the goal */
  const uint16_t* goal_square; /* square of each tile in the goal; [0] is the blank's */
  const uint8_t* row;          /* of each square: no division in a heuristic */
  const uint8_t* col;
} sliding_tile_view_v1;

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_SLIDING_TILE_VIEW_H_ */
