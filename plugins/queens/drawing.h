// Boards as drawings: a line for each row from the top, Q for a queen and a dot for an empty square, blanks between or
// not.
#ifndef ASTROLABE_PLUGINS_QUEENS_DRAWING_H_
#define ASTROLABE_PLUGINS_QUEENS_DRAWING_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "astrolabe/queens/board.h"
#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/text.h"
#include "astrolabe/sdk/words.h"

namespace queens {

// How many lines the words come from.
uint32_t DrawnLines(const std::vector<astro::Word>& drawing);

// The row of the queen in each of `queens` columns, or kNoQueen. Null: reported, every fault.
std::optional<std::vector<uint32_t>> ReadDrawing(const std::vector<astro::Word>& drawing, uint32_t queens,
                                                 std::string_view field, astro::Diagnostics& diagnostics);

void Draw(const Board& board, astro::Writer& out);

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_DRAWING_H_
