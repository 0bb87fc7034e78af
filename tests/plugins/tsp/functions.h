// The problem of the sources, as its table.
#ifndef ASTROLABE_TESTS_PLUGINS_TSP_FUNCTIONS_H_
#define ASTROLABE_TESTS_PLUGINS_TSP_FUNCTIONS_H_

#include "plugins/tsp/problem.h"

namespace tsp {

inline const astro_problem_v1* Functions() { return astro::Problem<Tsp>::Functions(); }

}  // namespace tsp

#endif  // ASTROLABE_TESTS_PLUGINS_TSP_FUNCTIONS_H_
