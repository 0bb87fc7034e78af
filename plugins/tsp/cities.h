// What an instance says.
#ifndef ASTROLABE_PLUGINS_TSP_CITIES_H_
#define ASTROLABE_PLUGINS_TSP_CITIES_H_

#include <cstdint>
#include <vector>

#include "astrolabe/tsp/tour.h"

namespace tsp {

// A tour has about 5.5 n^2 neighbours, which a search lists at each step: 1.4 million for so many cities.
inline constexpr uint32_t kMaxCities = 500;
inline constexpr uint32_t kMinCities = 3;
// Of a coordinate, either way: distances stay within int32.
inline constexpr double kMaxCoordinate = 1e8;

struct Point {
  double x;
  double y;
};

struct Cities {
  std::vector<Point> points;
  std::vector<City> start;  // a tour; empty: none is given
};

// TSPLIB's EUC_2D: the Euclidean distance, rounded to the nearest whole number, halves up (Reinelt 1991). Of each pair,
// row by row.
std::vector<int32_t> Distances(const std::vector<Point>& points);

}  // namespace tsp

#endif  // ASTROLABE_PLUGINS_TSP_CITIES_H_
