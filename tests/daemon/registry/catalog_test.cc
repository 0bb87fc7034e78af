#include <gtest/gtest.h>

#include "daemon/registry/registry.h"

namespace astrolabe::registry {
namespace {

TEST(Catalog, SuggestsProblemsAndHeuristics) {
  Catalog catalog;
  catalog.problems["sliding_tile"];
  catalog.heuristics["manhattan"];
  EXPECT_EQ(catalog.NearestProblem("sliding_tiles"), "sliding_tile");
  EXPECT_EQ(catalog.NearestHeuristic("manhaten"), "manhattan");
  EXPECT_EQ(catalog.NearestHeuristic("sliding_tile"), "");
}

}  // namespace
}  // namespace astrolabe::registry
