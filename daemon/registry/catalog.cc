#include "daemon/base/nearest.h"
#include "daemon/registry/registry.h"

namespace astrolabe::registry {

std::string Catalog::NearestProblem(std::string_view id) const {
  std::vector<std::string> ids;
  for (const auto& [known, unused] : problems) ids.push_back(known);
  return Nearest(id, ids);
}

std::string Catalog::NearestHeuristic(std::string_view id) const {
  std::vector<std::string> ids;
  for (const auto& [known, unused] : heuristics) ids.push_back(known);
  return Nearest(id, ids);
}

}  // namespace astrolabe::registry
