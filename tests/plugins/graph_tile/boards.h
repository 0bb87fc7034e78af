// Boards for the tests.
#ifndef ASTROLABE_TESTS_PLUGINS_GRAPH_TILE_BOARDS_H_
#define ASTROLABE_TESTS_PLUGINS_GRAPH_TILE_BOARDS_H_

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace boards {

using Edges = std::vector<std::pair<int, int>>;

inline constexpr const char* kThreeByThree =
    "0:1 3, 1:0 2 4, 2:1 5, 3:0 4 6, 4:1 3 5 7, 5:2 4 8, 6:3 7, 7:4 6 8, 8:5 7\n";

// The neighbour lists; each edge both ways, or as it is.
inline std::string Lists(int cells, const Edges& edges, bool directed = false) {
  std::vector<std::string> near(cells);
  for (const auto& [a, b] : edges) {
    near[a] += " " + std::to_string(b);
    if (!directed) near[b] += " " + std::to_string(a);
  }
  std::string text = directed ? "directed\n" : "";
  for (int cell = 0; cell < cells; ++cell) text += std::to_string(cell) + ":" + near[cell] + "\n";
  return text;
}

inline std::string Row(const std::string& name, const std::vector<int>& tiles) {
  std::string text = name;
  for (const int tile : tiles) text += " " + std::to_string(tile);
  return text + "\n";
}

inline std::vector<int> Shuffled(int cells, std::mt19937& random) {
  std::vector<int> tiles(cells);
  std::iota(tiles.begin(), tiles.end(), 0);
  std::shuffle(tiles.begin(), tiles.end(), random);
  return tiles;
}

// A tree with some edges more: connected.
inline Edges Connected(int cells, int more, std::mt19937& random) {
  Edges edges;
  for (int cell = 1; cell < cells; ++cell) {
    edges.emplace_back(std::uniform_int_distribution<int>(0, cell - 1)(random), cell);
  }
  std::uniform_int_distribution<int> any(0, cells - 1);
  while (more-- > 0) {
    const int a = any(random);
    const int b = any(random);
    const auto same = [a, b](const auto& e) { return e == std::pair(a, b) || e == std::pair(b, a); };
    if (a != b && std::none_of(edges.begin(), edges.end(), same)) edges.emplace_back(a, b);
  }
  return edges;
}

}  // namespace boards

#endif  // ASTROLABE_TESTS_PLUGINS_GRAPH_TILE_BOARDS_H_
