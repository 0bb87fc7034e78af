// The theory held against exhaustive search.
#include "plugins/graph_tile/solvability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "astrolabe/abi/problem.h"
#include "boards.h"

namespace graph_tile {
namespace {

Arcs MakeArcs(int cells, const boards::Edges& edges, bool directed = false) {
  std::vector<Arc> arcs;
  for (const auto& [a, b] : edges) {
    arcs.emplace_back(a, b);
    if (!directed) arcs.emplace_back(b, a);
  }
  return Arcs::Make(cells, std::move(arcs));
}

Tiles InOrder(int cells) {
  Tiles tiles(cells);
  std::iota(tiles.begin(), tiles.end(), uint16_t{0});
  return tiles;
}

// Everything that can be reached from a board.
std::set<Tiles> Reach(const Arcs& arcs, const Tiles& start) {
  std::set<Tiles> met{start};
  std::vector<Tiles> queue{start};
  for (size_t at = 0; at < queue.size(); ++at) {
    const Tiles board = queue[at];
    const int blank = tiles::PlaceOf(0, board);
    for (const uint16_t cell : arcs.neighbours(blank)) {
      Tiles child = board;
      std::swap(child[blank], child[cell]);
      if (met.insert(child).second) queue.push_back(std::move(child));
    }
  }
  return met;
}

// Holds the answers for all boards with this start against the search; returns how many can be solved.
size_t ExpectAsSearched(const Arcs& arcs, const Tiles& start) {
  const auto shared = std::make_shared<const Arcs>(arcs);
  const std::set<Tiles> reached = Reach(arcs, start);
  Tiles goal = InOrder(arcs.cells());
  size_t solvable = 0;
  do {
    const SolvabilityAnswer answer = CheckSolvability({shared, start, goal});
    const uint32_t searched = reached.count(goal) > 0 ? ASTRO_SOLVABLE_YES : ASTRO_SOLVABLE_NO;
    if (answer.solvable != ASTRO_SOLVABLE_UNKNOWN) {
      EXPECT_EQ(answer.solvable, searched) << answer.reason;
    } else {
      EXPECT_FALSE(arcs.symmetric());
    }
    EXPECT_FALSE(answer.reason.empty());
    solvable += searched == ASTRO_SOLVABLE_YES ? 1 : 0;
    if (::testing::Test::HasFailure()) break;
  } while (std::next_permutation(goal.begin(), goal.end()));
  return solvable;
}

// The smallest number that has the edges of the graph under any numbering of its cells: equal for equal graphs.
uint32_t Canonical(int cells, uint32_t graph, const std::vector<std::vector<int>>& bit) {
  std::vector<int> order(cells);
  std::iota(order.begin(), order.end(), 0);
  uint32_t least = UINT32_MAX;
  do {
    uint32_t renamed = 0;
    for (int a = 0; a < cells; ++a) {
      for (int b = a + 1; b < cells; ++b) {
        if ((graph >> bit[a][b] & 1) != 0) renamed |= 1u << bit[order[a]][order[b]];
      }
    }
    least = std::min(least, renamed);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

// All graphs of up to six cells, connected or not, every one of them with every goal; with the blank on every cell, on
// two of the six.
TEST(Solvability, IsWhatExhaustiveSearchFindsOnAllSmallGraphs) {
#ifdef ASTROLABE_SANITIZED
  constexpr int kMostCells = 5;
#else
  constexpr int kMostCells = 6;
#endif
  for (int cells = 2; cells <= kMostCells; ++cells) {
    std::vector<std::vector<int>> bit(cells, std::vector<int>(cells, 0));
    boards::Edges pairs;
    for (int a = 0; a < cells; ++a) {
      for (int b = a + 1; b < cells; ++b) {
        bit[a][b] = bit[b][a] = static_cast<int>(pairs.size());
        pairs.emplace_back(a, b);
      }
    }
    std::set<uint32_t> met;
    for (uint32_t graph = 0; graph < (1u << pairs.size()); ++graph) {
      if (!met.insert(Canonical(cells, graph, bit)).second) continue;
      boards::Edges edges;
      for (size_t i = 0; i < pairs.size(); ++i) {
        if ((graph >> i & 1) != 0) edges.push_back(pairs[i]);
      }
      for (int blank = 0; blank < cells; blank += cells < 6 ? 1 : 3) {
        Tiles start = InOrder(cells);
        std::swap(start[0], start[blank]);
        ExpectAsSearched(MakeArcs(cells, edges), start);
        ASSERT_FALSE(HasFailure()) << boards::Lists(cells, edges) << "blank on " << blank;
      }
    }
    constexpr std::array<size_t, 7> kGraphs = {0, 0, 2, 4, 11, 34, 156};  // of so many cells, up to numbering
    EXPECT_EQ(met.size(), kGraphs[cells]);
  }
}

TEST(Solvability, IsWhatExhaustiveSearchFindsOnRandomGraphsOfSevenCells) {
#ifdef ASTROLABE_SANITIZED
  constexpr int kRounds = 4;
#else
  constexpr int kRounds = 20;
#endif
  std::mt19937 random{1974};
  for (int round = 0; round < kRounds; ++round) {
    const int cells = 7;
    const boards::Edges edges = boards::Connected(cells, round % 4, random);
    Tiles start = InOrder(cells);
    std::shuffle(start.begin(), start.end(), random);
    ExpectAsSearched(MakeArcs(cells, edges), start);
    ASSERT_FALSE(HasFailure()) << boards::Lists(cells, edges);
  }
}

// The one two-connected graph but rings that Wilson's theorem leaves out.
TEST(Solvability, KnowsThetaZero) {
  const boards::Edges theta = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {0, 6}, {6, 3}};
  EXPECT_EQ(ExpectAsSearched(MakeArcs(7, theta), {3, 1, 2, 0, 4, 5, 6}), 840u);
  Tiles goal = InOrder(7);
  std::swap(goal[1], goal[2]);
  const SolvabilityAnswer answer =
      CheckSolvability({std::make_shared<const Arcs>(MakeArcs(7, theta)), InOrder(7), goal});
  EXPECT_NE(answer.reason.find("theta-0"), std::string::npos) << answer.reason;
  // Two other graphs of two cells with three neighbours: nothing special.
  ExpectAsSearched(MakeArcs(7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 0}, {0, 3}}), InOrder(7));
  ExpectAsSearched(MakeArcs(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {0, 5}, {5, 2}}), InOrder(6));
}

