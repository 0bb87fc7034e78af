// Text to puzzle. The syntax is kInstanceSyntax in problem_info.h.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_BOARD_READER_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_BOARD_READER_H_

#include <optional>
#include <string_view>

#include "astrolabe/sdk/diagnostics.h"
#include "plugins/graph_tile/puzzle.h"

namespace graph_tile {

// The parameters of the problem; unset: as the instance says.
struct ReadOptions {
  std::optional<std::string_view> start;
  std::optional<std::string_view> goal;
  std::optional<bool> symmetric;
};

// Null when there was a fault; all faults are reported. What is ignored is told in a note.
std::optional<Puzzle> ReadPuzzle(std::string_view instance, const ReadOptions& options,
                                 astro::Diagnostics& diagnostics);

// The tiles of a state; null when there was a fault.
std::optional<Tiles> ReadTiles(std::string_view text, int cells, std::string_view field,
                               astro::Diagnostics& diagnostics);

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_BOARD_READER_H_
