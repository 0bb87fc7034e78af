#include "plugins/explicit_graph/problem.h"

ASTRO_PLUGIN("org.astrolabe.explicit_graph", "1.0.0", astro::Problem<explicit_graph::ExplicitGraph>);