// What is said of moves that go one way is right, and often there is nothing to say.
TEST(Solvability, IsNeverWrongWhereMovesGoOneWay) {
  std::mt19937 random{8};
  for (int round = 0; round < 120; ++round) {
    boards::Edges edges = boards::Connected(5, 2 + round % 4, random);
    const size_t one_way = edges.size();
    for (size_t i = round % 3; i < one_way; i += 3) edges.emplace_back(edges[i].second, edges[i].first);
    Tiles start = InOrder(5);
    std::shuffle(start.begin(), start.end(), random);
    ExpectAsSearched(MakeArcs(5, edges, true), start);
    ASSERT_FALSE(HasFailure()) << boards::Lists(5, edges, true);
  }
}

TEST(Solvability, SaysUnknownWhereMovesGoOneWayAndTheTheoryIsSilent) {
  const auto ring = std::make_shared<const Arcs>(MakeArcs(3, {{0, 1}, {1, 2}, {2, 0}}, true));
  EXPECT_EQ(CheckSolvability({ring, {0, 1, 2}, {0, 2, 1}}).solvable, uint32_t{ASTRO_SOLVABLE_UNKNOWN});
  const auto street = std::make_shared<const Arcs>(MakeArcs(3, {{0, 1}, {1, 2}}, true));
  EXPECT_EQ(CheckSolvability({street, {1, 0, 2}, {0, 1, 2}}).solvable, uint32_t{ASTRO_SOLVABLE_NO});
}

// Far too many cells to search, and long ways: no recursion.
TEST(Solvability, TakesLargeBoards) {
  boards::Edges street;
  for (int cell = 1; cell < kMaxCells; ++cell) street.emplace_back(cell - 1, cell);
  const auto path = std::make_shared<const Arcs>(MakeArcs(kMaxCells, street));
  const Tiles start = InOrder(kMaxCells);
  Tiles goal = start;
  std::rotate(goal.begin(), goal.begin() + 1, goal.end());  // the blank went along all of it
  EXPECT_EQ(CheckSolvability({path, start, goal}).solvable, uint32_t{ASTRO_SOLVABLE_YES});
  std::swap(goal[7], goal[8]);
  EXPECT_EQ(CheckSolvability({path, start, goal}).solvable, uint32_t{ASTRO_SOLVABLE_NO});
}

}  // namespace
}  // namespace graph_tile
