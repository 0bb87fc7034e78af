// The problem of the sources, as its table.
#ifndef ASTROLABE_TESTS_PLUGINS_EXPLICIT_GRAPH_FUNCTIONS_H_
#define ASTROLABE_TESTS_PLUGINS_EXPLICIT_GRAPH_FUNCTIONS_H_

#include "plugins/explicit_graph/problem.h"

namespace explicit_graph {

inline const astro_problem_v1* Functions() { return astro::Problem<ExplicitGraph>::Functions(); }

}  // namespace explicit_graph

#endif  // ASTROLABE_TESTS_PLUGINS_EXPLICIT_GRAPH_FUNCTIONS_H_
