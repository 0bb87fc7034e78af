// TSPLIB text to cities, and lists of city numbers to tours.
#ifndef ASTROLABE_PLUGINS_TSP_TSPLIB_READER_H_
#define ASTROLABE_PLUGINS_TSP_TSPLIB_READER_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "astrolabe/sdk/diagnostics.h"
#include "plugins/tsp/cities.h"

namespace tsp {

// Null: every fault was reported.
std::optional<Cities> ReadTsplib(std::string_view text, astro::Diagnostics& diagnostics);

// The numbers of all cities, each once, from any of them on and either way round. Cities are numbered from 1 in text
// and from 0 in what is returned. Null: reported.
std::optional<std::vector<City>> ReadTour(std::string_view text, size_t cities, astro::Diagnostics& diagnostics);

}  // namespace tsp

#endif  // ASTROLABE_PLUGINS_TSP_TSPLIB_READER_H_
