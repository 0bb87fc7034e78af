#include "plugins/graph_tile/problem.h"

ASTRO_PLUGIN("org.astrolabe.graph_tile", "1.0.0", astro::Problem<graph_tile::GraphTile>);
