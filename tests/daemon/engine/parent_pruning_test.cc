// The "critical optimisation", and searches without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

TileSpec SomeEightPuzzle(bool kernel) {
  TileSpec spec{.rows = 3, .columns = 3, .start = {7, 2, 4, 5, 0, 6, 8, 3, 1}, .goal = BlankFirst(9)};
  spec.kernel = kernel;
  return spec;
}

SearchResult SolveWith(const TileSpec& spec, const std::string& algorithm, const char* parent_pruning) {
  const TileSpace space(spec);
  const TileHeuristic h(space, TileHeuristicKind::kManhattan);
  SearchRequest request = MakeRequest(space, algorithm, &h);
  request.params["parent_pruning"] = std::string(parent_pruning);
  return Solve(request);
}

// IDA* in a few lines, on the test's own moves.
struct Recursive {
  const TileSpace& space;
  bool parent_pruning;
  int64_t generated = 1;

  int Manhattan(Board board) const {
    int sum = 0;
    for (int cell = 0; cell < 9; ++cell) {
      const int tile = static_cast<int>(board >> (4 * cell) & 15);
      const int goal = space.goal_cell(tile);
      if (tile != 0) sum += std::abs(cell / 3 - goal / 3) + std::abs(cell % 3 - goal % 3);
    }
    return sum;
  }
  bool Search(Board board, int came_from, int left) {
    if (board == space.goal()) return true;
    const int blank = TileSpace::Blank(board, 9);
    const TileSpace::Moves& moves = space.moves(blank);
    for (uint32_t i = 0; i < moves.count; ++i) {
      if (parent_pruning && moves.target[i] == came_from) continue;
      ++generated;
      const Board child = TileSpace::Move(board, blank, moves.target[i]);
      if (Manhattan(child) < left && Search(child, blank, left - 1)) return true;
    }
    return false;
  }
  int Solve() {
    int bound = Manhattan(space.start());
    while (!Search(space.start(), -1, bound)) bound += 2;
    return bound;
  }
};

TEST(ParentPruning, CountsOfIdaStarAreThoseOfARecursionWithAndWithoutIt) {
  for (const bool pruning : {true, false}) {
    const TileSpec spec = SomeEightPuzzle(true);
    const TileSpace space(spec);
    Recursive recursive{space, pruning};
    const int length = recursive.Solve();
    const SearchResult result = SolveWith(spec, "idastar", pruning ? "on" : "off");
    EXPECT_EQ(result.cost, length);
    EXPECT_EQ(result.proof, Proof::kOptimal);
    EXPECT_EQ(result.statistics.generated, recursive.generated);
    EXPECT_EQ(result.tier, pruning ? Tier::kKernel : Tier::kGeneric);
  }
}

// Every parent is met again, and nothing else changes.
TEST(ParentPruning, SavesAStarOneNodeAnExpansion) {
  const SearchResult with = SolveWith(SomeEightPuzzle(false), "astar", "on");
  const SearchResult without = SolveWith(SomeEightPuzzle(false), "astar", "off");
  EXPECT_EQ(without.path, with.path);
  EXPECT_EQ(without.proof, Proof::kOptimal);
  EXPECT_EQ(without.statistics.expanded, with.statistics.expanded);
  const int64_t parents = with.statistics.expanded - 1;  // the root has none
  EXPECT_GT(parents, 10);
  EXPECT_EQ(without.statistics.generated, with.statistics.generated + parents);
  EXPECT_EQ(without.statistics.duplicates, with.statistics.duplicates + parents);
}

TEST(ParentPruning, IsOnOrOff) {
  const SearchResult result = SolveWith(SomeEightPuzzle(false), "astar", "maybe");
  EXPECT_EQ(result.outcome, Outcome::kRejected);
  ASSERT_EQ(result.violations.size(), 1u);
  EXPECT_NE(result.violations[0].expected.find("off"), std::string::npos) << result.violations[0].expected;
}

}  // namespace
}  // namespace astrolabe::engine::testing
