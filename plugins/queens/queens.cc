#include "plugins/queens/problem.h"

ASTRO_PLUGIN("org.astrolabe.queens", "1.0.0", astro::Problem<queens::Queens>);
