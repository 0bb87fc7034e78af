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

namespace sliding_tile {

struct Token {
  std::string_view text;
  uint32_t line = 0;    // 1-based
  uint32_t column = 0;  // 1-based, in bytes
};

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
  std::optional<Token> goal_name;  // JSON: "goal": "blank-first"
};

// Cuts plain text: rows are lines, or parts of lines between '/' or ';'. Blank lines, comments and a byte
// order mark are gone. A row `goal` starts the goal section. Null when a fault was reported.
std::optional<Sections> CutText(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics);

// Cuts [[..],[..]] or {"start": .., "goal": ..}. Null when a fault was reported.
std::optional<Sections> CutJson(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics);

// By the first character that counts.
bool LooksLikeJson(std::string_view text);

// The text without a byte order mark.
std::string_view SkipByteOrderMark(std::string_view text);

// A token for a message: shortened, and nothing but printable ASCII; Quoted: between quotes.
std::string Printable(std::string_view text);
std::string Quoted(std::string_view text);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_TOKENS_H_
