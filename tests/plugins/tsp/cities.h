// Instances for tests: random cities, as TSPLIB text.
#ifndef ASTROLABE_TESTS_PLUGINS_TSP_CITIES_H_
#define ASTROLABE_TESTS_PLUGINS_TSP_CITIES_H_

#include <cstdint>
#include <string>

#include "astrolabe/sdk/random.h"

namespace tsp_test {

inline std::string RandomCities(uint32_t cities, uint64_t seed) {
  astro::Random random(seed);
  std::string text = "DIMENSION : " + std::to_string(cities) + "\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n";
  for (uint32_t city = 1; city <= cities; ++city) {
    text += std::to_string(city) + " " + std::to_string(random.Below(100)) + " " + std::to_string(random.Below(100)) +
            ".5\n";
  }
  return text + "EOF\n";
}

}  // namespace tsp_test

#endif  // ASTROLABE_TESTS_PLUGINS_TSP_CITIES_H_
