// The problem plugin.
#include "plugins/sliding_tile/problem.h"

ASTRO_PLUGIN("org.astrolabe.sliding_tile", "1.0.0", astro::Problem<sliding_tile::SlidingTile>);
