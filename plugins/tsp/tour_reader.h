// Lists of city numbers to tours. Cities are numbered from 1 in text and from 0 in what is returned.
#ifndef ASTROLABE_PLUGINS_TSP_TOUR_READER_H_
#define ASTROLABE_PLUGINS_TSP_TOUR_READER_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/words.h"
#include "astrolabe/tsp/tour.h"

namespace tsp {

// The numbers of all `cities`, each once, from any of them on and either way round. `end` is the place to say that some
// are missing, `field` names the text in faults. Null: every fault was reported.
std::optional<std::vector<City>> ReadTour(const std::vector<astro::Word>& words, size_t cities, const astro::Word& end,
                                          std::string_view field, astro::Diagnostics& diagnostics);
// The same of a state's text: numbers with blanks, commas or line ends between.
std::optional<std::vector<City>> ReadTour(std::string_view text, size_t cities, astro::Diagnostics& diagnostics);

}  // namespace tsp

#endif  // ASTROLABE_PLUGINS_TSP_TOUR_READER_H_
