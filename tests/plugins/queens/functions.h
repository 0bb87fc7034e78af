// The problem of the sources, as its table.
#ifndef ASTROLABE_TESTS_PLUGINS_QUEENS_FUNCTIONS_H_
#define ASTROLABE_TESTS_PLUGINS_QUEENS_FUNCTIONS_H_

#include "plugins/queens/problem.h"

namespace queens {

inline const astro_problem_v1* Functions() { return astro::Problem<Queens>::Functions(); }

}  // namespace queens

#endif  // ASTROLABE_TESTS_PLUGINS_QUEENS_FUNCTIONS_H_
