// From rows of tokens to a board: finds the header, the shape and the tiles.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_READER_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_READER_H_

#include <optional>
#include <string_view>

#include "plugins/sliding_tile/puzzle.h"
#include "plugins/sliding_tile/tokens.h"

namespace sliding_tile {

struct BoardContext {
  std::string_view field;      // for diagnostics
  std::string_view name;       // "board", "goal": for messages
  std::optional<Shape> shape;  // of the start, once known: the board must have it
  bool of_start = true;        // false: tiles that are not the start's are named so
};

struct BoardText {
  Shape shape;
  Tiles tiles;
};

// Null when a fault was reported; all faults of the section are.
std::optional<BoardText> ReadSection(const Section& section, const BoardContext& context,
                                     astro::Diagnostics& diagnostics);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BOARD_READER_H_
