// A puzzle as it was read: shape, start and goal, checked.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PUZZLE_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PUZZLE_H_

#include <optional>
#include <string_view>

#include "astrolabe/sdk/diagnostics.h"
#include "plugins/tiles/arrangement.h"

namespace sliding_tile {

inline constexpr int kMinSide = 2;
inline constexpr int kMaxSide = 127;

struct Shape {
  int rows = 0;
  int cols = 0;
  int cells() const { return rows * cols; }
  bool operator==(const Shape&) const = default;
};

// Tile on each square, row by row; 0 is the blank. Always a permutation of 0 .. cells - 1.
using tiles::Tiles;

struct Puzzle {
  Shape shape;
  Tiles start;
  Tiles goal;
};

// Reads an instance; `goal` is the parameter of that name, if it was set. Null when there was a fault;
// all faults are reported. The syntax is kInstanceSyntax in problem.cc.
std::optional<Puzzle> ReadPuzzle(std::string_view instance, std::optional<std::string_view> goal,
                                 astro::Diagnostics& diagnostics);

// Reads one board of this shape, spelled as in an instance, with or without header.
std::optional<Tiles> ReadBoard(std::string_view text, const Shape& shape, astro::Diagnostics& diagnostics);

// Goals by name: see plugins/tiles/arrangement.h.
inline Tiles BlankLast(const Shape& shape) { return tiles::BlankLast(shape.cells()); }
inline Tiles BlankFirst(const Shape& shape) { return tiles::BlankFirst(shape.cells()); }

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PUZZLE_H_
