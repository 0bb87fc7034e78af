// The problem of the sources, as its table.
#ifndef ASTROLABE_TESTS_PLUGINS_GRAPH_TILE_FUNCTIONS_H_
#define ASTROLABE_TESTS_PLUGINS_GRAPH_TILE_FUNCTIONS_H_

#include "plugins/graph_tile/problem.h"

namespace graph_tile {

inline const astro_problem_v1* Functions() { return astro::Problem<GraphTile>::Functions(); }

}  // namespace graph_tile

#endif  // ASTROLABE_TESTS_PLUGINS_GRAPH_TILE_FUNCTIONS_H_
