// The table of distances held against a plain relaxation of all arcs.
#include "plugins/graph_tile/distances.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <tuple>

#include "boards.h"
#include "plugins/graph_tile/problem.h"

namespace graph_tile {
namespace {

// Cells of which some have few neighbours and some have many: `percent` of all pairs near the first of them.
Arcs MixedArcs(int cells, int percent, bool directed, std::mt19937& random) {
  std::vector<Arc> arcs;
  std::uniform_int_distribution<int> hundred(0, 99);
  const auto add = [&](int a, int b) {
    arcs.emplace_back(a, b);
    if (!directed) arcs.emplace_back(b, a);
  };
  for (const auto& [a, b] : boards::Connected(cells, cells / 4, random)) add(a, b);
  for (int a = 0; a < cells / 2; ++a) {
    for (int b = 0; b < cells; ++b) {
      if (a != b && hundred(random) < percent) add(a, b);
    }
  }
  return Arcs::Make(cells, std::move(arcs));
}

// From one cell to all others, along the arcs, by going through all arcs until nothing changes.
std::vector<uint16_t> Relaxed(const Arcs& arcs, int from) {
  std::vector<uint16_t> distance(static_cast<size_t>(arcs.cells()), Distances::kFar);
  distance[static_cast<size_t>(from)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t arc = 0; arc < arcs.size(); ++arc) {
      const uint16_t through = distance[arcs.source[arc]];
      if (through == Distances::kFar || distance[arcs.target[arc]] <= through + 1) continue;
      distance[arcs.target[arc]] = static_cast<uint16_t>(through + 1);
      changed = true;
    }
  }
  return distance;
}

Tiles ShuffledTiles(int cells, std::mt19937& random) {
  const std::vector<int> tiles = boards::Shuffled(cells, random);
  return Tiles(tiles.begin(), tiles.end());
}

TEST(Distances, AreThoseOfTheGraphHoweverManyNeighboursItsCellsHave) {
  std::mt19937 random{5};
  std::set<bool> any_far;
  for (const auto& [cells, percent, directed] : {std::tuple(2, 0, false),
                                                 {17, 0, false},
                                                 {63, 20, true},
                                                 {64, 100, false},
                                                 {65, 2, true},
                                                 {130, 0, true},
                                                 {130, 60, false},
                                                 {200, 3, false},
                                                 {257, 1, true}}) {
    const auto arcs = std::make_shared<const Arcs>(MixedArcs(cells, percent, directed, random));
    const GraphTile problem({arcs, ShuffledTiles(cells, random), ShuffledTiles(cells, random)});
    const Instance puzzle(static_cast<const graph_tile_view_v1*>(problem.DomainView()));
    const Distances distances(puzzle, [] {});
    for (int cell = 0; cell < cells; ++cell) EXPECT_EQ(distances.of(0, cell), 0) << "the blank";
    for (int tile = 1; tile < cells; ++tile) {
      const std::vector<uint16_t> expected = Relaxed(*arcs, puzzle.goal_cell(tile));
      for (int cell = 0; cell < cells; ++cell) {
        ASSERT_EQ(distances.of(tile, cell), expected[static_cast<size_t>(cell)])
            << cells << " cells, " << percent << " %: tile " << tile << " on cell " << cell;
        any_far.insert(expected[static_cast<size_t>(cell)] == Distances::kFar);
      }
    }
  }
  EXPECT_EQ(any_far.size(), 2u) << "with and without a way";
}

TEST(Distances, AStopIsHeardBetweenTheTiles) {
  std::mt19937 random{6};
  const auto arcs = std::make_shared<const Arcs>(MixedArcs(80, 50, false, random));
  const GraphTile problem({arcs, ShuffledTiles(80, random), ShuffledTiles(80, random)});
  const Instance puzzle(static_cast<const graph_tile_view_v1*>(problem.DomainView()));
  int polls = 0;
  const auto stop = [&polls] {
    if (++polls == 40) throw std::runtime_error("stop");
  };
  EXPECT_THROW(Distances(puzzle, stop), std::runtime_error);
  EXPECT_EQ(polls, 40);
}

}  // namespace
}  // namespace graph_tile
