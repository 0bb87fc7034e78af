// An instance as it was written: words that know where they stood. Both spellings, text and JSON, become this; what the
// words mean is decided in board_reader.h.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_RAW_BOARD_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_RAW_BOARD_H_

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/words.h"

namespace graph_tile {

using astro::Word;

// `cell: neighbour neighbour ...`. In JSON a list's number is its place, and `cell` has no text.
struct NeighbourList {
  Word cell;
  std::vector<Word> neighbours;
};

struct RawBoard {
  std::optional<Word> cells;  // how many
  std::optional<std::vector<NeighbourList>> lists;
  std::optional<std::vector<std::array<Word, 2>>> edges;
  std::optional<bool> directed;
  std::optional<std::vector<Word>> start;
  std::optional<std::vector<Word>> goal;  // tiles, or one name
  Word start_place;                       // where the section begins
  Word goal_place;
};

// Null when a fault was reported.
std::optional<RawBoard> ReadText(std::string_view text, astro::Diagnostics& diagnostics);
std::optional<RawBoard> ReadJson(std::string_view text, astro::Diagnostics& diagnostics);

// The words of a parameter or of a state: all that stands between blanks, commas, semicolons and ends of lines; a colon
// is a word of its own.
std::vector<Word> CutWords(std::string_view text);

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_RAW_BOARD_H_
