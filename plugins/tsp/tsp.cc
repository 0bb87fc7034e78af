#include "plugins/tsp/problem.h"

ASTRO_PLUGIN("org.astrolabe.tsp", "1.0.0", astro::Problem<tsp::Tsp>);
