// Expanded counts of every deterministic algorithm on fixed boards: a change of these numbers is a change of the
// search, and the commit that makes it says why.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/two_way.h"

namespace astrolabe::engine::testing {
namespace {

struct Golden {
  int64_t cost;
  int64_t expanded;
  int64_t generated;
};

TEST(GoldenCounts, OfAnEightPuzzleOf26Moves) {
  const std::map<std::string, Golden> goldens = {
      {"astar", {26, 1491, 2477}},
      {"weighted_astar", {26, 1532, 2559}},
      {"greedy", {60, 429, 762}},
      {"breadth_first", {26, 166009, 278389}},
      {"uniform_cost", {26, 166009, 278389}},
      {"idastar", {26, 3837, 6289}},
      {"depth_first", {26, 12852255, 22275284}},
      {"hda_star", {26, 1491, 2477}},
      {"rbfs", {26, 6029, 9934}},
      {"anytime_astar", {26, 1875, 3136}},
      {"beam", {26, 2001, 3447}},
      {"bidirectional", {26, 978, 1630}},
      {"bidirectional_bfs", {26, 3621, 6146}},
  };
  const TwoWayBoard board(EightPuzzle({7, 2, 4, 5, 0, 6, 8, 3, 1}, BlankFirst(9)));
  for (const AlgorithmDescription& algorithm : Algorithms()) {
    if (algorithm.needs_construct || algorithm.local || algorithm.counts_solutions) continue;  // not of these boards
    SCOPED_TRACE(algorithm.id);
    ASSERT_EQ(goldens.count(algorithm.id), 1u) << "give the new algorithm its numbers";
    const Golden& golden = goldens.at(algorithm.id);
    const SearchResult result = Solve(board.Request(algorithm.id));
    EXPECT_EQ(result.cost, golden.cost);
    EXPECT_EQ(result.statistics.expanded, golden.expanded);
    EXPECT_EQ(result.statistics.generated, golden.generated);
  }
}

}  // namespace
}  // namespace astrolabe::engine::testing
