// TSPLIB text to cities.
#ifndef ASTROLABE_PLUGINS_TSP_TSPLIB_READER_H_
#define ASTROLABE_PLUGINS_TSP_TSPLIB_READER_H_

#include <optional>
#include <string_view>

#include "astrolabe/sdk/diagnostics.h"
#include "plugins/tsp/cities.h"

namespace tsp {

// Null: every fault was reported.
std::optional<Cities> ReadTsplib(std::string_view text, astro::Diagnostics& diagnostics);

}  // namespace tsp

#endif  // ASTROLABE_PLUGINS_TSP_TSPLIB_READER_H_
