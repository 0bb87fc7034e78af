// Short ways to problems for the tests of sliding tiles.
#ifndef ASTROLABE_TESTS_PLUGINS_SLIDING_TILE_BOARDS_H_
#define ASTROLABE_TESTS_PLUGINS_SLIDING_TILE_BOARDS_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"

namespace boards {

// "3 4\n1 2 3 ...": header and one line.
inline std::string Text(int rows, int cols, const std::vector<int>& tiles) {
  std::string text = std::to_string(rows) + " " + std::to_string(cols) + "\n";
  for (const int tile : tiles) text += std::to_string(tile) + " ";
  return text + "\n";
}

inline std::vector<int> BlankLast(int cells) {
  std::vector<int> tiles;
  for (int tile = 1; tile < cells; ++tile) tiles.push_back(tile);
  tiles.push_back(0);
  return tiles;
}

// A board that a random walk from the goal leads to, so that it can be solved.
inline std::vector<int> Walk(int rows, int cols, std::vector<int> tiles, int steps, std::mt19937& random) {
  int blank = 0;
  while (tiles[blank] != 0) ++blank;
  for (int i = 0; i < steps; ++i) {
    const int row = blank / cols;
    const int col = blank % cols;
    std::vector<int> next;
    if (row > 0) next.push_back(blank - cols);
    if (col > 0) next.push_back(blank - 1);
    if (col + 1 < cols) next.push_back(blank + 1);
    if (row + 1 < rows) next.push_back(blank + cols);
    const int to = next[random() % next.size()];
    std::swap(tiles[blank], tiles[to]);
    blank = to;
  }
  return tiles;
}

inline std::string WithGoal(int rows, int cols, const std::vector<int>& start, const std::vector<int>& goal) {
  std::string text = Text(rows, cols, start) + "goal\n";
  for (const int tile : goal) text += std::to_string(tile) + " ";
  return text + "\n";
}

}  // namespace boards

#endif  // ASTROLABE_TESTS_PLUGINS_SLIDING_TILE_BOARDS_H_
