// What an instance text spells, before it is held against the rules.
#ifndef ASTROLABE_PLUGINS_QUEENS_RAW_BOARD_H_
#define ASTROLABE_PLUGINS_QUEENS_RAW_BOARD_H_

#include <optional>
#include <string_view>
#include <vector>

#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/words.h"

namespace queens {

using astro::Word;

struct RawBoard {
  std::optional<Word> queens;                // their number, where it is said
  std::optional<std::vector<Word>> rows;     // of the columns from the left, as numbers
  std::optional<std::vector<Word>> drawing;  // squares as letters, in words; those of one line make a row
  std::optional<Word> formulation;
  Word end;  // the place to say that something is missing
};

// {"n": 8, "rows": [..], "formulation": "complete"}, or a list of rows alone. Null: reported.
std::optional<RawBoard> ReadJson(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics);
// Numbers or a drawing; `whole_board`: a number alone is the row of one queen, not the number of queens. Null: the text
// is empty, which is not reported.
std::optional<RawBoard> ReadWords(std::string_view text, bool whole_board);

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_RAW_BOARD_H_
