#include "daemon/worker/plugin_checks.h"

#include <gtest/gtest.h>

#include <cstring>

namespace astrolabe::worker {
namespace {

// A table whose mandatory functions are all there; the size alone is judged.
template <typename Table>
Table WithSize(uint32_t struct_size) {
  Table table;
  std::memset(static_cast<void*>(&table), 1, sizeof table);
  table.struct_size = struct_size;
  return table;
}

TEST(PluginChecks, AStructSizeIsBelievedBetweenVersionOneAndALimit) {
  const auto problem_passes = [](uint32_t size) {
    const auto table = WithSize<astro_problem_v1>(size);
    return !CheckProblemVtable(&table, "it").has_value();
  };
  const auto heuristic_passes = [](uint32_t size) {
    const auto table = WithSize<astro_heuristic_v1>(size);
    return !CheckHeuristicVtable(&table, "it").has_value();
  };
  for (uint32_t size : {0u, 1u, 4u, 8u, kMaxAbiStruct + 1, 0x7fffffffu, 0x80000000u, 0xfffffff8u, 0xffffffffu}) {
    EXPECT_FALSE(problem_passes(size)) << size;
    EXPECT_FALSE(heuristic_passes(size)) << size;
  }
  EXPECT_FALSE(problem_passes(sizeof(astro_problem_v1) - 1));
  EXPECT_FALSE(heuristic_passes(sizeof(astro_heuristic_v1) - 1));
  for (uint32_t more : {0u, 1u, 8u, 64u}) {
    EXPECT_TRUE(problem_passes(sizeof(astro_problem_v1) + more)) << more;
    EXPECT_TRUE(heuristic_passes(sizeof(astro_heuristic_v1) + more)) << more;
  }
  EXPECT_TRUE(problem_passes(kMaxAbiStruct));
  EXPECT_TRUE(heuristic_passes(kMaxAbiStruct));
}

}  // namespace
}  // namespace astrolabe::worker
