#include "plugins/sliding_tile/additive.h"

#include <algorithm>
#include <array>

namespace sliding_tile {
namespace {

class Tile {
 public:
  Tile(const astro_additive_table_v1& table, int tile)
      : delta_(table.delta + size_t{table.n_squares} * table.n_squares * static_cast<size_t>(tile)),
        squares_(table.n_squares) {}
  int Delta(int from, int to) const { return delta_[static_cast<size_t>(from) * squares_ + static_cast<size_t>(to)]; }

 private:
  const int8_t* delta_;
  size_t squares_;
};

}  // namespace

bool FitsShape(const astro_additive_table_v1& table, const Shape& shape) {
  const auto cells = static_cast<uint32_t>(shape.cells());
  return table.delta != nullptr && table.n_tiles == cells && table.n_squares == cells;
}

std::optional<int64_t> LargestFall(const astro_additive_table_v1& table, const Shape& shape, uint64_t state) {
  const int cells = shape.cells();
  const int cols = shape.cols;
  int64_t fall = 0;
  for (int square = 0; square < cells; ++square) {
    const int number = static_cast<int>(state >> (4 * square) & 15);
    if (number == 0) continue;
    const Tile tile(table, number);
    // The tile's term on each square, less its term on square 0.
    std::array<int, 16> term = {};
    for (int to = 1; to < cells; ++to) {
      const int from = to % cols > 0 ? to - 1 : to - cols;
      term[to] = term[from] + tile.Delta(from, to);
    }
    for (int from = 0; from < cells; ++from) {
      const auto agrees = [&](int to) {
        return tile.Delta(from, to) == term[to] - term[from] && tile.Delta(to, from) == term[from] - term[to];
      };
      if (from % cols + 1 < cols && !agrees(from + 1)) return std::nullopt;
      if (from + cols < cells && !agrees(from + cols)) return std::nullopt;
    }
    fall += term[square] - *std::min_element(term.begin(), term.begin() + cells);
  }
  return fall;
}

}  // namespace sliding_tile
