/* Travelling salesman problems, state layout "tsp/1": what heuristics read, in plain C.
 *
 * Cities are numbered from 0 in the order of their numbers in the instance. A state is a tour: `cities` uint16_t, the
 * city at each place. Place 0 has city 0, and the city at place 1 is below that of the last place: a tour has one
 * state, whichever city it begins with and whichever way it goes.
 *
 * An operator is (kind * cities + a) * cities + b, by places of the tour before it; places go round:
 *   kind 0               the places a .. b turn round (2-opt)
 *   kind 2 L - 1, L <= 3 the L places from a on move b places further (Or-opt)
 *   kind 2 L, L 2 or 3   the same, and turn round
 * Which of these there are is said in tour.h; they do not depend on the tour, and no two lead to the same one.
 */
#ifndef ASTROLABE_TSP_VIEW_H_
#define ASTROLABE_TSP_VIEW_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TSP_LAYOUT "tsp/1"

/* What astro_problem_v1.domain_view returns. Lives as long as the problem. */
typedef struct tsp_view_v1 {
  uint32_t struct_size;
  uint32_t cities;         /* 3 .. 500 */
  const int32_t* distance; /* distance[a * cities + b], the same both ways */
} tsp_view_v1;

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_TSP_VIEW_H_ */
