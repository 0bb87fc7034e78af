#include "plugins/tsp/cities.h"

#include <cmath>

namespace tsp {

std::vector<int32_t> Distances(const std::vector<Point>& points) {
  std::vector<int32_t> distances;
  distances.reserve(points.size() * points.size());
  for (const Point& a : points) {
    for (const Point& b : points) {
      const double dx = a.x - b.x;
      const double dy = a.y - b.y;
      // The square root is exact to the last bit on every machine; products and sum are too, where the compiler does
      // not fuse them (see CMakeLists.txt).
      distances.push_back(static_cast<int32_t>(std::sqrt(dx * dx + dy * dy) + 0.5));
    }
  }
  return distances;
}

}  // namespace tsp
