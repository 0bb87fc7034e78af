// Instance text cut into rows of tokens that know where they stood. Both spellings, plain and JSON, become
// this; what the tokens mean is decided in board_reader.h.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_TOKENS_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_TOKENS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/words.h"

namespace sliding_tile {

using Token = astro::Word;
using Row = std::vector<Token>;  // never empty

// The rows of one board.
struct Section {
  std::vector<Row> rows;
  bool has_header = true;  // false: the spelling has no room for a header (JSON)
  uint32_t line = 1;       // where the section begins
};

struct Sections {
  Section start;
  std::optional<Section> goal;
  std::optional<Token> goal_name;  // a line `goal blank-first`; JSON: "goal": "blank-first"
};

// Cuts plain text: rows are lines, or parts of lines between '/' or ';'. Blank lines, comments and a byte
// order mark are gone. A row `goal` starts the goal section. Null when a fault was reported.
std::optional<Sections> CutText(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics);

// Cuts [[..],[..]] or {"start": .., "goal": ..}. Null when a fault was reported.
std::optional<Sections> CutJson(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics);

// A token for a message, shortened.
inline std::string Printable(std::string_view text) { return astro::Printable(text, 24); }
inline std::string Quoted(std::string_view text) { return astro::Quoted(text, 24); }

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_TOKENS_H_
